"""Words of the page Memory, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "memory.title": "Memory",
    "memory.purpose": "Both memories of the dialogue on one time axis; select a mark to read its turn.",
    "memory.empty": "No memory of this dialogue is built yet.",
    "memory.half_built": "The evolution graph is not built yet; go on with the build on Start.",
    "memory.picture": "Picture",
    "memory.facts": "Facts",
    "memory.anchors": "Anchors",
    "memory.decisions": "Decisions",
    "memory.picture_alt": (
        "Facts in lanes, anchors as rows and the dialogue on one time axis; "
        "the tables beside hold the same rows."
    ),
    "memory.sentence": (
        "{facts} facts ({merged} merged, {linked} links, {replaced} replaced) · "
        "{anchors} anchors · {gated} turns gated, {silent} state nothing."
    ),
    "memory.rows": "{shown} of {total} anchors, by number of turns; search to see others.",
    "memory.search": "Search",
    "memory.kinds": "Kinds",
    "memory.reader": "Reader",
    "memory.anchors_of": "Anchors of this turn",
    "memory.facts_of": "Facts made from this turn",
    "memory.ledger": "Write ledger",
    "memory.said": "{speaker} · {date}",
    "memory.none": "Select a turn, a fact or an anchor.",
    "memory.fact_state.active": "current",
    "memory.fact_state.superseded": "was",
    "memory.fact_state.merged": "merged",
    "memory.not_built": "The evolution graph of preset {preset} is not built.",
    "memory.facts_shown": "{shown} of {total} facts shown",
    "memory.decisions_shown": "{shown} of {total} decisions shown",
    "memory.mark_note": "Marked: the characters that made the anchors.",
    "action.merge": "merge",
    "action.link": "link",
    "action.add": "add",
    "change.no_partner": "nothing stored yet to compare with",
    "change.below_similarity": "no stored fact is similar enough",
    "change.same_fact": "the same fact said again",
    "change.keywords_differ": "similar, but its words differ",
    "change.number_differs": "a number differs",
    "change.time_differs": "a time differs",
    "change.place_differs": "the place differs",
    "change.negation_differs": "one affirms what the other denies",
    "change.status_differs": "the status changed",
    "change.object_differs": "another value of the same attribute",
    "change.other_subject": "about another subject or attribute",
}

CHINESE: Final[Mapping[str, str]] = {}
