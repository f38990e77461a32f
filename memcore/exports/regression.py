"""A run as a small test file: the same question, asked again, must keep its evidence.

Where the run did not keep it, the test is marked as the failure that is expected: it turns red on
the day the memory finds the evidence, and the mark is then taken off.
Where no text may go out, the test reads its question from the stored run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from memcore.exports.choice import About
from memcore.settings import SAFE, Settings
from memcore.store.records import Records
from memcore.types import TurnId

_FILE: Final = '''"""Run {run} of memcore as a test: {count} turns of evidence reach the packet."""
{about}
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from memcore import RETRIEVERS, SAFE, ask, load_memory, offline_parts, open_workspace
{load_run}
WORKSPACE = Path("memcore.db")
SETTINGS = replace(SAFE{changed})
EVIDENCE = {evidence}

{mark}
def test_run_{run}_keeps_its_evidence():
    with open_workspace(WORKSPACE, read_only=True) as db:
        memory = load_memory(db, {dialogue}, SETTINGS, {as_of})
        question = {question}
    retriever = RETRIEVERS[{system!r}](memory, SETTINGS, offline_parts({language!r}))
    asked_at = {asked_at}
    *_, reply = ask(memory, question, retriever, None, asked_at, {as_of})
    packed = {{str(turn) for span in reply.context.spans for turn in span.sources}}
    assert packed >= EVIDENCE
'''


def regression(records: Records, evidence: Sequence[TurnId], about: Sequence[About] = ()) -> str:
    """Return the source of a pytest file for a run.

    Args:
        records: the run; without a question, the test reads it from the stored run.
        evidence: the turns that must be packed; without any, those that the run packed.
        about: what the file says of itself, as comments.
    """
    run = records.run
    packed = {turn for span in records.span for turn in span.sources}
    wanted = sorted(evidence) or sorted(packed)
    kept = set(wanted) <= packed
    mark = "" if kept else '@pytest.mark.xfail(reason="the run did not pack it", strict=True)'
    asked_at = run.query.asked_at
    text = _FILE.format(
        run=run.id,
        system=run.retriever,
        about="".join(f"# {a.name}: {a.value}\n" for a in about),
        load_run="" if run.question else "from memcore.store.runs import load_run\n",
        count=len(wanted),
        changed="".join(_changed(run.settings)),
        evidence=_set(wanted),
        mark=mark,
        dialogue=run.dialogue,
        language=run.query.language,
        question=repr(run.question) if run.question else f"load_run(db, {run.id}).trace.question",
        asked_at=f"datetime.fromisoformat({asked_at.isoformat()!r})" if asked_at else None,
        as_of=run.as_of,
    )
    return text.replace("import pytest\n\n", "") if kept else text


def _changed(settings: Settings) -> list[str]:
    names = [f.name for f in fields(settings)]
    pairs = [(name, getattr(settings, name), getattr(SAFE, name)) for name in names]
    return [f", {name}={value!r}" for name, value, safe in pairs if value != safe]


def _set(turns: Sequence[TurnId]) -> str:
    return "{" + ", ".join(repr(str(turn)) for turn in turns) + "}" if turns else "set()"
