"""Coverage and invention of the local extractor over cases labelled by hand.

Only the last turn of a case is judged. Every entry of that turn must say one of the case's facts;
one that says none of them counts as invented. Optional facts may be said and may be left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memcore.evolution.extract import LocalExtractor
from memcore.types import Annotation, Entry, SaidTime, Turn, TurnId

CASES = Path(__file__).resolve().parents[1] / "cases"
NOON = SaidTime(datetime(2023, 5, 8, 12, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Result:
    wanted: int
    covered: int
    entries: int
    invented: int
    remarks: tuple[str, ...]


def says(entry: Entry, fact: dict[str, object]) -> bool:
    has = fact["has"]
    assert isinstance(has, list)
    if not all(str(words).casefold() in entry.restatement.casefold() for words in has):
        return False
    fields = ("subject", "attribute", "value", "modality")
    return all(str(getattr(entry, name)) == fact[name] for name in fields if name in fact)


def turns_of(lines: list[str]) -> list[Turn]:
    turns = []
    for n, line in enumerate(lines, 1):
        speaker, _, rest = line.partition(": ")
        text, _, caption = rest.partition(" || ")
        turns.append(Turn(TurnId(1, n), speaker, text, caption, NOON))
    return turns


def judge(path: Path, language: str) -> Result:
    wanted = covered = entries = invented = 0
    remarks = []
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        turns = turns_of(case["turns"])
        annotations = [Annotation(t.id, language=language) for t in turns]
        found = LocalExtractor().extract(turns, annotations, ())
        found = tuple(e for e in found if e.source_turns == (turns[-1].id,))
        facts = case["facts"]
        missed = [f for f in facts if not f.get("optional") and not any(says(e, f) for e in found)]
        wrong = [e for e in found if not any(says(e, f) for f in facts)]
        required = sum(not f.get("optional") for f in facts)
        wanted, covered = wanted + required, covered + required - len(missed)
        entries, invented = entries + len(found), invented + len(wrong)
        remarks += [f"missed {f['has']} in {case['turns'][-1]}" for f in missed]
        remarks += [
            f"invented {e.restatement} |{e.subject}|{e.attribute}|{e.value}|{e.modality}"
            for e in wrong
        ]
    return Result(wanted, covered, entries, invented, tuple(remarks))


@pytest.mark.parametrize(
    ("name", "language", "cases"), [("extraction_en", "en", 60), ("extraction_zh", "zh", 80)]
)
def test_most_facts_are_found_and_few_are_invented(name: str, language: str, cases: int) -> None:
    path = CASES / f"{name}.jsonl"
    assert len(path.read_text(encoding="utf-8").splitlines()) >= cases
    result = judge(path, language)
    assert result.covered >= 0.8 * result.wanted, result.remarks
    assert result.invented <= 0.05 * result.entries, result.remarks
