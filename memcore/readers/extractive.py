"""The reader that needs no model: it quotes, resolves dates, counts, or refuses.

The answer itself is as short as the evidence allows; the sentence that it was taken from stands
beside it as a quotation with its citation. Turned down: the quotation inside the answer, and the
whole best sentence, which have about half the F1. The figures are in docs/evaluation.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memcore.annotate.languages import CHINESE
from memcore.annotate.questions import analyse
from memcore.readers import chinese
from memcore.readers.asked import Wish, full_names, wish_of
from memcore.readers.evidence import Piece, pieces
from memcore.readers.match import Match, housed, in_time, keys_of, matches, of_another, of_picture
from memcore.readers.premise import Held, judge, names_it, rarity, unsupported
from memcore.readers.refusals import refused
from memcore.readers.short import short
from memcore.readers.short_chinese import counts_nothing
from memcore.readers.states import by_state
from memcore.readers.weights import WEIGHTS
from memcore.seams import Annotator
from memcore.settings import SAFE, Settings
from memcore.types import AnchorKind, Answer, Context, Premise, Query, Sentence, TurnId, Warning


@dataclass(frozen=True, slots=True)
class Weighed:
    """What is wanted, the sentences of the packet, best first, and whether none of them answers."""

    wish: Wish
    found: tuple[Match, ...]
    refused: bool


class ExtractiveReader:
    """Answers from the words of the packet alone; always cites; refuses what they do not support.

    Of the settings it reads `refusal_floor` and `premise_margin`; the weights are those of guesses.
    """

    name = "extractive"

    def __init__(
        self,
        annotator: Annotator,
        settings: Settings = SAFE,
        weights: Mapping[str, float] = WEIGHTS,
    ) -> None:
        self._annotator = annotator
        self._settings = settings
        self._weights = weights

    def read(self, question: str, context: Context, /) -> Answer:
        """Return the short answer with its quoted evidence, or the sentence of a refusal."""
        weighed = self.weigh(question, context)
        query = weighed.wish.query
        if weighed.refused:
            return refused(query.language, self.name)
        answer = short(weighed.wish, weighed.found, self._weights)
        cited = tuple(dict.fromkeys(m.piece.item for m in answer.by))
        quotes = tuple(_quoted(m, query.language) for m in answer.by)
        whole = answer.text == answer.by[0].piece.text
        return Answer(
            text=answer.text,
            citations=cited,
            sentences=(Sentence(answer.text, cited), *(() if whole else quotes)),
            reader=self.name,
        )

    def weigh(self, question: str, context: Context) -> Weighed:
        """Return how well each sentence of a packet fits, and whether to refuse: no weight is in."""
        talk = (s for s in context.spans if isinstance(s.item, TurnId))
        speakers = tuple(sorted({s.speaker for s in talk if s.speaker}))
        query = analyse(full_names(question, speakers), context.asked_at, speakers, self._annotator)
        found = pieces(context, self._annotator)
        if query.language == CHINESE:
            query = chinese.mended(query, (k for p in found for k in p.around))
        wish = wish_of(query)
        if not found:
            return Weighed(wish, (), refused=True)
        homes = housed(wish.query, found)
        fitting = by_state(wish, matches(wish.query, homes, past=wish.past))
        if query.language == CHINESE and not _supported(query, fitting):
            return Weighed(wish, fitting, refused=not _told_otherwise(query, found))
        if query.language == CHINESE and counts_nothing(wish, fitting):
            return Weighed(wish, fitting, refused=True)
        unnamed = wish.name and not names_it(wish.query, fitting)
        refuses = unnamed or self._refuses(wish, found, context.premise)
        return Weighed(wish, fitting, refused=refuses)

    def _refuses(self, wish: Wish, found: Sequence[Piece], premise: Premise | None) -> bool:
        """Whether the packet supports no answer, or one about somebody else only.

        Where the whole memory was asked, its score decides about the speaker.
        """
        query = wish.whole
        if premise is not None and premise.doubtful:
            return True
        told: dict[int, set[str]] = {}
        for piece in found:
            told.setdefault(piece.place, set()).update(() if piece.asks else piece.keys)
        elsewhere = {p.place for p in found if of_another(p.text) and set(p.keys) & _keys(query)}
        items = tuple(
            Held(
                "" if p.place in elsewhere else p.speaker,
                frozenset(told[p.place]),
                frozenset(p.around),
            )
            for p in {p.place: p for p in found}.values()
        )
        weights = rarity(_keys(query), Counter(k for h in items for k in h.keys), len(items))
        judged = judge(query, items, weights, self._settings)
        if premise is not None:
            judged = tuple(w for w in judged if w is not Warning.OTHER_SUBJECT)
        other = not wish.links and unsupported(query, found, self._settings)
        return bool(judged) or other


def _supported(query: Query, found: Sequence[Match]) -> bool:
    """Whether a sentence shares a word with a Chinese question that few of the items have.

    In a packet of facts the names of the two speakers are keys, and nearly every fact has one.
    """
    places = {m.piece.place for m in found}
    held = Counter(
        k for _, around in {(m.piece.place, m.piece.around) for m in found} for k in around
    )
    names = {m.key for m in query.mentions if m.kind is AnchorKind.ENTITY}
    return any(k not in names or _COMMON * held[k] < len(places) for m in found for k in m.shared)


_COMMON: Final = 3
_WORDED: Final = 0.5


def _told_otherwise(query: Query, found: Sequence[Piece]) -> bool:
    """Whether a packet answers a Chinese question that shares no key with it.

    By a picture, or where the question has no key of its own, by its time or its wording.
    """
    if of_picture(query):
        return any(p.caption for p in found)
    things = {m.key for m in query.mentions if m.kind is not AnchorKind.ENTITY}
    bare = query.text.replace(query.subject, "") if query.subject else query.text
    return not things and any(
        (query.interval is not None and in_time(query, p))
        or chinese.overlap(bare, p.text) >= _WORDED
        for p in found
    )


def _keys(query: Query) -> frozenset[str]:
    return frozenset(keys_of(query))


def _quoted(match: Match, language: str) -> Sentence:
    """Return the evidence as a quotation: who said it, and when."""
    piece = match.piece
    who = piece.speaker or piece.label
    day = f"{piece.said.at:%Y-%m-%d}" if piece.said.at else ""
    if language == CHINESE:
        return Sentence(f"{_who(who, day, '（{}）')}：“{piece.text}”", (piece.item,))
    return Sentence(f"{_who(who, day, ' ({})')}: “{piece.text}”", (piece.item,))


def _who(who: str, day: str, form: str) -> str:
    return who + form.format(day) if day else who
