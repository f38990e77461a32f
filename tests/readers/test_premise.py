"""What is told about the evidence before any answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memcore.context import pack
from memcore.readers.premise import Held, check, judge
from memcore.settings import SAFE, Settings
from memcore.types import (
    AnchorKind,
    Annotation,
    Beat,
    Candidate,
    Conversation,
    Drop,
    EvolutionGraph,
    Hypergraph,
    Memory,
    Mention,
    Query,
    Reason,
    Session,
    Step,
    Trace,
    Turn,
    TurnId,
    Warning,
)

LEXICAL, ENTITY = AnchorKind.LEXICAL, AnchorKind.ENTITY
ONE, TWO = TurnId(1, 1), TurnId(1, 2)
NONE = np.zeros((0, 1), dtype=np.float32)
MEMORY = Memory(
    Conversation(
        "c", (Session(1, (Turn(ONE, "Ana", "I run."), Turn(TWO, "Bo", "I swim in Porto."))),)
    ),
    (
        Annotation(ONE, (Mention(2, 5, LEXICAL, "run"),)),
        Annotation(TWO, (Mention(2, 6, LEXICAL, "swim"), Mention(10, 15, ENTITY, "porto"))),
    ),
    Hypergraph(),
    EvolutionGraph(),
    NONE,
    NONE,
)


def query(*keys: str, subject: str = "", kind: AnchorKind = LEXICAL) -> Query:
    return Query("?", mentions=tuple(Mention(0, 1, kind, k) for k in keys), subject=subject)


def warned(asked: Query, *items: TurnId, settings: Settings = SAFE, **more: object):
    kept = tuple(Candidate(i, 1.0) for i in items)
    step = replace(Step("pack", Beat.PACK, given=kept, kept=kept), **more)
    trace = Trace(asked, "edgemem", settings, steps=(step,))
    return check(trace, pack(MEMORY, trace), MEMORY)


def test_evidence_of_the_person_asked_about_gives_no_warning():
    assert warned(query("run", subject="Ana"), ONE, TWO) == ()


def test_evidence_that_is_all_of_another_person_is_told():
    assert warned(query("swim", subject="Ana"), ONE, TWO) == (Warning.OTHER_SUBJECT,)
    assert warned(query("swim", subject="Ana"), TWO) == (Warning.OTHER_SUBJECT,)


def test_a_question_about_nobody_in_particular_is_not_compared():
    assert warned(query("swim"), ONE, TWO) == ()


def test_a_name_that_the_memory_never_mentions_is_told():
    assert warned(query("porto", kind=ENTITY), TWO) == ()
    assert warned(query("rome", kind=ENTITY), TWO) == (
        Warning.UNKNOWN_NAME,
        Warning.NOTHING_FOUND,
    )


def test_an_item_that_shares_no_key_is_nothing_found():
    assert warned(query("paint"), ONE) == (Warning.NOTHING_FOUND,)


def test_an_empty_packet_says_whether_nothing_was_found_or_nothing_fitted():
    assert warned(query("run")) == (Warning.NOTHING_FOUND,)
    over = Step(
        "pack",
        Beat.PACK,
        given=(Candidate(ONE, 1.0),),
        dropped=(Drop(ONE, Reason.OVER_TOKEN_BUDGET, 60, 50),),
    )
    trace = Trace(query("run"), "edgemem", SAFE, steps=(over,))
    assert check(trace, pack(MEMORY, trace), MEMORY) == (Warning.OVER_BUDGET,)


def test_support_below_the_floor_is_told():
    # "run" is in 1 of 2 turns, "paint" in none: log(1 + 3 / 1.5) = 1.098612 of
    # 1.098612 + log(1 + 3 / 0.5) = 1.945910, so the share is 0.360838
    asked = query("run", "paint")
    assert warned(asked, ONE, settings=Settings(refusal_floor=0.36)) == ()
    assert warned(asked, ONE, settings=Settings(refusal_floor=0.37)) == (Warning.BELOW_FLOOR,)


def test_the_margin_decides_how_much_better_another_must_fit():
    # Ana holds one of two equal keys, Bo both: 1 - 0.5 = 0.5; Ana comes first, so nothing helps her
    held = (Held("Ana", frozenset("a")), Held("Bo", frozenset("ab")))
    weights = {"a": 1.0, "b": 1.0}
    asked = query("a", "b", subject="Ana")
    assert judge(asked, held, weights, Settings(premise_margin=0.5)) == ()
    assert judge(asked, held, weights, Settings(premise_margin=0.49)) == (Warning.OTHER_SUBJECT,)


KEYS = st.frozensets(st.sampled_from("abc"))


@given(st.lists(st.builds(Held, st.sampled_from(["Ana", "Bo"]), KEYS), max_size=5), KEYS)
def test_a_wider_margin_and_a_lower_floor_never_refuse_more(held, keys):
    asked = query(*sorted(keys), subject="Ana")
    weights = dict.fromkeys(keys, 1.0)
    loose = judge(asked, held, weights, Settings(premise_margin=0.6, refusal_floor=0.1))
    strict = judge(asked, held, weights, Settings(premise_margin=0.1, refusal_floor=0.6))
    assert set(loose) <= set(strict)
