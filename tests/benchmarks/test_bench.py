from __future__ import annotations

import json

import pytest

from memcore.bench.copies import Annotated, joined, repeated
from memcore.cli import main
from memcore.types import Annotation, Conversation
from tests.retrieval.small import annotation, talk

SMALL = talk("Ann: tea in Porto tea\nBob: milk @2023-06-01", "Ann: tea ?")


def annotated(whole: Conversation) -> Annotated:
    notes = tuple(annotation(turn) for turn in whole.turns)
    return Annotated(whole, notes)


def keys(note: Annotation) -> list[str]:
    return [mention.key for mention in note.mentions]


def test_the_first_copy_is_the_source_and_the_last_is_cut_to_the_size():
    whole = repeated(annotated(SMALL), 7, seed=0)
    assert [str(t.id) for t in whole.conversation.turns] == [
        "D1:1", "D1:2", "D2:1", "D3:1", "D3:2", "D4:1", "D5:1",
    ]  # fmt: skip
    assert whole.conversation.turns[:3] == SMALL.turns
    assert [n.turn for n in whole.annotations] == [t.id for t in whole.conversation.turns]


def test_a_renamed_key_is_renamed_in_the_text_too_and_spans_still_point_at_their_words():
    source = annotated(SMALL)
    whole = repeated(source, 30, seed=0)
    renamed = 0
    for turn, note in zip(whole.conversation.turns, whole.annotations, strict=True):
        for mention in note.mentions:
            tail = mention.key.removeprefix("tea").removeprefix("milk").removeprefix("porto")
            assert turn.content[mention.start : mention.end].endswith(tail)
            renamed += bool(tail)
    assert renamed > 0


def test_equal_seeds_give_equal_dialogues_and_other_seeds_other_words():
    source = annotated(SMALL)
    assert repeated(source, 30, seed=1) == repeated(source, 30, seed=1)
    assert repeated(source, 30, seed=1) != repeated(source, 30, seed=2)


def test_each_copy_takes_place_later():
    whole = repeated(annotated(SMALL), 6, seed=0).conversation
    times = [turn.said_at for turn in whole.turns]
    assert times == sorted(times)
    assert times[3] > times[2]


def test_joined_dialogues_number_their_sessions_on():
    one = annotated(SMALL)
    both = joined([one, one], "both")
    assert [s.index for s in both.conversation.sessions] == [1, 2, 3, 4]
    assert keys(both.annotations[3]) == keys(one.annotations[0])


def test_the_command_measures_every_system_at_every_size(capsys, sample_data):
    file = str(sample_data / "english.json")
    assert main(["bench", file, "--sizes", "20,40", "--questions", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    rows = [(q["turns"], q["system"]) for q in report["queries"]]
    systems = ["edgemem", "best-lexical", "bm25", "bm25s", "bm25s retrieve"]
    assert rows == [(size, name) for size in (20, 40) for name in systems]
    assert [b["turns"] for b in report["builds"]] == [20, 40]
    assert [a["step"] for a in report["additions"]] == [
        "annotate", "hypergraph", "all",
    ] * 2  # fmt: skip


def test_the_command_refuses_sizes_that_are_none(capsys):
    with pytest.raises(SystemExit) as end:
        main(["bench", "--sizes", "none"])
    assert end.value.code == 2
    assert "expected numbers of turns" in capsys.readouterr().err
