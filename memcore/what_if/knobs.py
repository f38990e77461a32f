"""What a change of each setting costs, and at which stage it first acts: one table.

`instant` takes the reading of the question, all stages before the first one that the setting acts
on and the recorded similarities from the run, and no model. New terminals of AriadneMem may open
gaps whose words were never embedded: those few texts are, and the outcome says how many.
`local` retrieves again, `decisions` and `rebuild` need another build of the memory, `answer`
changes nothing until the reader is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memcore.settings import Settings, changed
from memcore.types import Trace


class Cost(StrEnum):
    """What it takes to know the effect of a change, the cheapest first."""

    INSTANT = "instant"
    LOCAL = "local"
    DECISIONS = "decisions"
    REBUILD = "rebuild"
    ANSWER = "answer"


READING: Final = "reading"
"""The stage before all: the question is read again."""

END: Final = ""
"""No stage of the retrieval: the packet stays as it is."""


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting: its cost, and by family of retrievers the stages that it acts on first.

    A family that it does not act on has no stage.
    """

    cost: Cost
    edgemem: tuple[str, ...] = ()
    ariadnemem: tuple[str, ...] = ()
    ranked: tuple[str, ...] = ()

    def stages(self, retriever: str) -> tuple[str, ...]:
        """Return the stages that the setting acts on first in a retriever."""
        if retriever == "edgemem":
            return self.edgemem
        return self.ariadnemem if retriever.startswith("ariadnemem") else self.ranked


def _core(stage: str = "core") -> Knob:
    return Knob(Cost.INSTANT, edgemem=(stage,))


def _facts(stage: str, cost: Cost = Cost.LOCAL) -> Knob:
    return Knob(cost, ariadnemem=(stage,))


def _written(cost: Cost) -> Knob:
    return Knob(cost, ariadnemem=(READING,))


_PACK: Final = Knob(Cost.INSTANT, edgemem=("pack",), ranked=("pack",))
_MATRIX: Final = Knob(Cost.LOCAL, edgemem=("core",), ranked=("bm25", "sum", "ppr"))

