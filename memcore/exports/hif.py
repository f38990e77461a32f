"""The hypergraph in the Hypergraph Interchange Format: turns as nodes, anchors as edges.

A turn that lies in a calendar anchor twice, as said then and as speaking of then, is one incidence
with both roles, since the format knows a pair of edge and node once.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from memcore.exports.choice import About
from memcore.types import Hyperedge, Membership, Memory, TurnId


def hif(memory: Memory, about: Sequence[About] = ()) -> str:
    """Return the hypergraph as HIF JSON; an incidence weighs how often the turn holds the key."""
    plain = {
        "network-type": "undirected",
        "metadata": {
            "name": memory.conversation.name,
            "fingerprint": memory.fingerprint,
            **{a.name.replace(" ", "_"): a.value for a in about},
        },
        "nodes": [
            {
                "node": str(t.id),
                "attrs": {
                    "speaker": t.speaker,
                    "text": t.content,
                    "said_at": t.said_at.isoformat() if t.said_at else None,
                },
            }
            for t in memory.conversation.turns
        ],
        "edges": [
            {
                "edge": str(h.id),
                "attrs": {"kind": h.anchor.kind.value, "key": h.anchor.key, "label": h.label},
            }
            for h in memory.hypergraph.hyperedges
        ],
        "incidences": [
            {
                "edge": str(h.id),
                "node": str(turn),
                "weight": sum(m.count for m in members),
                "attrs": {"roles": [m.role.value for m in members if m.role.value]},
            }
            for h in memory.hypergraph.hyperedges
            for turn, members in _by_turn(h).items()
        ],
    }
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def _by_turn(edge: Hyperedge) -> dict[TurnId, list[Membership]]:
    found: defaultdict[TurnId, list[Membership]] = defaultdict(list)
    for membership in edge.memberships:
        found[membership.turn].append(membership)
    return found
