"""The model extractor, against a real local server that behaves well and badly."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memcore.chat import Chat, Server
from memcore.errors import LateError, ServerError
from memcore.evolution.build import evolution
from memcore.evolution.extract_model import ModelExtractor
from memcore.seams import WindowError
from memcore.settings import PAPER
from memcore.types import (
    AnchorKind,
    Annotation,
    Entry,
    EntryId,
    Grain,
    Interval,
    Mention,
    Modality,
    Precision,
    Reason,
    SaidTime,
    Turn,
    TurnId,
    Usage,
)
from tests.evolution.talk import conversation, entry, turn
from tests.parts import made_parts
from tests.readers.server import (
    Said,
    chat,
    in_turn,
    lines_of,
    nobody,
    rate_limited,
    refusal,
    serving,
    tool_call,
)

MAY_8 = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
TURNS = tuple(
    Turn(TurnId(1, n), speaker, text, said=SaidTime(MAY_8, precision=Precision.MINUTE))
    for n, (speaker, text) in enumerate(
        [("Ana", "I moved to Porto yesterday."), ("Bo", "Nice!"), ("Ana", "I may buy a boat.")], 1
    )
)
MOVED = {
    "fact": "Ana moved to Porto yesterday (2023-05-07).",
    "turns": ["1"],
    "subject": "Ana",
    "attribute": "home",
    "value": "Porto",
    "persons": ["Ana"],
    "entities": ["Porto"],
    "keywords": ["Porto", "move"],
    "place": "Porto",
    "topic": "home",
    "date": "2023-05-07",
    "modality": "asserted",
}
BOAT = {"fact": "Ana may buy a boat.", "turns": [3], "modality": "hypothetical"}


def told(*facts: dict) -> Said:
    return chat(json.dumps({"facts": list(facts)}))


def extractor(url: str) -> ModelExtractor:
    return ModelExtractor(Chat(Server(url, "m", "key", timeout=5, tries=1)))


def extract(*replies: Said, turns: tuple[Turn, ...] = TURNS) -> tuple[Entry, ...]:
    annotations = tuple(
        Annotation(t.id, (Mention(0, 1, AnchorKind.LEXICAL, f"k{t.id.turn}"),)) for t in turns
    )
    with serving(in_turn(*replies)) as peer:
        return extractor(peer.base_url).extract(turns, annotations, ())


def test_a_fact_becomes_an_entry_that_leads_back_to_its_turn():
    day = Interval(datetime(2023, 5, 7, tzinfo=UTC), datetime(2023, 5, 8, tzinfo=UTC), Grain.DAY)
    assert extract(told(MOVED)) == (
        Entry(
            EntryId(1),
            "Ana moved to Porto yesterday (2023-05-07).",
            (TurnId(1, 1),),
            keywords=("move", "porto"),
            persons=("ana",),
            entities=("porto",),
            location="Porto",
            topic="home",
            time=day,
            modality=Modality.ASSERTED,
            said_at=MAY_8,
            subject="Ana",
            attribute="home",
            value="Porto",
        ),
    )


def test_entries_come_in_the_order_of_their_turns_numbered_from_one():
    found = extract(told(BOAT, MOVED))
    assert [(str(e.id), e.source_turns[0].turn) for e in found] == [("E1", 1), ("E2", 3)]
    assert found[1].modality is Modality.HYPOTHETICAL


def test_keywords_that_the_model_left_out_are_the_keys_of_the_source_turns():
    assert extract(told(BOAT))[0].keywords == ("k3",)


@pytest.mark.parametrize(
    ("date", "grain"),
    [
        ("2023", Grain.YEAR),
        ("2023-05", Grain.MONTH),
        ("2023-05-07T14:00", Grain.DAY),
        ("2023-13", None),
        ("yesterday", None),
        ("9999-12-31", None),
        ("null", None),
        ("", None),
    ],
)
def test_a_date_is_taken_as_fine_as_it_is_given_and_not_guessed(date, grain):
    time = extract(told(MOVED | {"date": date}))[0].time
    assert (time.grain if time else None) == grain


def test_a_fact_without_a_turn_of_the_window_is_not_kept():
    assert extract(told(MOVED, BOAT | {"turns": ["9"]}))[0].source_turns == (TurnId(1, 1),)
    assert len(extract(told(MOVED, BOAT | {"turns": ["9"]}))) == 1


def test_a_window_without_facts_is_fine():
    assert extract(told()) == ()


FORMS = {
    "fenced": "Here:\n```json\n" + json.dumps({"facts": [MOVED]}) + "\n```",
    "thinking": '<think>{"facts": []}</think>' + json.dumps({"facts": [MOVED]}),
    "a bare list": json.dumps([MOVED]),
    "one fact, no list": json.dumps({"facts": MOVED}),
    "trailing comma": json.dumps({"facts": [MOVED]})[:-2] + ",],}",
    "scalars for lists": json.dumps(
        {"facts": [MOVED | {"turns": 1, "persons": "Ana", "entities": "Porto"}]}
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_reply_of_any_form_gives_the_same_entries(form):
    assert extract(chat(FORMS[form])) == extract(told(MOVED))


USELESS = {
    "empty": chat(""),
    "prose": chat("There are no facts, sorry."),
    "cut": chat('{"facts": [{"fact": "Ana moved', cut=True),
    "only facts of nowhere": told(MOVED | {"turns": []}),
}


@pytest.mark.parametrize("name", USELESS)
def test_a_useless_reply_is_asked_for_again(name):
    assert extract(USELESS[name], told(MOVED)) == extract(told(MOVED))


@pytest.mark.parametrize("name", USELESS)
def test_a_window_that_stays_useless_is_read_in_two_halves(name):
    # twice whole, then turn 1, then turns 2 and 3, in which turn 3 has the number 2
    bad = USELESS[name]
    found = extract(bad, bad, told(MOVED), told(BOAT | {"turns": [2]}))
    assert [e.source_turns for e in found] == [(TurnId(1, 1),), (TurnId(1, 3),)]


@pytest.mark.parametrize("name", USELESS)
def test_the_turns_of_a_half_that_fails_are_named_with_the_entries_of_the_other(name):
    bad = USELESS[name]
    with pytest.raises(WindowError, match="no usable reply for 2 of 3 turns") as error:
        extract(bad, bad, told(MOVED), bad)
    assert error.value.turns == (TurnId(1, 2), TurnId(1, 3))
    assert [e.source_turns for e in error.value.entries] == [(TurnId(1, 1),)]


def test_a_server_that_is_absent_or_unwilling_is_not_the_fault_of_the_window():
    with pytest.raises(ServerError) as error:
        extractor(nobody()).extract(TURNS, (), ())
    assert not isinstance(error.value, WindowError)
    with pytest.raises(ServerError, match="the key is missing") as error:
        extract(refusal(401))
    assert not isinstance(error.value, WindowError)


def test_a_request_quotes_the_turns_with_dates_and_the_entries_before():
    earlier = Entry(EntryId(7), "Ana has a dog.", (TurnId(1, 0),))
    with serving(told()) as peer:
        model = extractor(peer.base_url)
        model.extract(TURNS, (), (earlier,))
    asked = peer.requests[0]["messages"][1]["content"]
    assert "- Ana has a dog." in asked
    assert "[1] Ana, 2023-05-08 13:56: I moved to Porto yesterday.\n[2] Bo," in asked


def test_the_calls_of_useless_replies_are_counted_too():
    with serving(in_turn(chat("no"), told(MOVED))) as peer:
        found = extractor(peer.base_url).read_window(TURNS, (), ())
    assert found.usage == Usage(2, 22, 14)


def test_what_would_be_sent_can_be_read_before():
    with serving(told()) as peer:
        model = extractor(peer.base_url)
        text = model.asks(TURNS, ())
        model.extract(TURNS, (), ())
    assert text == "\n\n".join(m["content"] for m in peer.requests[0]["messages"])


def test_the_seconds_of_a_window_are_those_of_the_clock_that_was_given():
    times = iter((3.0, 5.5))
    with serving(told(MOVED)) as peer:
        chat_ = Chat(Server(peer.base_url, "m", tries=1))
        found = ModelExtractor(chat_, clock=lambda: next(times)).read_window(TURNS, (), ())
    assert found.seconds == 2.5


def test_a_request_that_is_too_long_is_split_at_once_and_down_to_quarters():
    five = tuple(replace(TURNS[0], id=TurnId(1, n)) for n in range(1, 6))

    def short_only(request: dict) -> Said:
        # 5 turns, its halves of 2 and 3, then quarters of 1 and 2: only those of one turn fit
        return told(MOVED) if len(lines_of(request)) == 1 else refusal(413)

    with serving(short_only) as peer:
        found = extractor(peer.base_url).read_window(five, (), ())
    assert [len(lines_of(r)) for r in peer.requests] == [5, 2, 1, 1, 3, 1, 2]
    assert [e.source_turns for e in found.entries] == [((TurnId(1, n)),) for n in (1, 2, 3)]
    assert found.failed == (TurnId(1, 4), TurnId(1, 5))
    assert "too long for model" in found.trouble


def test_a_server_that_twice_says_nothing_in_time_is_not_asked_a_third_time():
    with serving(Said("", hangs=True)) as peer:
        model = ModelExtractor(Chat(Server(peer.base_url, "m", timeout=0.2, tries=1)))
        with pytest.raises(LateError, match="did not answer"):
            model.read_window(TURNS, (), ())
    assert len(peer.requests) == 2


def test_a_reply_that_comes_too_late_once_splits_the_window():
    replies = in_turn(Said("", hangs=True), told(MOVED), told(BOAT | {"turns": [2]}))
    with serving(replies) as peer:
        model = ModelExtractor(Chat(Server(peer.base_url, "m", timeout=0.3, tries=1)))
        found = model.read_window(TURNS, (), ())
    assert [e.source_turns for e in found.entries] == [(TurnId(1, 1),), (TurnId(1, 3),)]
    assert found.failed == ()


SERVERS = {
    "plain": (told(MOVED), ()),
    "thinks aloud": (chat("<think>{}</think>" + json.dumps({"facts": [MOVED]})), ()),
    "fences": (chat("```json\n" + json.dumps({"facts": [MOVED]}) + "\n```"), ()),
    "calls a tool": (tool_call(json.dumps({"facts": [MOVED]})), ()),
    "wraps": (chat(json.dumps({"result": {"facts": [MOVED]}})), ()),
    "cuts": (chat('{"facts": [{"fact": "Ana mo', cut=True), "cut before its end"),
    "returns nothing": (chat(""), "empty reply"),
    "another schema": (chat('{"items": [{"text": "Ana moved"}]}'), "not the form asked for"),
    "facts as words": (chat('{"facts": ["Ana moved to Porto."]}'), "named no turn"),
    "prose": (chat("Ana moved to Porto."), "not the form asked for"),
    "too long for it": (refusal(413), "too long for model"),
    "hangs": (Said("", hangs=True), LateError),
    "wrong key": (refusal(401), ServerError),
    "rate limit for ever": (rate_limited(), ServerError),
    "fails": (refusal(500), ServerError),
    "not a model server": (Said("<html>", kind="text/html"), ServerError),
}
"""What a server does, and what it comes to: facts, why all turns failed, or the error."""


@pytest.mark.parametrize("name", SERVERS)
def test_every_kind_of_server_comes_to_facts_failed_turns_or_one_error(name):
    said, ends = SERVERS[name]
    with serving(said) as peer:
        model = ModelExtractor(Chat(Server(peer.base_url, "m", "key", timeout=0.5, tries=1)))
        if isinstance(ends, type):
            with pytest.raises(ends):
                model.read_window(TURNS[:1], (), ())
            return
        found = model.read_window(TURNS[:1], (), ())
    assert bool(found.entries) == (not ends)
    assert found.failed == ((TurnId(1, 1),) if ends else ())
    assert (ends if isinstance(ends, str) else "") in found.trouble


def test_the_builder_records_the_turns_that_could_not_be_read():
    talk = conversation(turn("D1:1", "tea"), turn("D1:2", "milk"), turn("D1:3", "jam"))

    def half(turns):
        raise WindowError("no", (turns[1].id, turns[2].id), (entry(1, "tea", "D1:1"),))

    parts = made_parts(lambda text: (float(len(text)), 1.0), half)
    rows = parts.embedder.encode([t.content for t in talk.turns])
    notes = tuple(Annotation(t.id) for t in talk.turns)
    graph, _rows = evolution(talk, notes, rows, parts, PAPER)
    assert [e.source_turns for e in graph.entries] == [(TurnId(1, 1),)]
    assert [(str(d.item), d.reason) for d in graph.dropped] == [
        ("D1:2", Reason.EXTRACTION_FAILED),
        ("D1:3", Reason.EXTRACTION_FAILED),
    ]