KNOBS: Final[Mapping[str, Knob]] = {
    "gate": _written(Cost.DECISIONS),
    "gate_similarity": _written(Cost.DECISIONS),
    "gate_hours": _written(Cost.DECISIONS),
    "keep_answers": _written(Cost.DECISIONS),
    "window_turns": _written(Cost.REBUILD),
    "window_overlap": _written(Cost.REBUILD),
    "coarsen": _written(Cost.DECISIONS),
    "coarsen_similarity": _written(Cost.DECISIONS),
    "coarsen_overlap": _written(Cost.DECISIONS),
    "link_needs_change": _written(Cost.DECISIONS),
    "link_attribute": _written(Cost.DECISIONS),
    "hashing_gate_similarity": _written(Cost.DECISIONS),
    "hashing_coarsen_similarity": _written(Cost.DECISIONS),
    "fast_paths": _facts("fast_path"),
    "semantic_k": _facts("dense", Cost.INSTANT),
    "lexical_k": _facts("lexical", Cost.INSTANT),
    "fuse_terminals": _facts("terminals", Cost.INSTANT),
    "other_person_factor": _facts("dense"),
    "near_hours": _facts("base_graph"),
    "hub_share": _facts("base_graph"),
    "successors": _facts("base_graph"),
    "bridges": _facts("bridges"),
    "bridge_min_hours": _facts("bridges"),
    "bridge_max_hours": _facts("bridges"),
    "bridge_stored_query": _facts("bridges"),
    "bridge_terminals": _facts("bridges"),
    "bridge_floor": _facts("bridges"),
    "bridge_keeps_ends": _facts("node_budget", Cost.INSTANT),
    "bridge_candidates": _facts("bridges"),
    "mine_paths": _facts("paths", Cost.INSTANT),
    "path_entries": _facts("paths", Cost.INSTANT),
    "path_limit": _facts("paths", Cost.INSTANT),
    "path_prefers_entities": _facts("paths", Cost.INSTANT),
    "entry_budget_min": _facts("node_budget", Cost.INSTANT),
    "entry_budget": _facts("node_budget", Cost.INSTANT),
    "graph_tokens": _facts("serialize", Cost.INSTANT),
    "bm25_k1": Knob(Cost.LOCAL, ("core",), ("lexical",), ("bm25", "sum", "ppr")),
    "bm25_b": Knob(Cost.LOCAL, ("core",), ("lexical",), ("bm25", "sum", "ppr")),
    "core": _core(),
    "co_occurrence": _core("co_occurrence"),
    "temporal": _core("temporal"),
    "entity_weight": _MATRIX,
    "lexical_weight": _MATRIX,
    "character_weight": _core(),
    "week_weight": _core(),
    "time_weight": _core(),
    "key_share": Knob(Cost.LOCAL, edgemem=(READING,), ranked=(READING,)),
    "neighbour_weight": _core(),
    "neighbour_weight_2": _core(),
    "earlier_factor": _core(),
    "answer_factor": _core(),
    "told_weight": _core(),
    "session_weight": _core(),
    "speaker_weight": _core(),
    "rare_keys": _core("co_occurrence"),
    "lead_turns": _core("co_occurrence"),
    "hop_turns": _core("hop"),
    "hop_members": _core("hop"),
    "hop_weight": _core("hop"),
    "date_slack_days": _core(),
    "spread_turns": _core("union"),
    "collect_k": Knob(
        Cost.INSTANT,
        ("core",),
        ("dense",),
        ("bm25", "dense", "recency", "full", "sum", "ppr"),
    ),
    "late_turns": Knob(Cost.LOCAL, ranked=("sum",)),
    "turn_budget": _PACK,
    "token_budget": _PACK,
    "core_share": _core("union"),
    "co_occurrence_share": _core("union"),
    "temporal_share": _core("union"),
    "ppr_damping": Knob(Cost.LOCAL, ranked=("ppr",)),
    "ppr_dense_share": Knob(Cost.LOCAL, ranked=("ppr",)),
    "rrf_k": Knob(Cost.INSTANT, ariadnemem=("terminals",), ranked=("fusion",)),
    "refusal_floor": Knob(Cost.ANSWER, (END,), (END,), (END,)),
    "premise_margin": Knob(Cost.ANSWER, (END,), (END,), (END,)),
    "premise_limit": Knob(Cost.ANSWER, (END,), (END,), (END,)),
    "parallel_calls": _written(Cost.REBUILD),
}
"""Every field of `Settings`; the groups of the page, the README and the recomputation read it."""

MATRIX_FIELDS: Final = frozenset(
    {"bm25_k1", "bm25_b", "entity_weight", "lexical_weight", "key_share", "hub_share"}
)
"""The fields that are inside an index: a retriever is made anew for them."""


def acting(trace: Trace) -> tuple[str, ...]:
    """Return the settings that act on the retriever of a trace, in field order."""
    names = {step.name for step in trace.steps} | {READING, END}
    return tuple(
        name for name, knob in KNOBS.items() if names.intersection(knob.stages(trace.retriever))
    )


def moved(settings: Settings, trace: Trace) -> tuple[str, ...]:
    """Return the settings that differ from those of a run and act on its retriever."""
    known = {name for name, knob in KNOBS.items() if knob.stages(trace.retriever)}
    return tuple(name for name, _, _ in changed(settings, trace.settings) if name in known)


def cost_of(names: tuple[str, ...]) -> Cost:
    """Return the cost of several changes: the dearest of retrieval, else of the answer."""
    order = (Cost.REBUILD, Cost.DECISIONS, Cost.LOCAL, Cost.INSTANT, Cost.ANSWER)
    found = {KNOBS[name].cost for name in names}
    return next((cost for cost in order if cost in found), Cost.INSTANT)


def first_stage(names: tuple[str, ...], trace: Trace) -> int:
    """Return the place of the first recorded step that one of the settings acts on."""
    wanted = {stage for name in names for stage in KNOBS[name].stages(trace.retriever)}
    if READING in wanted:
        return 0
    places = (n for n, step in enumerate(trace.steps) if step.name in wanted)
    return next(places, len(trace.steps))


def groups(trace: Trace) -> Iterator[tuple[Cost, tuple[str, ...]]]:
    """Yield each cost with the settings of that cost that act on the retriever of a trace."""
    here = acting(trace)
    for cost in Cost:
        names = tuple(name for name in here if KNOBS[name].cost is cost)
        if names:
            yield cost, names
