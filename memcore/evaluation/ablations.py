"""Ablations: systems of which one thing is switched off by settings, `edgemem~no-temporal`.

One table says what each switch is; the command line, the page and the tests read it. Calendar
anchors (day to year) have one switch, `dates`: a question's range is held against times, in
whatever grain it was named, so that leaving out one kind of them alone changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from memcore.errors import MemcoreError
from memcore.settings import Settings

Changes = Mapping[str, bool | int | float]

MARK: Final = "~no-"

_CHANNELS: Final[Mapping[str, Changes]] = {
    "core": {"core": False},
    "co_occurrence": {"co_occurrence": False},
    "hop": {"hop_turns": 0},
    "temporal": {"temporal": False, "week_weight": 0.0, "time_weight": 0.0},
    "temporal_list": {"temporal": False},
}
_ANCHORS: Final[Mapping[str, Changes]] = {
    "entity": {"entity_weight": 0.0, "hop_turns": 0},
    "lexical": {"lexical_weight": 0.0},
    "speaker": {"speaker_weight": 0.0},
    "session": {"session_weight": 0.0},
    "neighbours": {"neighbour_weight": 0.0, "neighbour_weight_2": 0.0},
    "dates": {"week_weight": 0.0},
}
_ARIADNEMEM: Final[Mapping[str, Changes]] = {
    "fast_paths": {"fast_paths": False},
    "successors": {"successors": False},
    "bridges": {"bridges": False},
    "paths": {"mine_paths": False},
    "fusion": {"fuse_terminals": False},
    "gate": {"gate": False},
    "coarsening": {"coarsen": False},
}

ABLATIONS: Final[Mapping[str, Mapping[str, Changes]]] = {
    "edgemem": {**_CHANNELS, **_ANCHORS},
    "ariadnemem-safe": _ARIADNEMEM,
    "ariadnemem-paper": {k: _ARIADNEMEM[k] for k in ("fast_paths", "bridges", "paths", "gate")},
    "bm25": {k: _ANCHORS[k] for k in ("entity", "lexical")},
}
"""The switches of each system: what is off, and the settings that say so."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A system as it is named in a plan: the retriever and the settings that are changed."""

    name: str
    retriever: str
    changes: Changes

    def settings(self, base: Settings) -> Settings:
        """Return the settings of the variant."""
        return changed(base, self.changes)


def variant(name: str) -> Variant:
    """Return the variant of a name: a retriever, or a retriever with one thing off.

    Raises:
        MemcoreError: if an ablation is not in the table.
    """
    retriever, _, off = name.partition(MARK)
    if not off:
        return Variant(name, retriever, {})
    known = ABLATIONS.get(retriever, {})
    if off not in known:
        msg = f"{name} is no ablation; expected one of {', '.join(names(retriever)) or 'none'}"
        raise MemcoreError(msg)
    return Variant(name, retriever, known[off])


def names(retriever: str) -> tuple[str, ...]:
    """Return the names of all ablations of a retriever."""
    return tuple(f"{retriever}{MARK}{off}" for off in ABLATIONS.get(retriever, {}))


def changed(base: Settings, changes: Mapping[str, object]) -> Settings:
    """Return settings with some fields changed; a whole number stands for a fraction too.

    Raises:
        MemcoreError: if there is no such field, or its value is out of range.
    """
    known = {f.name for f in fields(base)}
    unknown = sorted(set(changes) - known)
    if unknown:
        msg = f"there is no setting {unknown[0]!r}; expected one of {', '.join(sorted(known))}"
        raise MemcoreError(msg)
    return replace(base, **changes)  # type: ignore[arg-type]  # the names are fields; values check
