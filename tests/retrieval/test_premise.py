"""What a memory says against a question, on two small talks whose scores can be followed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from memcore.annotate.questions import analyse
from memcore.annotate.rules import RulesAnnotator
from memcore.errors import MemcoreError
from memcore.hypergraph.build import hypergraph
from memcore.retrieval.features import NAMES
from memcore.retrieval.premise import (
    OTHER,
    OTHER_SPEAKER,
    UNTOLD,
    UNTOLD_THING,
    WEIGHTS,
    Doubt,
    Evidence,
    Signals,
    of_signals,
)
from memcore.settings import Settings
from memcore.types import (
    Anchor,
    AnchorKind,
    Conversation,
    EvolutionGraph,
    Memory,
    Session,
    Turn,
    TurnId,
)
from tests.retrieval.small import remembered, talk

NO_VECTORS = np.zeros((0, 1), dtype=np.float32)
ALL_KEYS = Settings(key_share=1.0)
TALK = (
    ("Ana", "I adopted a parrot in spring."),
    ("Ben", "Lovely! I painted a sculpture of a horse."),
    ("Ana", "The parrot sings all day."),
    ("Ben", "I also baked bread on Sunday."),
    ("Ana", "My sister moved to Porto."),
    ("Ben", "We sailed around the harbour."),
)


@pytest.fixture(scope="module")
def evidence():
    annotator = RulesAnnotator()
    turns = tuple(Turn(TurnId(1, n), speaker, text) for n, (speaker, text) in enumerate(TALK, 1))
    conversation = Conversation("c", (Session(1, turns),))
    notes = annotator.annotate(turns)
    memory = Memory(
        conversation,
        notes,
        hypergraph(conversation, notes),
        EvolutionGraph(),
        NO_VECTORS,
        NO_VECTORS,
    )
    found = Evidence(memory, ALL_KEYS)

    def signals(question: str, as_of: int | None = None) -> Signals:
        query = analyse(question, None, ("Ana", "Ben"), annotator)
        return found.signals(query, as_of)

    return signals


def test_what_the_person_told_speaks_for_the_person(evidence):
    # both parrot turns are Ana's; only the weak terms of form speak for Ben's
    found = evidence("What did Ana adopt in spring?")
    assert found.margin < -1
    assert found.gap == -1.0
    assert not of_signals(found, 0.4).doubtful


def test_what_another_told_speaks_against_the_person_and_names_that_turn(evidence):
    found = evidence("When did Ana sail around the harbour?")
    # Ben's turn holds both words, no turn of Ana's any
    assert found.gap == 1.0
    assert found.other == TurnId(1, 6)
    assert of_signals(found, 0.4).doubtful


def test_the_same_question_about_either_has_opposite_margins(evidence):
    one, other = (evidence(f"What did {name} bake on Sunday?") for name in ("Ana", "Ben"))
    assert one.margin == -other.margin
    assert one.gap == -other.gap > 0


def test_two_named_persons_are_not_told_apart(evidence):
    assert evidence("What did Ana tell Ben about bread?").margin is None


def test_a_noun_that_nobody_told_is_the_rarest(evidence):
    found = evidence("Where did Ben put the violin?")
    # no turn of 6 holds it: log(1 + 6 / 0.5) / log(1 + 12) = 1
    assert (found.thing, found.rarity) == ("violin", 1.0)


def test_a_noun_far_from_the_best_turns_is_rarer_the_fewer_turns_hold_it(evidence):
    found = evidence("Where does the violin of Ana's sister sing?")
    assert found.thing == "violin"


def test_a_noun_that_is_asked_for_is_not_taken_for_granted(evidence):
    assert evidence("What bread did Ben bake on Sunday?").thing is None
    assert evidence("Which loaf did Ben bake on Sunday?").thing is None


def test_a_guess_is_not_held_against_what_was_told(evidence):
    assert evidence("Would Ana likely enjoy a violin?") == Signals(guess=True)


def test_the_score_is_the_sum_of_both_doubts():
    found = of_signals(Signals(margin=2.0, other=TurnId(1, 2), gap=0.5), 0.4)
    # 2.067 * 2 + 1.971 * 0.5 - 1.528 = 3.5915; log(1 + e^3.5915) = 3.5915 + 0.027185 = 3.618685
    assert found.terms[0].name == OTHER_SPEAKER
    assert found.terms[0].amount == pytest.approx(3.618685, abs=2e-5)
    assert found.terms[0].source == TurnId(1, 2)
    # log(1 + e^-3.757) = log(1 + 0.023354) = 0.023085
    assert found.terms[1].name == UNTOLD_THING
    assert found.terms[1].amount == pytest.approx(0.023085, abs=2e-5)
    assert found.score == pytest.approx(3.641770, abs=4e-5)
    assert found.doubtful


def test_without_a_person_only_things_are_doubted():
    found = of_signals(Signals(thing="violin", rarity=1.0), 0.7)
    # 3.589 - 3.757 = -0.168; log(1 + e^-0.168) = log(1.845354) = 0.612671
    violin = Anchor(AnchorKind.LEXICAL, "violin")
    assert [(t.name, t.source) for t in found.terms] == [(UNTOLD_THING, violin)]
    assert found.score == pytest.approx(0.612671, abs=2e-5)
    assert not found.doubtful


def test_a_guess_has_no_doubt_and_no_term():
    assert of_signals(Signals(guess=True), 0.4).terms == ()


def test_doubt_grows_with_its_signal_and_is_never_negative():
    doubts = [Doubt((1.0,), 0.0).of(x) for x in (-50.0, -1.0, 0.0, 1.0, 50.0)]
    assert doubts == sorted(doubts)
    assert doubts[0] == 0.0
    assert doubts[2] == round(math.log(2), 6)
    assert all(weight > 0 for weight in (*OTHER.weights, *UNTOLD.weights))


def test_every_term_that_the_premise_weighs_is_made():
    assert WEIGHTS.keys() <= set(NAMES)


def test_a_weight_of_no_term_is_refused():
    with pytest.raises(MemcoreError, match="there is no term lenght"):
        Evidence(remembered(talk("Ann: tea")), ALL_KEYS, {"lenght": 1.0})
