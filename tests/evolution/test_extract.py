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
    assert not any("Ana" in s for s in sentences('Ana: She wrote: "I sold the farm."'))


def test_a_month_named_in_a_plan_is_the_month_to_come() -> None:
    # Said in May 2023, so that the March meant is that of 2024.
    (turn,) = turns_of("Ana: I am running a marathon in March.")
    (entry,) = LocalExtractor().extract([turn], RulesAnnotator().annotate([turn]), ())
    assert entry.restatement == "Ana is running a marathon in March (March 2024)."
    assert entry.modality is Modality.PLANNED
