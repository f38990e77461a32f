"""Fast paths: exact alias, unique answer, else fall through."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memcore.evolution.facts import facts
from memcore.evolution.fastpath import EMPTY, extended, fast_path, look_up, with_persons
from memcore.evolution.states import states
from memcore.settings import SAFE, Settings
from memcore.types import (
    Action,
    Change,
    Decision,
    EntryId,
    EvolutionEdge,
    Modality,
    Person,
)
from tests.evolution.talk import after, day, entry, memory, trace


def fact(n, subject, attribute, value, **others):
    return entry(n, f"{subject} {attribute} {value}", f"D{n}:1", subject=subject,
                 attribute=attribute, value=value, persons=(subject,), **others)  # fmt: skip


MADE = [
    fact(1, "ana", "job", "baker"),
    fact(2, "ana", "visit", "lisbon"),
    fact(3, "ana", "visit", "the lisbon"),
    fact(4, "ana", "go to", "the beach"),
    fact(5, "bo stone", "job", "cook"),
    fact(6, "bo reed", "job", "nurse"),
    fact(7, "ana", "job", "teacher"),
    fact(8, "ana", "favourite colour", "blue"),
    fact(9, "ana", "visit", "porto", modality=Modality.PLANNED),
    fact(10, "ana", "hobby", "chess"),
    fact(11, "ana", "hobby", "sailing"),
    fact(12, "安娜", "工作", "老师"),
]
MEMORY = memory(
    MADE,
    edges=(EvolutionEdge(EntryId(1), EntryId(7), 0.9, 0.5, supersedes=True),),
    decisions=tuple(
        Decision(e.id, Action.LINK, EntryId(1), 0.9, 0.5, Change.OBJECT_DIFFERS)
        if e.id.n == 7
        else Decision(e.id, Action.ADD)
        for e in MADE
    ),
)
INDEX = with_persons(extended(EMPTY, MADE), (Person("p1", "Ana", ("Annie",)),))


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is Ana's job?", [7]),  # the current value alone
        ("What's Annie's favorite color?", [8]),  # the transcript's other name, other spelling
        ("what is the job of Bo Stone", [5]),
        ("What is Bo's job?", []),  # two persons of that name
        ("What is Cy's job?", []),
        ("What is Ana's hobby?", []),  # two values
        ("How many times did Ana visit Lisbon?", [2, 3]),
        ("How many times did Ana go to the beach?", [4]),
        ("How many times did Ana visit Porto?", []),  # a plan is no event
        ("How many times did Ana visit Lisbon in May?", []),
        ("When did Ana visit Lisbon?", []),
        ("安娜的工作是什么？", [12]),
    ],
)
def test_only_an_exact_name_with_one_answer_is_answered(question, found):
    assert [e.n for e in look_up(INDEX, states(MEMORY.evolution), question)] == found


@pytest.mark.parametrize(
    ("turns", "dates", "counted"),
    [
        (("D1:1", "D2:1"), (None, None), [1, 2]),  # two turns, two occasions
        (("D1:1", "D1:1"), (None, None), [1]),  # one turn says it twice
        (("D1:1", "D2:1"), ("2023-05-01", "2023-05-01"), [1]),  # one date, told again
        (("D1:1", "D2:1"), ("2023-05-01", "2023-05-09"), [1, 2]),
    ],
)
def test_an_event_is_counted_from_distinct_evidence(turns, dates, counted):
    made = [
        entry(n, "Ana visits Ely", t, subject="ana", attribute="visit", value="ely",
              persons=("ana",), time=None if d is None else day(d))
        for n, (t, d) in enumerate(zip(turns, dates, strict=True), 1)
    ]  # fmt: skip
    held = memory(made, decisions=tuple(Decision(e.id, Action.ADD) for e in made))
    question = "How many times did Ana visit Ely?"
    assert [
        e.n for e in look_up(extended(EMPTY, made), states(held.evolution), question)
    ] == counted


def test_as_of_an_earlier_session_the_earlier_value_is_current():
    assert look_up(INDEX, states(MEMORY.evolution, 6), "What is Ana's job?") == (EntryId(1),)


def test_an_index_that_grows_equals_one_made_whole():
    assert extended(extended(EMPTY, MADE[:4]), MADE[4:]) == extended(EMPTY, MADE)


def test_a_hit_ends_the_retrieval_and_a_miss_goes_on():
    stage = fast_path(facts(MEMORY, SAFE), INDEX)
    (hit,) = after(trace("What is Ana's job?"), stage, memory=MEMORY).steps
    assert (hit.final, [c.item for c in hit.kept]) == (True, [EntryId(7)])
    (miss,) = after(trace("Who is Ana?"), stage, memory=MEMORY).steps
    assert (miss.final, miss.kept, miss.used) == (False, (), True)


def test_switched_off_nothing_is_looked_up():
    off = replace(SAFE, fast_paths=False)
    (step,) = after(
        trace("What is Ana's job?", Settings()), fast_path(facts(MEMORY, off), INDEX), memory=MEMORY
    ).steps
    assert (step.final, step.used) == (False, False)
