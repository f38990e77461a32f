"""A run as a small test file: the same question, asked again, must keep its evidence.

Where the run did not keep it, the test is marked as the failure that is expected: it turns red on
the day the memory finds the evidence, and the mark is then taken off.
With the words of the dialogue in it, the file stands alone: it builds the memory in a folder of
its own and passes anywhere. Where no text may go out, or the memory holds facts, which a model
may have written, it reads dialogue and question from the workspace beside it.
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
from datetime import {clock}datetime
from pathlib import Path

import pytest

from memcore import RETRIEVERS, SAFE, ask, {build}load_memory, offline_parts, open_workspace
{imports}
{source}
SETTINGS = replace(SAFE{changed})
EVIDENCE = {evidence}

{mark}
def test_run_{run}_keeps_its_evidence({folder}):
{load}        memory = load_memory(db, {dialogue}, SETTINGS, {as_of})
        question = {question}
    retriever = RETRIEVERS[{system!r}](memory, SETTINGS, offline_parts({language!r}))
    asked_at = {asked_at}
    *_, reply = ask(memory, question, retriever, None, asked_at, {as_of})
    packed = {{str(turn) for span in reply.context.spans for turn in span.sources}}
    assert packed >= EVIDENCE
'''


_LOAD_RUN: Final = "from memcore.store.runs import load_run\n"
_WORKSPACE: Final = 'WORKSPACE = Path("memcore.db")'
_IMPORTS: Final = """from memcore.store import conversations
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
"""
_OPEN: Final = "    with open_workspace(WORKSPACE, read_only=True) as db:\n"
_BUILD: Final = """    told = read((Source("dialogue.json", DIALOGUE.encode()),), Options())
    with open_workspace(Path(tmp_path) / "memcore.db") as db:
        (dialogue,) = conversations.save(db, told, datetime(2000, 1, 1, tzinfo=UTC)).dialogues
        list(build(db, dialogue, offline_parts({language!r}), SETTINGS, ("edgemem",)))
"""


def regression(
    records: Records, evidence: Sequence[TurnId], about: Sequence[About] = (), dialogue: str = ""
) -> str:
    """Return the source of a pytest file for a run.

    Args:
        records: the run; without a question, the test reads it from the stored run.
        evidence: the turns that must be packed; without any, those that the run packed.
        about: what the file says of itself, as comments.
        dialogue: the dialogue in the own format, to be built by the test; without it, the test
            reads the workspace beside it.
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
        build="build, " if dialogue else "",
        clock="UTC, " if dialogue else "",
        imports=_IMPORTS if dialogue else _LOAD_RUN * (not run.question),
        source=f"DIALOGUE = {dialogue!r}" if dialogue else _WORKSPACE,
        folder="tmp_path" if dialogue else "",
        load=_BUILD.format(language=run.query.language) if dialogue else _OPEN,
        count=len(wanted),
        changed="".join(_changed(run.settings)),
        evidence=_set(wanted),
        mark=mark,
        dialogue="dialogue" if dialogue else run.dialogue,
        language=run.query.language,
        question=repr(run.question) if run.question else f"load_run(db, {run.id}).trace.question",
        asked_at=f"datetime.fromisoformat({asked_at.isoformat()!r})" if asked_at else None,
        as_of=run.as_of,
    )
    return text.replace("import pytest\n\n", "", 1) if kept else text


def _changed(settings: Settings) -> list[str]:
    names = [f.name for f in fields(settings)]
    pairs = [(name, getattr(settings, name), getattr(SAFE, name)) for name in names]
    return [f", {name}={value!r}" for name, value, safe in pairs if value != safe]


def _set(turns: Sequence[TurnId]) -> str:
    return "{" + ", ".join(repr(str(turn)) for turn in turns) + "}" if turns else "set()"
