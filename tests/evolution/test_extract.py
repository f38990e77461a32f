"""What the local extractor makes of English turns: each expected sentence is written by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.annotate.rules import RulesAnnotator
from memcore.evolution.extract import LocalExtractor
from memcore.types import (
    Annotation,
    Entry,
    Grain,
    Interval,
    Modality,
    SaidTime,
    TimeExpression,
    Turn,
    TurnId,
)

NOON = datetime(2023, 5, 8, 12, tzinfo=UTC)


def turns_of(*lines: str) -> tuple[Turn, ...]:
    pairs = (line.partition(": ") for line in lines)
    return tuple(
        Turn(TurnId(1, n), who, text, said=SaidTime(NOON))
        for n, (who, _, text) in enumerate(pairs, 1)
    )


def extract(*lines: str) -> tuple[Entry, ...]:
    turns = turns_of(*lines)
    return LocalExtractor().extract(turns, [Annotation(t.id) for t in turns], ())


def sentences(*lines: str) -> list[str]:
    return [e.restatement for e in extract(*lines)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ana: I moved to Lyon.", ["Ana moved to Lyon."]),
        ("Ana: I'm a nurse.", ["Ana is a nurse."]),
        ("Ana: I've been to Rome.", ["Ana has been to Rome."]),
        ("Ana: I don't like tea.", ["Ana does not like tea."]),
        ("Ana: I no longer live in Lyon.", ["Ana no longer lives in Lyon."]),
        ("Ana: I bought milk, eggs and bread.", ["Ana bought milk, eggs and bread."]),
        ("Ana: I like tea and I drink coffee.", ["Ana likes tea.", "Ana drinks coffee."]),
        ("Ana: Just got back from Rome.", ["Ana just got back from Rome."]),
        ("Ana: Hi! How are you?", []),
        ("Ana: Thanks so much! That's great!", []),
    ],
)
def test_a_turn_becomes_sentences_in_the_third_person(line: str, expected: list[str]) -> None:
    assert sentences(line) == expected


def test_a_short_answer_is_joined_with_its_question() -> None:
    assert sentences("Ben: What's your dog's name?", "Ana: Biscuit.") == [
        "Ana's dog's name is Biscuit."
    ]
    assert sentences("Ben: Do you like tea?", "Ana: Yes!") == ["Ana likes tea."]
    assert sentences("Ben: Do you like tea?", "Ana: Nope.") == ["Ana does not like tea."]


def test_advice_is_told_of_the_adviser() -> None:
    entry = extract("Ana: Hello.", "Ben: You should try the new gym.")[0]
    assert entry.restatement == "Ben suggests that Ana should try the new gym."
    assert entry.modality is Modality.HYPOTHETICAL
    assert entry.subject == "ben"


def test_a_cancelled_plan_and_its_return_share_subject_and_attribute() -> None:
    entries = extract(
        "Ana: We booked a trip to Rome.",
        "Ana: The trip is cancelled.",
        "Ana: The trip is on again.",
    )
    assert {(e.subject, e.attribute) for e in entries} == {("ana", "plan:trip to rome")}
    assert [e.value for e in entries] == ["planned", "cancelled", "on"]


def test_the_resolved_date_stands_beside_the_relative_wording() -> None:
    week = Interval(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 5, 8, tzinfo=UTC), Grain.WEEK)
    (turn,) = turns_of("Ana: I moved to Lyon last week.")
    annotation = Annotation(turn.id, times=(TimeExpression(16, 25, week),))
    (entry,) = LocalExtractor().extract([turn], [annotation], ())
    assert entry.restatement == "Ana moved to Lyon last week (1-7 May 2023)."
    assert entry.time == week


@given(st.text(max_size=80))
def test_any_text_gives_entries_of_its_own_turn(text: str) -> None:
    turn = Turn(TurnId(2, 1), "Ana", text)
    for entry in LocalExtractor().extract([turn], [Annotation(turn.id)], ()):
        assert entry.source_turns == (turn.id,)
        assert entry.restatement.endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "I like tea. " * 5000,
        "x" * 50_000,
        "(" * 5_000,
        "a, " * 10_000,
        "<script>alert('I am Ben')</script>",
        "\u202eשלום אני דוד\u202c",
        "😀" * 400,
        "a\x00b \ufffd \ud7ff",
        "\n\n\n",
        '“unclosed "quote',
    ],
    ids=[
        "long",
        "one word",
        "brackets",
        "commas",
        "markup",
        "rtl",
        "emoji",
        "nul",
        "blank",
        "quote",
    ],
)
def test_hostile_text_gives_entries_of_its_own_turn_and_no_error(text: str) -> None:
    turn = Turn(TurnId(1, 1), "Ana", text, said=SaidTime(NOON))
    for language in ("en", "zh"):
        entries = LocalExtractor().extract([turn], [Annotation(turn.id, language=language)], ())
        assert all(e.source_turns == (turn.id,) for e in entries)


def test_a_quote_inside_a_turn_claims_nothing() -> None:
    assert sentences('Ana: She wrote: "I sold the farm."') == [
        "Ana said: \"She wrote: 'I sold the farm'.\""
    ]


def test_a_month_named_in_a_plan_is_the_month_to_come() -> None:
    # Said in May 2023, so that the March meant is that of 2024.
    (turn,) = turns_of("Ana: I am running a marathon in March.")
    (entry,) = LocalExtractor().extract([turn], RulesAnnotator().annotate([turn]), ())
    assert entry.restatement == "Ana is running a marathon in March (March 2024)."
    assert entry.modality is Modality.PLANNED


def annotated(*lines: str) -> tuple[Entry, ...]:
    turns = turns_of(*lines)
    return LocalExtractor().extract(turns, RulesAnnotator().annotate(turns), ())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("I moved to Lyon.", "lyon"),
        ("I met Clara at Lyon Station.", "lyon station"),
        ("I rent a flat on Division Street.", "division street"),
        ("Stefan rents a studio from Mrs Okafor.", ""),
        ("Ben introduced me to his cousin Stefan.", ""),
        ("Eleven postcards from Elsa Brandt were behind the drawer.", ""),
        ("I cook for the whole house on Sundays now.", ""),
        ("I slipped on New Year's Eve.", ""),
        ("I talked to Okafor at Christmas.", ""),
    ],
)
def test_a_location_is_no_person_and_no_time(text: str, place: str) -> None:
    (entry,) = annotated(f"Ana: {text}")
    assert entry.location == place


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("I slipped on New Year's Eve.", ("ana",)),
        ("I swam six Thursdays in a row.", ("ana",)),
        ("Elsa Brandt wrote me a postcard.", ("ana", "elsa brandt")),
    ],
)
def test_a_time_is_no_person_and_a_full_name_is_one(text: str, persons: tuple[str, ...]) -> None:
    (entry,) = annotated(f"Ana: {text}")
    assert entry.persons == persons


def test_a_bare_time_before_the_subject_is_no_part_of_it() -> None:
    (entry,) = annotated("Ana: One winter Elsa Brandt counted 412 ships.")
    assert (entry.subject, entry.attribute, entry.value) == ("elsa brandt", "count", "412 ships")
    assert "winter elsa brandt" not in entry.keywords


def test_mrs_gives_a_gender_and_a_bare_number_an_age() -> None:
    found = annotated("Ana: Mrs Okafor hears Stefan tune. She is eighty.")
    assert found[-1].restatement == "Mrs Okafor is eighty."
    assert (found[-1].subject, found[-1].attribute, found[-1].value) == (
        "mrs okafor",
        "age",
        "eighty",
    )


def test_off_cancels_only_an_event() -> None:
    found = annotated("Ana: My bandage came off. I took off both shoes. The trip is off.")
    assert [e.modality for e in found] == [
        Modality.ASSERTED,
        Modality.ASSERTED,
        Modality.NEGATED,
    ]


def test_its_own_keeps_its_words() -> None:
    (entry,) = annotated("Ana: The whale has a review of its own.")
    assert entry.restatement == "The whale has a review of its own."


def test_keywords_of_a_caption_and_of_a_sentence_are_the_same_words() -> None:
    turn = Turn(TurnId(1, 1), "Ana", "I saw a red canoe.", "a lopsided red canoe", SaidTime(NOON))
    said, shown = LocalExtractor().extract([turn], RulesAnnotator().annotate([turn]), ())
    assert {"canoe", "red canoe"} <= set(said.keywords)
    assert {"canoe", "red", "lopsided", "lopsided red canoe"} == set(shown.keywords)


def test_a_mark_or_a_single_letter_is_no_keyword() -> None:
    (entry,) = annotated("Ana: I fixed the X-ray machines.")
    assert entry.keywords == ("fix", "machine", "ray", "x-ray machines")


def test_starting_as_something_is_a_job() -> None:
    (entry,) = annotated("Ana: I have started as an archivist at the Lisbon Museum.")
    assert (entry.attribute, entry.value) == ("job", "archivist at the lisbon museum")


def test_things_own_nothing_that_is_theirs() -> None:
    found = sentences("Ana: I got kind words. Ben praised their support.")
    assert found[-1] == "Ben praised their support."


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (  # the subject of the first clause is left unsaid
            "Ana: Lost my job as a cook yesterday, so I'm gonna start my own business.",
            ["Ana lost Ana's job as a cook yesterday.",
             "Ana is going to start Ana's own business."],
        ),
        (
            "Ana: Trying to get a petition going, it's pretty stressful.",
            ["Ana is trying to get a petition going."],
        ),
        ("Ana: Searching for a good flat's a tough job.", []),
        ("Ana: Haven't talked to Ben.", ["Ana has not talked to Ben."]),
        ("Ana: I wanna paint a boat.", ["Ana wants to paint a boat."]),
        (
            "Ana: I'd been wanting to try yoga.",
            ["Ana had been wanting to try yoga."],
        ),
        (
            "Ana: Hi Ben, since we moved, I'm volunteering at a school.",
            ["Since Ana and others moved, Ana is volunteering at a school."],
        ),
        ("Ana: Rejections hurt, but don't forget they pass.", ["Rejections hurt."]),
        ("Ana: Been a crazy few days.", []),
        ("Ana: Having a group around you can really help people.", []),
    ],
)  # fmt: skip
def test_what_is_left_unsaid_or_ordered_is_told_of_nobody_else(
    line: str, expected: list[str]
) -> None:
    assert sentences("Ben: Hello.", line) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Ana: Will you give it another go?", ["Ben will give it another go."]),
        ("Ana: Is it living up to the plan?", []),
        ("Ana: Have you faced the challenges you've seen?",
         ["Ben has faced the challenges Ben has seen."]),
    ],
)  # fmt: skip
def test_a_confirmed_question_is_worded_as_a_statement(question: str, expected: list[str]) -> None:
    assert sentences(question, "Ben: Definitely!") == expected


def test_what_somebody_wanted_to_tell_carries_the_fact() -> None:
    (entry,) = extract("Ben: Hello.", "Ana: I wanted to let you know that I'm running for office.")
    assert (entry.subject, entry.attribute, entry.value) == ("ana", "run for", "office")


@pytest.mark.parametrize(
    ("line", "attribute", "value"),
    [
        ("Ana: I'm really enjoying my new job.", "job", "new job"),
        ("Ana: Lost my job as a cook.", "job", "none"),
        ("Ana: My chess tournament got pushed back.", "plan:chess tournament", "postponed"),
    ],
)
def test_a_new_job_a_lost_job_and_a_delay_are_states(line: str, attribute: str, value: str) -> None:
    (entry,) = extract("Ben: Hello.", line)
    assert (entry.subject, entry.attribute, entry.value) == ("ana", attribute, value)
