"""Remarks, own questions, and results in and out of the store."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.errors import StoreError
from memcore.store import conversations, evaluations
from memcore.store.evaluations import Answered, Outcome, Plan, Remark, Result, Unit, UnitState
from memcore.store.schema import open_workspace
from memcore.transcripts.own import dump_questions
from memcore.transcripts.questions_file import read_questions
from memcore.transcripts.sources import Source
from memcore.types import Question, TurnId


def test_a_remark_is_kept_changed_and_taken_away(workspace: Path) -> None:
    with open_workspace(workspace) as db:
        evaluations.remark(db, 1, Remark("q1", " perhaps D1:1 too ", wrong=True))
        assert evaluations.remarks(db, 1) == (Remark("q1", "perhaps D1:1 too", wrong=True),)
        evaluations.remark(db, 1, Remark("q1", "fine"))
        assert evaluations.remarks(db, 1) == (Remark("q1", "fine"),)
        evaluations.remark(db, 1, Remark("q1"))
        assert evaluations.remarks(db, 1) == ()
        with pytest.raises(StoreError, match="has no question 'q9'"):
            evaluations.remark(db, 1, Remark("q9", "?"))


def test_an_own_question_is_stored_with_its_gold_and_replaced_by_its_text(workspace: Path) -> None:
    gold = (TurnId(3, 1), TurnId(1, 1))
    with open_workspace(workspace) as db:
        made = evaluations.add_own_question(
            db, 1, Question("", " Who moved? ", evidence_turns=gold)
        )
        assert (made.id, made.text, made.category) == ("own:1", "Who moved?", "own")
        assert made.evidence_turns == (TurnId(1, 1), TurnId(3, 1))
        assert made.evidence_sessions == (1, 3)
        again = evaluations.add_own_question(
            db, 1, Question("", "Who moved?", evidence_turns=gold[:1], answer="Ana")
        )
        assert (again.id, again.answer, again.evidence_turns) == ("own:1", "Ana", gold[:1])
        assert conversations.questions(db, 1)[-1] == again
        other = evaluations.add_own_question(db, 1, Question("", "Who sings?"))
        assert (other.id, other.abstain) == ("own:2", True)


@pytest.mark.parametrize(
    ("text", "gold", "said"), [("Who?", (TurnId(9, 9),), "no turn D9:9"), ("??", (), "no word")]
)
def test_an_own_question_needs_a_word_and_turns_that_are_there(
    workspace: Path, text: str, gold: tuple[TurnId, ...], said: str
) -> None:
    with open_workspace(workspace) as db, pytest.raises(StoreError, match=said):
        evaluations.add_own_question(db, 1, Question("", text, evidence_turns=gold))


def test_a_questions_file_holds_what_was_stored(workspace: Path) -> None:
    with open_workspace(workspace, read_only=True) as db:
        stored, talk = conversations.questions(db, 1), conversations.load(db, 1)
    text = dump_questions(stored)
    assert read_questions(Source("q.jsonl", text.encode()), talk) == stored


@settings(max_examples=15)
@given(
    st.builds(
        Result,
        question=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8),
        asked=st.just("d"),
        outcome=st.sampled_from(Outcome),
        ranks=st.lists(st.integers(0, 200), max_size=4).map(tuple),
        within=st.lists(st.floats(0, 1), max_size=3).map(tuple),
        used=st.lists(st.booleans(), max_size=6).map(tuple),
        fates=st.text("WACNPX+", max_size=5),
        joined=st.none() | st.booleans(),
        refusal=st.none() | st.floats(0, 1),
        refused=st.booleans(),
        answer=st.none() | st.just("tea"),
        citations=st.just(("D1:1", "E2")),
    ),
    st.lists(st.builds(TurnId, st.integers(1, 9), st.integers(1, 9)), max_size=5).map(tuple),
)
def test_a_result_comes_back_as_it_was_stored(result: Result, ranking: tuple[TurnId, ...]) -> None:
    with open_workspace(_shared()) as db:
        unit = Unit(1, 1, "bm25", 1, "f", UnitState.RUNNING, "", 0, 3)
        db.execute("DELETE FROM results")
        db.execute("DELETE FROM rankings")
        db.conn.commit()
        evaluations.add(db, unit, (Answered(result, ranking),))
        assert evaluations.results(db, unit) == (result,)
        assert evaluations.rankings(db, unit) == {(result.question, "d"): ranking}


_PLACE: list[Path] = []


def _shared() -> Path:
    return _PLACE[0]


@pytest.fixture(autouse=True)
def _one_workspace(workspace: Path) -> None:
    _PLACE[:] = [workspace]


def test_an_evaluation_can_be_listed_and_deleted(workspace: Path) -> None:
    with open_workspace(workspace) as db:
        first, second = (evaluations.create(db, Plan(("bm25",), (1,)), n) for n in (0.0, 1.0))
        assert [e.id for e in evaluations.listing(db)] == [second, first]
        evaluations.delete(db, first)
        with pytest.raises(StoreError, match="no evaluation 1"):
            evaluations.evaluation(db, first)
