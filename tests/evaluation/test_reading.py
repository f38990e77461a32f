"""The fit of the local reader: the weights by hand, the dialogue left out, the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memcore import pipeline
from memcore.annotate.rules import RulesAnnotator
from memcore.cli import main
from memcore.evaluation.reading import Case, Packet, cases, fitted, left_out, read
from memcore.readers.asked import wish_of
from memcore.readers.evidence import Piece
from memcore.readers.extractive import ExtractiveReader, Weighed
from memcore.readers.guesses import Option, Options
from memcore.readers.match import Match
from memcore.retrieval.edgemem import edgemem
from memcore.settings import SAFE
from memcore.store import conversations, memories
from memcore.store.schema import open_workspace
from memcore.types import Query, Question, TurnId
from tests.evaluation.conftest import QUESTIONS
from tests.test_pipeline import PARTS, stored, talk

SAID = Match(Piece("Porto or tea", TurnId(1, 1), "[1]", 1), 1.0, ())


def case(answer: str, dialogue: int = 1, porto: float = 1.0, packet: Packet = Packet.FOUND) -> Case:
    """A question whose packet gives "Porto", which has the feature x, and "tea", which has y."""
    given = Options((Option("Porto", SAID, (("x", porto),)), Option("tea", SAID, (("y", 1.0),))))
    question = Question("q", "What?", answer=answer, category_code=4, category="single-hop")
    weighed = Weighed(wish_of(Query("What?")), (SAID,), refused=False)
    return Case(dialogue, question, packet, weighed, given)


def test_the_weights_are_those_of_the_hand_made_minimum():
    # one packet, x for the answer and y for the other: log(1 + e^(y - x)) + 3/2 (x² + y²) is least
    # at y = -x with 3x = 1 / (1 + e^(2x)), x = 0.143
    assert fitted([case("Porto")], least=1) == {"x": 0.14, "y": -0.14}


def test_a_feature_that_few_packets_have_is_not_fitted():
    assert fitted([case("Porto")], least=2) == {}
    assert set(fitted([case("Porto"), case("tea")], least=2)) == {"x", "y"}


def test_a_packet_without_any_word_of_the_answer_teaches_nothing():
    assert fitted([case("Porto"), case("a lamp")], least=1) == fitted([case("Porto")], least=1)


def test_a_dialogue_is_read_with_the_weights_of_the_others_alone():
    # by its own weights each would be right; by those of the other both are wrong
    found = [case("Porto", 1), case("tea", 2)]
    assert [s.official for s in left_out(found, least=1)] == [0.0, 0.0]
    assert [
        s.official for s in left_out([*found, case("Porto", 3), case("Porto", 3)], least=1)
    ] == [
        75.0,  # the two of dialogue 3 and that of dialogue 1
        75.0,
    ]


def test_figures_are_means_by_packet_and_category_and_of_all():
    other = replace(case("tea").question, category_code=1, category="multi-hop")
    found = [case("Porto"), replace(case("tea"), question=other), case("Porto", packet=Packet.GOLD)]
    told = [(s.packet, s.category, s.n, s.official) for s in read(found, {"x": 1.0})]
    assert told == [
        (Packet.FOUND, "multi-hop", 1, 0.0),
        (Packet.FOUND, "single-hop", 1, 100.0),
        (Packet.FOUND, "", 2, 50.0),
        (Packet.GOLD, "single-hop", 1, 100.0),
        (Packet.GOLD, "", 1, 100.0),
    ]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        for name in ("one", "two"):
            lines = talk((("Ana: I moved to Porto", "Ben: Porto is lovely", f"Ana: {name}"),))
            number = stored(db, replace(lines, name=name, key=name))
            asked = Question(name, "Where did Ana move?", name, "Porto", 4, "single-hop")
            conversations.add_questions(
                db, number, (replace(asked, evidence_turns=(TurnId(1, 1),)),)
            )
            list(pipeline.build(db, number, PARTS, SAFE, ("edgemem",)))
    return path


def test_each_answerable_question_is_read_as_found_and_with_its_gold_alone(tmp_path: Path):
    with open_workspace(tmp_path / "memcore.db") as db:
        number = stored(db, talk())
        list(pipeline.build(db, number, PARTS, SAFE, ("edgemem",)))
        memory = memories.load_memory(db, number, SAFE)
    reader = ExtractiveReader(RulesAnnotator())
    found = tuple(cases(number, edgemem(memory, SAFE, PARTS), reader, QUESTIONS))
    assert [(c.question.id, c.packet) for c in found] == [
        ("q1", Packet.FOUND),
        ("q1", Packet.GOLD),
        ("q2", Packet.FOUND),
        ("q2", Packet.GOLD),
    ]
    gold = found[3].weighed.found
    assert {m.piece.item for m in gold} == {TurnId(2, 1), TurnId(2, 2)}


def test_the_command_prints_the_weights_and_what_they_give(workspace: Path, capsys):
    assert main(["fit", "--reader", "--workspace", str(workspace)]) == 0
    table = capsys.readouterr().out.splitlines()[-6:]
    assert table[0] == "| packet | weights | single-hop | all |"
    assert table[3] == "| edgemem | weights in use | 100.0 / 100.0 | 100.0 / 100.0 |"
    assert main(["fit", "--reader", "--json", "--workspace", str(workspace)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["weights in use"][0]["n"] == 2


def test_one_dialogue_alone_is_refused(tmp_path: Path, capsys):
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        stored(db, talk())
    assert main(["fit", "--reader", "--workspace", str(path)]) == 1
    assert "expected two or more" in capsys.readouterr().err
