"""Question to cues: each mention, named speaker and date range with the anchors it activates.

A cue that scores nothing stays in the trace with the reason: the memory does not know the key,
or too many turns hold it. A mention that is a speaker's name becomes the speaker's cue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memcore.hypergraph import calendar
from memcore.hypergraph.characters import of_keys
from memcore.hypergraph.incidence import Incidence
from memcore.types import (
    Anchor,
    AnchorId,
    AnchorKind,
    Cue,
    Interval,
    Mention,
    Query,
    QuestionType,
    Reason,
)

SPREAD_KINDS = (QuestionType.LIST, QuestionType.HOW_MANY)
"""Questions whose answer lies in many sessions."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question looks for in an incidence: columns, rarest first, speakers, date range.

    `characters` are those of its Chinese words, known to the memory or not.
    """

    columns: tuple[int, ...]
    speakers: tuple[str, ...]
    interval: Interval | None
    kind: QuestionType
    characters: tuple[str, ...] = ()


def asked(index: Incidence, query: Query, cues: Sequence[Cue]) -> Asked:
    """Return what a question looks for; keys too common to score are left out."""
    anchors = (Anchor(c.kind, c.key) for c in cues if c.reason is None)
    columns = {n for a in anchors if (n := index.columns.get(a)) is not None and index.df[n]}
    return Asked(
        tuple(sorted(columns, key=lambda n: (index.df[n], n))),
        query.speakers,
        query.interval,
        query.kind,
        of_keys(
            c.key
            for c in cues
            if c.kind is AnchorKind.LEXICAL and c.reason is not Reason.KEY_TOO_COMMON
        ),
    )


def cues(
    query: Query,
    index: Incidence,
    anchors: Mapping[Anchor, AnchorId],
    called: frozenset[str],
) -> tuple[Cue, ...]:
    """Return the cues of a question, by place; `called` are the speakers' names, case-folded."""
    mentioned = (
        _mention(m, index, anchors) for m in query.mentions if not _is_name(query.text, m, called)
    )
    found = (*mentioned, *_speakers(query, anchors), *_dates(query, anchors))
    return tuple(sorted(found, key=lambda c: (c.start, c.end, c.kind, c.key)))


def _is_name(text: str, mention: Mention, called: frozenset[str]) -> bool:
    words = text[mention.start : mention.end].casefold().replace("’", "'")
    return words.removesuffix("'s").removesuffix("'") in called


def _mention(mention: Mention, index: Incidence, anchors: Mapping[Anchor, AnchorId]) -> Cue:
    anchor = Anchor(mention.kind, mention.key)
    cue = (mention.start, mention.end, mention.kind, mention.key)
    if anchor not in anchors:
        return Cue(*cue, reason=Reason.UNMATCHED_CUE)
    df = float(index.df[index.columns[anchor]]) if anchor in index.columns else 0.0
    if df > index.most:
        return Cue(*cue, (anchors[anchor],), Reason.KEY_TOO_COMMON, df, index.most)
    return Cue(*cue, (anchors[anchor],))


def _speakers(query: Query, anchors: Mapping[Anchor, AnchorId]) -> Iterator[Cue]:
    text = query.text.casefold()
    for speaker in query.speakers:
        name = speaker.casefold()
        shown = name if name in text else name.split(" ")[0]
        start = max(text.find(shown), 0)
        number = anchors.get(Anchor(AnchorKind.SPEAKER, name))
        yield Cue(
            start,
            start + len(shown) if shown in text else start,
            AnchorKind.SPEAKER,
            name,
            (number,) if number else (),
            None if number else Reason.UNMATCHED_CUE,
        )


def _dates(query: Query, anchors: Mapping[Anchor, AnchorId]) -> Iterator[Cue]:
    if query.interval is None:
        return
    kind = calendar.KINDS[query.interval.grain][0]
    keys = [a for a in calendar.spoken_of(query.interval) if a.kind is kind]
    met = tuple(anchors[a] for a in keys if a in anchors)
    key = keys[0].key if len(keys) == 1 else f"{keys[0].key}/{keys[-1].key}"
    yield Cue(0, 0, kind, key, met, None if met else Reason.UNMATCHED_CUE)
