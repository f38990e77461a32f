"""The sample files as they lie on the disk: well formed, and true to their README."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

DIALOGUES = {"english": (12, 188, 30, 5), "chinese": (6, 90, 12, 2)}


def sessions(folder: Path, name: str) -> list[dict]:
    document = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return document["conversations"][0]["sessions"]


def questions(folder: Path, name: str) -> list[dict]:
    lines = (folder / f"{name}.questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def places(folder: Path, name: str) -> set[str]:
    return {
        f"D{s}:{t}"
        for s, session in enumerate(sessions(folder, name), 1)
        for t, _ in enumerate(session["turns"], 1)
    }


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_sample_has_the_sessions_turns_and_questions_that_its_readme_names(sample_data, name):
    asked = questions(sample_data, name)
    abstain = sum(q["abstain"] for q in asked)
    found = sessions(sample_data, name)
    turns = sum(len(s["turns"]) for s in found)
    assert (len(found), turns, len(asked), abstain) == DIALOGUES[name]
    row = next(
        line
        for line in (sample_data / "README.md").read_text(encoding="utf-8").splitlines()
        if f"`{name}.json`" in line
    )
    numbers = [int(n) for n in re.findall(r"(?:^|(?<=\| )|which )(\d+)", row)]
    assert numbers == list(DIALOGUES[name])


@pytest.mark.parametrize("name", DIALOGUES)
def test_turns_come_in_the_order_of_their_clock(sample_data, name):
    times = [t["time"]["local"] for s in sessions(sample_data, name) for t in s["turns"]]
    assert times == sorted(times)


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_turn_has_at_most_three_sentences(sample_data, name):
    for session in sessions(sample_data, name):
        for turn in session["turns"]:
            assert len(re.findall(r"[.?!。？！]+(?=\s|$|\S)", turn["text"])) <= 3, turn["text"]


@pytest.mark.parametrize("name", DIALOGUES)
def test_every_place_of_evidence_exists_and_only_the_unanswerable_have_none(sample_data, name):
    known = places(sample_data, name)
    for question in questions(sample_data, name):
        assert set(question["evidence"]) <= known
        assert question["abstain"] == (not question["evidence"]) == ("answer" not in question)


def test_every_turn_and_question_of_the_table_of_mechanisms_exists(sample_data):
    rows = [
        [cell.split() for cell in line.strip("|").split("|")]
        for line in (sample_data / "README.md").read_text(encoding="utf-8").splitlines()
        if re.search(r"\| D\d", line)
    ]
    assert len(rows) == 16
    for column, name in ((1, "english"), (3, "chinese")):
        ids = {q["id"] for q in questions(sample_data, name)}
        known = places(sample_data, name)
        for row in rows:
            assert set(row[column]) <= known
            assert set(row[column + 1]) <= ids
