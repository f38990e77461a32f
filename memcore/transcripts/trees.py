"""Chats that branch: the one path that the last reader saw, from its leaf up to the root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memcore.transcripts.codes import Warn
from memcore.transcripts.notes import Notes

NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Node:
    """A message in a tree: its parent, its place among the children, its time."""

    id: str
    parent: str = ""
    n: int = 0
    at: datetime | None = None


def path(nodes: Sequence[Node], current: str, notes: Notes) -> tuple[str, ...]:
    """Return the ids from the root to the current leaf; without a mark, to the latest leaf."""
    known = {node.id: node for node in nodes}
    if current not in known:
        notes.warn(Warn.NO_CURRENT_NODE)
        current = _latest(nodes, known)
    return _up(current, known, notes)


def _up(leaf: str, known: Mapping[str, Node], notes: Notes | None) -> tuple[str, ...]:
    found: dict[str, None] = {}
    at = leaf
    while at:
        if at in found or at not in known:
            if notes is not None:
                notes.warn(Warn.DANGLING_PARENT)
            break
        found[at] = None
        at = known[at].parent
    return tuple(reversed(found))


def _latest(nodes: Sequence[Node], known: Mapping[str, Node]) -> str:
    parents = {node.parent for node in nodes}
    leaves = [node for node in nodes if node.id not in parents] or list(nodes)
    if not leaves:
        return ""
    best = max(leaf.at or NEVER for leaf in leaves)
    tied = [leaf for leaf in leaves if (leaf.at or NEVER) == best]
    if len(tied) == 1:
        return tied[0].id
    return max(tied, key=lambda leaf: [known[i].n for i in _up(leaf.id, known, None)]).id
