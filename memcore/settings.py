"""Settings: every number that changes a result, with its source and its trade.

`PAPER` follows the equations as printed; `SAFE` differs only where a measurement or a clear loss
asks for it, and is what `Settings()` gives. Both differ in AriadneMem's fields only.
Addresses, keys and colours travel elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from enum import StrEnum
from typing import Final

from memcore.errors import SettingsError


class Source(StrEnum):
    """Where a default comes from."""

    PAPER = "paper"
    PROTOTYPE = "released prototype"
    MEASURED = "measured"
    CHOSEN = "chosen"


def by(
    source: Source, note: str, low: float | None = None, high: float | None = None
) -> Mapping[str, object]:
    """Return the metadata of a field: its source, its trade, and its range (both ends allowed)."""
    return {"source": source, "note": note, "low": low, "high": high}


_P, _R, _M, _C = Source.PAPER, Source.PROTOTYPE, Source.MEASURED, Source.CHOSEN
_UNLIMITED: Final = 1e9


@dataclass(frozen=True, slots=True)
class Settings:
    """All numbers of both memories, checked when made; the defaults are the `safe` preset.

    Raises:
        SettingsError: if a number is outside its range.
    """

    # AriadneMem, phase I
    gate: bool = field(default=True, metadata=by(_P, "redundancy gate on; off keeps every turn"))
    gate_similarity: float = field(
        default=0.8, metadata=by(_M, "Eq. 3; lower drops more; 0.6 drops 3.9 % of gold turns", 0, 1)
    )
    gate_hours: float = field(
        default=1.0, metadata=by(_P, "Eq. 3, delta_short; longer drops more", 0, _UNLIMITED)
    )
    keep_answers: bool = field(
        default=True, metadata=by(_C, "a turn that answers the turn before is never gated")
    )
    window_turns: int = field(default=20, metadata=by(_P, "turns an extraction window", 1, 200))
    window_overlap: int = field(
        default=2, metadata=by(_R, "turns shared by neighbouring windows", 0, 100)
    )
    coarsen: bool = field(default=True, metadata=by(_P, "coarsening on; off adds every entry"))
    coarsen_similarity: float = field(
        default=0.7, metadata=by(_P, "Eq. 5, lambda_coal; lower compares more", 0, 1)
    )
    coarsen_overlap: float = field(
        default=0.8, metadata=by(_R, "Eq. 5, lambda_ovlp; lower merges more", 0, 1)
    )
    link_needs_change: bool = field(
        default=True,
        metadata=by(_C, "link only where subject and attribute agree and the value differs"),
    )
    link_attribute: bool = field(
        default=True,
        metadata=by(_C, "another value of a one-valued attribute links below the similarity too"),
    )
    hashing_gate_similarity: float = field(
        default=0.9, metadata=by(_C, "gate_similarity of the hashing embedder", 0, 1)
    )
    hashing_coarsen_similarity: float = field(
        default=0.5, metadata=by(_C, "coarsen_similarity of the hashing embedder", 0, 1)
    )

    # AriadneMem, phase II
    fast_paths: bool = field(default=True, metadata=by(_P, "section 2.3; off always retrieves"))
    semantic_k: int = field(default=20, metadata=by(_P, "Eq. 7, terminals by cosine", 0, 1000))
    lexical_k: int = field(default=5, metadata=by(_P, "Eq. 7, terminals by BM25", 0, 1000))
    fuse_terminals: bool = field(
        default=True,
        metadata=by(
            _M,
            "Eq. 7 has no order: both lists ranked by fusion, else cosine first;"
            " R@10 on conv-26 of LoCoMo 61.0 and 46.6",
        ),
    )
    other_person_factor: float = field(
        default=0.8, metadata=by(_C, "score factor of entries without the asked person", 0, 1)
    )
    near_hours: float = field(
        default=6.0, metadata=by(_P, "Eq. 8, delta_time: facts nearer than this are joined", 0)
    )
    hub_share: float = field(
        default=0.2,
        metadata=by(_C, "entities in more entries than this share join nothing; 1 = none", 0, 1),
    )
    successors: bool = field(
        default=True, metadata=by(_C, "stored links and the successors of replaced facts join")
    )
    bridges: bool = field(default=True, metadata=by(_P, "Eq. 9; off leaves the islands apart"))
    bridge_min_hours: float = field(default=1.0, metadata=by(_P, "Eq. 9, shortest gap", 0))
    bridge_max_hours: float = field(
        default=_UNLIMITED,
        metadata=by(_M, "Eq. 9, longest gap; 47 % of LoCoMo session gaps exceed 168 h", 0),
    )
    bridge_stored_query: bool = field(
        default=False,
        metadata=by(
            _P,
            "off embeds Eq. 9's words, a text a gap; on the mean of both facts' stored vectors"
            " asks: quicker, but it misses the planned bridge of the sample",
        ),
    )
    bridge_terminals: int = field(
        default=3,
        metadata=by(
            _M,
            "only gaps between so many of the best terminals are searched, each a text to embed;"
            " on two LoCoMo dialogues context recall is 62.8 with 3 and 61.7 with 5, at 122 and"
            " 306 ms; more facts in their place give 66.7: see ariadnemem-best",
            2,
            2000,
        ),
    )
    bridge_floor: float = field(
        default=0.0,
        metadata=by(_C, "least cosine of a bridge with its gap; 0 lets the best inside win", 0, 1),
    )
    bridge_keeps_ends: bool = field(
        default=False,
        metadata=by(_C, "both ends of a bridge are never cut; off cuts them by rank"),
    )
    bridge_candidates: int = field(default=5, metadata=by(_P, "Eq. 9, facts a gap", 1, 100))
    mine_paths: bool = field(default=True, metadata=by(_P, "Eq. 10; off serializes facts only"))
    path_entries: int = field(default=3, metadata=by(_P, "Eq. 10, L: most nodes a path", 2, 8))
    path_limit: int = field(default=10, metadata=by(_R, "most paths serialized", 0, 1000))
    path_prefers_entities: bool = field(
        default=True,
        metadata=by(_C, "of equal length, paths with fewer edges of mere nearness in time first"),
    )
    entry_budget_min: int = field(default=8, metadata=by(_P, "fewest nodes kept", 1, 1000))
    entry_budget: int = field(default=25, metadata=by(_P, "most nodes kept", 1, 1000))
    graph_tokens: int = field(
        default=500,
        metadata=by(
            _C,
            "hard cap of the serialized graph, tokens; the paper reports 460 to 916",
            50,
            100_000,
        ),
    )

    # BM25 of all lexical channels
    bm25_k1: float = field(default=0.9, metadata=by(_M, "saturation of repeated keys", 0, 10))
    bm25_b: float = field(default=0.3, metadata=by(_M, "length normalisation", 0, 1))

    # EdgeMem
    core: bool = field(default=True, metadata=by(_P, "episodic core channel on"))
    co_occurrence: bool = field(default=True, metadata=by(_P, "co-occurrence channel on"))
    temporal: bool = field(default=True, metadata=by(_P, "temporal channel on"))
    entity_weight: float = field(
        default=1.0, metadata=by(_M, "factor of entity anchors; prototype 2.0", 0, 10)
    )
    lexical_weight: float = field(default=1.0, metadata=by(_R, "factor of lexical anchors", 0, 10))
    character_weight: float = field(
        default=0.2,
        metadata=by(_M, "a character that a Chinese word shares with one of the question", 0, 10),
    )
    week_weight: float = field(
        default=1.0,
        metadata=by(_M, "a turn in the question's date range; prototype 1.5", 0, 10),
    )
    time_weight: float = field(
        default=0.25,
        metadata=by(_M, "a turn that names a time, where the question asks when", 0, 10),
    )
    key_share: float = field(
        default=0.2, metadata=by(_C, "keys in more turns than this share do not score", 0, 1)
    )
    neighbour_weight: float = field(
        default=0.4, metadata=by(_M, "turns one before and after", 0, 10)
    )
    neighbour_weight_2: float = field(
        default=0.2, metadata=by(_M, "turns two before and after", 0, 10)
    )
    earlier_factor: float = field(
        default=1.0, metadata=by(_M, "factor of the earlier neighbours; 1.5 ranks lower", 0, 10)
    )
    answer_factor: float = field(
        default=2.5,
        metadata=by(_M, "further factor of the turn before where it asks a question", 0, 10),
    )
    told_weight: float = field(
        default=0.1, metadata=by(_M, "a turn that does not end with a question", 0, 10)
    )
    session_weight: float = field(default=0.4, metadata=by(_M, "BM25 of the session", 0, 10))
    speaker_weight: float = field(default=0.2, metadata=by(_M, "named speaker", 0, 10))
    rare_keys: int = field(
        default=2, metadata=by(_M, "the question's rarest keys that co-occurrence follows", 1, 100)
    )
    lead_turns: int = field(
        default=8,
        metadata=by(_M, "co-occurrence leaves the sessions of the core's best turns", 0, 1000),
    )
    hop_turns: int = field(
        default=1, metadata=by(_M, "the core's best turns that a hop starts from", 0, 100)
    )
    hop_members: int = field(
        default=5, metadata=by(_C, "a hop follows entity keys of at most so many turns", 2, 1000)
    )
    hop_weight: float = field(
        default=0.5, metadata=by(_C, "score of a hop beside a key of the question", 0, 10)
    )
    date_slack_days: int = field(
        default=14, metadata=by(_M, "forward slack of a date range, at half weight", 0, 3650)
    )
    spread_turns: int = field(
        default=0,
        metadata=by(
            _M,
            "list and count questions take so many turns of each session before more of any;"
            " 0 = by score alone: 1 costs them 13 points of R@10, 4 costs 1",
            0,
            1000,
        ),
    )
    collect_k: int = field(
        default=200, metadata=by(_C, "candidates a channel lists; the rest is counted", 1)
    )
    late_turns: int = field(
        default=800,
        metadata=by(
            _C,
            "`best` compares tokens only for so many turns, the best by its other terms",
            1,
        ),
    )
    turn_budget: int = field(default=20, metadata=by(_C, "most turns in the packet", 1))
    token_budget: int = field(default=2500, metadata=by(_C, "most tokens in the packet", 50))
    core_share: float = field(default=0.6, metadata=by(_C, "budget share of the core", 0, 1))
    co_occurrence_share: float = field(
        default=0.2, metadata=by(_M, "budget share of co-occurrence", 0, 1)
    )
    temporal_share: float = field(
        default=0.2, metadata=by(_M, "budget share of temporal evidence", 0, 1)
    )

    # Baselines, reader
    rrf_k: int = field(default=60, metadata=by(_C, "constant of reciprocal rank fusion", 1))
    ppr_damping: float = field(
        default=0.5, metadata=by(_C, "PageRank's chance to walk on; HippoRAG's value", 0, 0.99)
    )
    ppr_dense_share: float = field(
        default=0.05,
        metadata=by(_C, "PageRank's start at turns near in vectors, against 1 at keys", 0),
    )
    refusal_floor: float = field(
        default=0.0,
        metadata=by(_C, "share of the question's keys that some item must hold, by rarity", 0, 1),
    )
    premise_margin: float = field(
        default=0.16,
        metadata=by(
            _M, "refused if another speaker's item holds so much more of the question's keys", 0, 1
        ),
    )
    premise_limit: float = field(
        default=0.4,
        metadata=by(
            _M,
            "refused if the doubts of a question add up to more; of LoCoMo's unanswerable questions"
            " 0.4 refuses 80 % and 10 % of the others, 0.67 69 and 5 %, 0.24 86 and 15 %",
            0,
            100,
        ),
    )
    parallel_calls: int = field(
        default=4, metadata=by(_C, "extraction windows sent at once to a model server", 1, 64)
    )

    def __post_init__(self) -> None:
        for f in fields(self):
            _check(f, getattr(self, f.name))
        shares = self.core_share + self.co_occurrence_share + self.temporal_share
        if abs(shares - 1) > 1e-9:
            msg = f"core, co-occurrence and temporal share add up to {shares:g}; expected 1"
            raise SettingsError(msg)


def _check(f: Field[object], value: object) -> None:
    kinds: Mapping[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "float": (int, float)}
    if not isinstance(value, kinds[str(f.type)]) or (isinstance(value, bool) and f.type != "bool"):
        msg = f"{f.name} is {value!r}; expected a value of type {f.type}"
        raise SettingsError(msg)
    low, high = f.metadata["low"], f.metadata["high"]
    if isinstance(value, bool):
        return
    number = float(value)  # type: ignore[arg-type]  # int or float, checked above
    if not (low is None or number >= low) or not (high is None or number <= high):
        bounds = f"{low if low is not None else ''} to {high if high is not None else ''}"
        msg = f"{f.name} is {number:g}; expected {bounds.strip()}"
        raise SettingsError(msg)


SAFE: Final = Settings()
PAPER: Final = replace(
    SAFE,
    gate_similarity=0.6,
    keep_answers=False,
    link_needs_change=False,
    link_attribute=False,
    hub_share=1.0,
    successors=False,
    path_prefers_entities=False,
    other_person_factor=0.8,
    bridge_max_hours=168.0,
    fuse_terminals=False,
    bridge_terminals=2000,
    bridge_keeps_ends=True,
    graph_tokens=900,
)
BEST: Final = replace(
    SAFE,
    semantic_k=40,
    lexical_k=20,
    entry_budget=40,
    bridges=False,
)
"""What was measured to be better than bridges: the place goes to the next facts of both lists."""
EDGEMEM_PROTOTYPE: Final = replace(
    SAFE,
    entity_weight=2.0,
    character_weight=0.0,
    week_weight=1.5,
    time_weight=0.0,
    key_share=1.0,
    neighbour_weight=0.0,
    neighbour_weight_2=0.0,
    earlier_factor=1.0,
    answer_factor=1.0,
    told_weight=0.0,
    session_weight=0.5,
    speaker_weight=0.5,
)
BUILD_FIELDS: Final = (
    "gate",
    "gate_similarity",
    "gate_hours",
    "keep_answers",
    "window_turns",
    "window_overlap",
    "coarsen",
    "coarsen_similarity",
    "coarsen_overlap",
    "link_needs_change",
    "link_attribute",
    "hashing_gate_similarity",
    "hashing_coarsen_similarity",
)
"""The fields that change AriadneMem's evolution graph; all others act when a question is asked."""

PRESETS: Final[Mapping[str, Settings]] = {
    "safe": SAFE,
    "paper": PAPER,
    "ariadnemem-best": BEST,
    "edgemem-prototype": EDGEMEM_PROTOTYPE,
}


def changed(settings: Settings, base: Settings = SAFE) -> tuple[tuple[str, object, object], ...]:
    """Return (name, base value, value) of each field that differs, in field order."""
    pairs = ((f.name, getattr(base, f.name), getattr(settings, f.name)) for f in fields(settings))
    return tuple(p for p in pairs if p[1] != p[2])


def preset_of(settings: Settings) -> str:
    """Return the name of the preset that equals `settings`, or `custom`."""
    return next((name for name, preset in PRESETS.items() if preset == settings), "custom")


def settings_of(retriever: str) -> Settings:
    """Return the preset that a retriever's name stands for.

    >>> settings_of("ariadnemem-best") is BEST, settings_of("edgemem") is SAFE
    (True, True)
    """
    named = {"ariadnemem-paper": PAPER, "ariadnemem-best": BEST}
    return named.get(retriever, SAFE)
