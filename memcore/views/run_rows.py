"""The list of runs: its rows, its facets, and which runs match them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memcore.store.runs import Run
from memcore.views.strings import minute, say


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run as the list shows it."""

    run: int
    pinned: str
    name: str
    retriever: str
    preset: str
    outcome: str
    tokens: int
    seconds: float
    notes: int
    made: str


def matching(runs: Sequence[Run], facets: Mapping[str, str]) -> tuple[Run, ...]:
    """Return the runs whose words hold the search and whose columns are those chosen."""
    wanted = facets.get("q", "").casefold().strip()
    return tuple(
        run
        for run in runs
        if wanted in f"{run.id} {run.name} {run.question} {run.answer}".casefold()
        and facets.get("retriever", run.retriever) == run.retriever
        and facets.get("preset", run.preset) == run.preset
        and facets.get("outcome", run.outcome) == run.outcome
        and (not facets.get("pinned") or run.pinned)
    )


def rows(runs: Sequence[Run], notes: Mapping[int, int], language: str = "") -> tuple[RunRow, ...]:
    """Return the runs as rows, in their order."""
    return tuple(
        RunRow(
            run.id,
            "★" if run.pinned else "",
            f"{run.name} · {run.question}" if run.name else run.question,
            run.retriever if run.as_of is None else f"{run.retriever} · D{run.as_of}",
            run.preset,
            say(f"outcome.{run.outcome}", language),
            run.tokens,
            round(sum(run.milliseconds) / 1000, 2),
            notes.get(run.id, 0),
            minute(run.created_at, language) if run.created_at else "",
        )
        for run in runs
    )


def values(runs: Sequence[Run], name: str) -> tuple[str, ...]:
    """Return the values that a facet can take among these runs, sorted."""
    return tuple(sorted({str(getattr(run, name)) for run in runs}))


def command(run: int, to: str, options: Mapping[str, str], workspace: str) -> str:
    """Return the line that makes the same file in a terminal; options at their default are left out.

    >>> command(17, "html", {"redaction": "ids", "scope": "whole"}, "my work.db")
    "memcore export 17 --to html --redaction ids --workspace 'my work.db'"
    """
    usual = {"redaction": "full", "scope": "whole", "language": "en"}
    chosen = [f"--{name} {value}" for name, value in options.items() if usual[name] != value]
    return " ".join(
        ["memcore export", str(run), "--to", to, *chosen, "--workspace", shlex.quote(workspace)]
    )
