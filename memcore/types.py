"""Every value that flows, in the order in which it is made.

    file -> Conversation -> Annotations -+-> Hypergraph ---------------+-> Memory -> SQLite
                                         +-> Entries -> EvolutionGraph -+
    question -> Query, Cues -> Steps -> Trace -> Context -> Answer -> Reply -> SQLite, page, export

All are frozen and compare by content; sequences are tuples and times are aware UTC.
Plain dataclasses were taken over pydantic: loaders check what comes in, nothing inside coerces.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memcore.settings import Settings

Vectors = NDArray[np.float32]
SmallVectors = NDArray[np.int8]

# ---------------------------------------------------------------- ids


@dataclass(frozen=True, slots=True, order=True)
class TurnId:
    """The place of a turn; sorts as spoken.

    >>> str(TurnId(3, 7)), TurnId.parse("D3:7") < TurnId(3, 10)
    ('D3:7', True)
    """

    session: int
    turn: int

    def __str__(self) -> str:
        return f"D{self.session}:{self.turn}"

    @classmethod
    def parse(cls, text: str) -> TurnId:
        """Return the id that prints as `text`.

        Raises:
            ValueError: if it is not of the form `D3:7`.
        """
        found = re.fullmatch(r"D(\d+):(\d+)", text)
        if not found:
            msg = f"{text!r} is not a turn id; expected the form D3:7"
            raise ValueError(msg)
        return cls(int(found[1]), int(found[2]))


@dataclass(frozen=True, slots=True, order=True)
class EntryId:
    """The number of an atomic entry, in stream order within a memory; prints `E12`."""

    n: int

    def __str__(self) -> str:
        return f"E{self.n}"

    @classmethod
    def parse(cls, text: str) -> EntryId:
        """Return the id that prints as `text`.

        Raises:
            ValueError: if it is not of the form `E12`.
        """
        found = re.fullmatch(r"E(\d+)", text)
        if not found:
            msg = f"{text!r} is not an entry id; expected the form E12"
            raise ValueError(msg)
        return cls(int(found[1]))


Item = TurnId | EntryId


def parse_item(text: str) -> Item:
    """Return the turn or entry id that prints as `text`.

    Raises:
        ValueError: if it is neither.
    """
    return EntryId.parse(text) if text.startswith("E") else TurnId.parse(text)


# ---------------------------------------------------------------- conversation


class TimeKind(StrEnum):
    """What is known of a time: see transcripts.md 1.6."""

    AWARE = "aware"
    LOCAL = "local"
    OFFSET = "offset"
    CLOCK = "clock"
    MISSING = "missing"


class Precision(StrEnum):
    """How fine a said time is; `session` stands for a time given once a session."""

    US = "us"
    MS = "ms"
    SECOND = "second"
    MINUTE = "minute"
    DAY = "day"
    SESSION = "session"


class TimeSource(StrEnum):
    """Where a said time was read."""

    TURN = "turn"
    SESSION = "session"
    HEAD = "head"
    FILE_NAME = "file_name"
    EDIT = "edit"
    USER = "user"


@dataclass(frozen=True, slots=True)
class SaidTime:
    """When something was said, as far as the file tells.

    `at` is UTC; a `local` time is the wall time written as if UTC, its zone unknown.
    `original` is the text of the file, unchanged; `offset` is in minutes east of UTC.
    """

    at: datetime | None = None
    original: str = ""
    kind: TimeKind = TimeKind.MISSING
    offset: int | None = None
    precision: Precision | None = None
    source: TimeSource | None = None


class Role(StrEnum):
    """What a speaker is in the talk."""

    USER = "user"
    ASSISTANT = "assistant"
    PERSON = "person"
    BOT = "bot"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file sent with a turn; `text` is what was taken out of it."""

    name: str
    kind: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of another that a turn quotes; never a claim of the turn's speaker."""

    text: str
    author: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said or wrote at once.

    `key` is its identity over imports, `source_id` the file's own id, `person` the key of its
    Person and `speaker` that person's label.
    """

    id: TurnId
    speaker: str
    text: str
    caption: str = ""
    said: SaidTime = SaidTime()
    key: str = ""
    source_id: str = ""
    person: str = ""
    role: Role = Role.PERSON
    attachments: tuple[Attachment, ...] = ()
    quotes: tuple[Quote, ...] = ()
    reply_to: str = ""
    forwarded_from: str = ""
    direct_to: str = ""
    edited: bool = False
    speaker_guessed: bool = False

    @property
    def said_at(self) -> datetime | None:
        """The time of the talk, aware UTC, or None where the file has none."""
        return self.said.at

    @property
    def content(self) -> str:
        """All searchable words: the text, then the caption on a line of its own.

        Character spans of annotations count in this string.
        """
        return f"{self.text}\n{self.caption}" if self.caption else self.text


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting of a conversation; `index` counts from 1."""

    index: int
    turns: tuple[Turn, ...]
    started: SaidTime = SaidTime()
    source_id: str = ""
    title: str = ""

    @property
    def started_at(self) -> datetime | None:
        """The start, aware UTC, or None where the file has none."""
        return self.started.at


class PersonKind(StrEnum):
    """What a person is; a `label` is bound to its file ("Speaker 5")."""

    HUMAN = "human"
    ASSISTANT = "assistant"
    BOT = "bot"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class Person:
    """One speaker: a stable key, the label shown and the other names met."""

    key: str
    label: str
    aliases: tuple[str, ...] = ()
    kind: PersonKind = PersonKind.HUMAN


@dataclass(frozen=True, slots=True)
class Conversation:
    """A dialogue of many sessions; its order is that of the turn ids, never the clock."""

    name: str
    sessions: tuple[Session, ...]
    key: str = ""
    format: str = ""
    owner: str = ""
    persons: tuple[Person, ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, as spoken."""
        return tuple(turn for session in self.sessions for turn in session.turns)

    @property
    def speakers(self) -> tuple[str, ...]:
        """The labels of all who speak, in order of their first turn."""
        return tuple(dict.fromkeys(turn.speaker for turn in self.turns))


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its known evidence; what it holds never reaches memory or prompt."""

    id: str
    text: str
    conversation: str = ""
    answer: str = ""
    category_code: int | None = None
    category: str = ""
    evidence_turns: tuple[TurnId, ...] = ()
    evidence_sessions: tuple[int, ...] = ()
    evidence_raw: tuple[str, ...] = ()
    evidence_unresolved: tuple[str, ...] = ()
    abstain: bool = False
    bait: str = ""
    asked_at: SaidTime = SaidTime()


@dataclass(frozen=True, slots=True)
class Count:
    """How often something was met: a reason, a repair, a code."""

    name: str
    n: int
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """One record that became no turn: why, where, and its first 80 characters."""

    reason: str
    file: str
    place: str
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of an import."""

    name: str
    size: int
    sha256: str
    encoding: str = ""
    rule: str = ""
    status: str = "read"


@dataclass(frozen=True, slots=True)
class Detection:
    """A format, how well it fits (0 to 1), and the evidence in words."""

    format: str
    score: float
    evidence: str
    runner_up: str = ""
    forced: bool = False


@dataclass(frozen=True, slots=True)
class DateOrder:
    """The one day-month order of a file, the rule that chose it, the first date read both ways."""

    value: str = ""
    rule: str = ""
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonCount:
    """A person of an import with the number of turns."""

    label: str
    aliases: tuple[str, ...]
    turns: int


@dataclass(frozen=True, slots=True)
class Again:
    """What an import found already stored, counted in turns (`new`: conversations)."""

    new: int = 0
    appended: int = 0
    unchanged: int = 0
    changed: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class GoldCount:
    """Questions that came with the file, and how many of them can be scored."""

    questions: int = 0
    with_evidence: int = 0
    repaired: int = 0
    unresolved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was read, skipped and assumed: transcripts.md 1.14.

    `records_seen` = `turns` + `merged` + the sum of `skipped`.
    """

    format: str
    detection: Detection
    files: tuple[SourceFile, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    partial: bool = False
    records_seen: int = 0
    conversations: int = 0
    sessions: int = 0
    session_rule: str = "own"
    turns: int = 0
    persons: tuple[PersonCount, ...] = ()
    first_time: SaidTime = SaidTime()
    last_time: SaidTime = SaidTime()
    turns_without_time: int = 0
    date_order: DateOrder = DateOrder()
    zone: str = ""
    start_source: str = ""
    merged: int = 0
    skipped: tuple[Count, ...] = ()
    parts_dropped: tuple[Count, ...] = ()
    samples: tuple[Skipped, ...] = ()
    repairs: tuple[Count, ...] = ()
    ignored_keys: tuple[str, ...] = ()
    warnings: tuple[Count, ...] = ()
    again: Again = Again()
    gold: GoldCount = GoldCount()
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a file holds: conversations, questions, the report, and every skipped record."""

    conversations: tuple[Conversation, ...]
    questions: tuple[Question, ...]
    report: ImportReport
    skipped: tuple[Skipped, ...] = ()


# ---------------------------------------------------------------- annotation


class Grain(StrEnum):
    """How precise an interval is."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A stretch of time [start, end), aware UTC, with the precision it was named in."""

    start: datetime
    end: datetime
    grain: Grain

    def meets(self, other: Interval) -> bool:
        """Whether the two share a moment."""
        return self.start < other.end and other.start < self.end


class AnchorKind(StrEnum):
    """The kinds of hyperedge."""

    ENTITY = "entity"
    LEXICAL = "lexical"
    SPEAKER = "speaker"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    SESSION = "session"
    WINDOW = "window"


class Part(StrEnum):
    """The three parts of the hypergraph (EdgeMem)."""

    CO_OCCURRENCE = "co-occurrence"
    TEMPORAL = "temporal"
    EPISODIC = "episodic"


PARTS: tuple[tuple[AnchorKind, Part], ...] = (
    (AnchorKind.ENTITY, Part.CO_OCCURRENCE),
    (AnchorKind.LEXICAL, Part.CO_OCCURRENCE),
    (AnchorKind.SPEAKER, Part.EPISODIC),
    (AnchorKind.DAY, Part.TEMPORAL),
    (AnchorKind.WEEK, Part.TEMPORAL),
    (AnchorKind.MONTH, Part.TEMPORAL),
    (AnchorKind.YEAR, Part.TEMPORAL),
    (AnchorKind.SESSION, Part.EPISODIC),
    (AnchorKind.WINDOW, Part.EPISODIC),
)


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A stretch of a turn's content and the key it gives; kind is `entity` or `lexical`."""

    start: int
    end: int
    kind: AnchorKind
    key: str


@dataclass(frozen=True, slots=True, order=True)
class TimeExpression:
    """A stretch of a turn's content that names a time, resolved against the time of the talk."""

    start: int
    end: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class Annotation:
    """What local language processing finds in one turn; mentions and times by start."""

    turn: TurnId
    mentions: tuple[Mention, ...] = ()
    times: tuple[TimeExpression, ...] = ()
    language: str = "en"

    @property
    def lexical(self) -> tuple[str, ...]:
        """The distinct lexical keys, sorted."""
        return tuple(sorted({m.key for m in self.mentions if m.kind is AnchorKind.LEXICAL}))

    @property
    def entities(self) -> tuple[str, ...]:
        """The distinct entity keys, sorted."""
        return tuple(sorted({m.key for m in self.mentions if m.kind is AnchorKind.ENTITY}))


# ---------------------------------------------------------------- EdgeMem's hypergraph


@dataclass(frozen=True, slots=True, order=True)
class Anchor:
    """What ties turns together: a kind and a case-folded key."""

    kind: AnchorKind
    key: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.key}"


@dataclass(frozen=True, slots=True, order=True)
class AnchorId:
    """The number of an anchor in order of first member; prints `A412`; never renumbered."""

    n: int

    def __str__(self) -> str:
        return f"A{self.n}"


class DateRole(StrEnum):
    """Why a turn lies in a calendar anchor: it was said then, or speaks of then."""

    NONE = ""
    SAID = "said"
    EVENT = "event"


@dataclass(frozen=True, slots=True, order=True)
class Membership:
    """One turn in one hyperedge: how often, in which characters, and for dates said or event."""

    turn: TurnId
    count: int = 1
    role: DateRole = DateRole.NONE
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hyperedge:
    """One anchor with its memberships, sorted by turn (a turn may be a member as said and event).

    `label` is a readable form of the key, as first met.
    """

    id: AnchorId
    anchor: Anchor
    memberships: tuple[Membership, ...]
    label: str = ""

    @property
    def members(self) -> tuple[TurnId, ...]:
        """The member turns, each once, as spoken."""
        return tuple(dict.fromkeys(m.turn for m in self.memberships))


@dataclass(frozen=True, slots=True)
class Hypergraph:
    """All hyperedges, by id; one with a single member joins nothing but may score."""

    hyperedges: tuple[Hyperedge, ...] = ()

    def of(self, turn: TurnId) -> tuple[Hyperedge, ...]:
        """The hyperedges of a turn: the same incidence read the other way."""
        return tuple(h for h in self.hyperedges if turn in h.members)


# ---------------------------------------------------------------- AriadneMem's evolution graph


class Modality(StrEnum):
    """How a statement is meant."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    HYPOTHETICAL = "hypothetical"
    NEGATED = "negated"


@dataclass(frozen=True, slots=True)
class Entry:
    """An atomic entry: one self-contained sentence that leads back to its turns.

    `time` is when it holds or happened; `said_at` when the (first) source turn was said.
    Persons, entities and keywords are case-folded and sorted.
    """

    id: EntryId
    restatement: str
    source_turns: tuple[TurnId, ...]
    keywords: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    location: str = ""
    topic: str = ""
    time: Interval | None = None
    modality: Modality = Modality.ASSERTED
    said_at: datetime | None = None
    subject: str = ""
    attribute: str = ""
    value: str = ""

    @property
    def moment(self) -> datetime | None:
        """The time that graphs and serialization use: when it happened, else when it was said."""
        return self.time.start if self.time else self.said_at


class Action(StrEnum):
    """What coarsening did with an entry (Eq. 5-6)."""

    MERGE = "merge"
    LINK = "link"
    ADD = "add"


class Change(StrEnum):
    """What decided between two entries: the row of the decision table that held."""

    NO_PARTNER = "no_partner"
    BELOW_SIMILARITY = "below_similarity"
    SAME_FACT = "same_fact"
    KEYWORDS_DIFFER = "keywords_differ"
    NUMBER_DIFFERS = "number_differs"
    TIME_DIFFERS = "time_differs"
    PLACE_DIFFERS = "place_differs"
    NEGATION_DIFFERS = "negation_differs"
    STATUS_DIFFERS = "status_differs"
    OBJECT_DIFFERS = "object_differs"
    OTHER_SUBJECT = "other_subject"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One partner that was compared when an entry came in."""

    target: EntryId
    similarity: float
    overlap: float


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one entry, with the numbers, limits and partner that decided.

    `compared` are the nearest partners looked at, best first.
    """

    entry: EntryId
    action: Action
    target: EntryId | None = None
    similarity: float = 0.0
    overlap: float = 0.0
    change: Change = Change.NO_PARTNER
    compared: tuple[Comparison, ...] = ()


@dataclass(frozen=True, slots=True)
class EvolutionEdge:
    """A link, old to new; `supersedes` says that the newer entry replaces the older one."""

    older: EntryId
    newer: EntryId
    similarity: float
    overlap: float
    supersedes: bool = False
    kind: str = "link"


@dataclass(frozen=True, slots=True)
class EvolutionGraph:
    """AriadneMem's memory; it only grows.

    `entries` are the nodes and `merged` the entries that were merged into one of them; every
    entry of either has one decision. `dropped` are turns that gave no entry, with the reason.
    """

    entries: tuple[Entry, ...] = ()
    merged: tuple[Entry, ...] = ()
    decisions: tuple[Decision, ...] = ()
    edges: tuple[EvolutionEdge, ...] = ()
    dropped: tuple[Drop, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """One small vector a token of each turn, for late interaction.

    `rows` are int8, shape (tokens, d), in the order of the turns; what counts is their direction.
    `ends` counts the rows of the turns up to each one, so turn i has rows ends[i-1] to ends[i].
    """

    rows: SmallVectors
    ends: NDArray[np.int64]
    embedder: str = ""

    def of_first(self, turns: int) -> TokenVectors:
        """Return those of the first turns."""
        ends = self.ends[:turns]
        return TokenVectors(self.rows[: int(ends[-1]) if len(ends) else 0], ends, self.embedder)


NO_TOKENS: Final = TokenVectors(np.zeros((0, 0), np.int8), np.zeros(0, np.int64))
"""What a memory holds whose token vectors were not built."""


@dataclass(frozen=True, slots=True)
class Memory:
    """All that a question reads.

    `vectors` are the entries' (n, d) and `turn_vectors` the turns' (m, d), float32 unit rows by
    the embedder named; the fingerprint stands for both, and for `token_vectors`, which only `best`
    reads. A memory that was not built is empty.
    """

    conversation: Conversation
    annotations: tuple[Annotation, ...]
    hypergraph: Hypergraph
    evolution: EvolutionGraph
    vectors: Vectors = field(compare=False, repr=False)
    turn_vectors: Vectors = field(compare=False, repr=False)
    embedder: str = ""
    fingerprint: str = ""
    token_vectors: TokenVectors = field(default=NO_TOKENS, compare=False, repr=False)


# ---------------------------------------------------------------- retrieval


class QuestionType(StrEnum):
    """What kind of answer a question asks for."""

    WHEN = "when"
    HOW_MANY = "how_many"
    HOW_LONG = "how_long"
    LIST = "list"
    YES_NO = "yes_no"
    WHO = "who"
    WHERE = "where"
    WHY = "why"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Cue:
    """A stretch of the question and the anchors it activates; none if unmatched.

    `reason` is set where the cue scores nothing: `unmatched_cue`, or `key_too_common` with the
    number of turns that hold the key (`value`) and the most that may (`limit`).
    """

    start: int
    end: int
    kind: AnchorKind
    key: str
    anchors: tuple[AnchorId, ...] = ()
    reason: Reason | None = None
    value: float | None = None
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A question as local language processing reads it.

    `speakers` are the speakers named, in order; `subject` is the one asked about, if any.
    `interval` is the date range of the question, resolved against `asked_at`.
    """

    text: str
    kind: QuestionType = QuestionType.OTHER
    mentions: tuple[Mention, ...] = ()
    interval: Interval | None = None
    speakers: tuple[str, ...] = ()
    subject: str = ""
    language: str = "en"
    asked_at: datetime | None = None


class Beat(IntEnum):
    """The six beats of every retriever."""

    CUE = 1
    ACTIVATE = 2
    COLLECT = 3
    CONNECT = 4
    PACK = 5
    ANSWER = 6


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a score, rounded to 6 decimals, and the anchor or item that gave it."""

    name: str
    amount: float
    source: Anchor | TurnId | EntryId | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """A place in a ranked list: for scores that are not sums."""

    list: str
    rank: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item on its way to the reader, in one channel.

    The terms, where there are any, sum to the score, to its last rounded digit.
    """

    item: Item
    score: float
    terms: tuple[Term, ...] = ()
    channel: str = ""
    placements: tuple[Placement, ...] = ()


def scored(item: Item, terms: Iterable[Term], channel: str = "") -> Candidate:
    """Return the candidate whose score is the sum of its terms, rounded once to 6 decimals.

    >>> scored(TurnId(1, 3), [Term("a", 0.1), Term("b", 0.2)]).score
    0.3
    """
    kept = tuple(terms)
    return Candidate(item, round(math.fsum(t.amount for t in kept), 6), kept, channel)


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates, best first; ties go to the earlier item."""
    return tuple(sorted(candidates, key=lambda c: (-c.score, c.item)))


class Reason(StrEnum):
    """Why an item left: the closed list of app.md 8.2."""

    GATED = "gated"
    NO_STATEMENT = "no_statement"
    EXTRACTION_FAILED = "extraction_failed"
    MERGED = "merged"
    KEY_TOO_COMMON = "key_too_common"
    KEY_SINGLE_TURN = "key_single_turn"
    UNMATCHED_CUE = "unmatched_cue"
    NEVER_REACHED = "never_reached"
    AFTER_AS_OF = "after_as_of"
    BELOW_TOP_K = "below_top_k"
    BELOW_FLOOR = "below_floor"
    SAME_SESSION = "same_session"
    OUTSIDE_RANGE = "outside_range"
    DUPLICATE = "duplicate"
    GAP_TOO_SHORT = "gap_too_short"
    GAP_TOO_LONG = "gap_too_long"
    OUTSIDE_INTERVAL = "outside_interval"
    ALREADY_PRESENT = "already_present"
    NOT_BEST = "not_best"
    PATH_TOO_LONG = "path_too_long"
    PATH_CAP = "path_cap"
    OVER_NODE_BUDGET = "over_node_budget"
    OVER_SHARE = "over_share"
    OVER_TURN_BUDGET = "over_turn_budget"
    OVER_TOKEN_BUDGET = "over_token_budget"
    SUPERSEDED_HIDDEN = "superseded_hidden"
    PACKED_UNCITED = "packed_uncited"
    CITED = "cited"


@dataclass(frozen=True, slots=True)
class Drop:
    """What left a stage: why, how near it was, and the other item that took part.

    `value` and `limit` are in the unit of the reason (rank, score, hours, days, turns, tokens).
    """

    item: Item
    reason: Reason
    value: float | None = None
    limit: float | None = None
    channel: str = ""
    other: Item | None = None

    @property
    def margin(self) -> float | None:
        """`value` - `limit`: how far it was from staying."""
        if self.value is None or self.limit is None:
            return None
        return round(self.value - self.limit, 6)


@dataclass(frozen=True, slots=True)
class Rest:
    """Candidates of a stage that are counted, not listed: they scored below the best k."""

    count: int
    reason: Reason
    value: float
    limit: float


class EdgeKind(StrEnum):
    """The kinds of edge of one question."""

    ENTITY = "entity"
    TIME = "time"
    LINK = "link"
    SUCCESSOR = "successor"
    BRIDGE = "bridge"


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge of one question, earlier to later; `shared` names why (entities), `hours` the gap."""

    source: Item
    target: Item
    kind: EdgeKind
    shared: tuple[str, ...] = ()
    hours: float | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class GraphPath:
    """A mined path: entries in time order, each hop an edge."""

    entries: tuple[EntryId, ...]
    hours: float | None = None


@dataclass(frozen=True, slots=True)
class BridgeCandidate:
    """A fact looked at for a gap: its cosine, and why it lost (None: it is the bridge)."""

    item: EntryId
    cosine: float
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """Two facts of different components and the search for the fact between them (Eq. 9)."""

    older: EntryId
    newer: EntryId
    hours: float | None
    query: tuple[str, ...] = ()
    bridge: EntryId | None = None
    reason: Reason | None = None
    candidates: tuple[BridgeCandidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did.

    As multisets of (channel, item): given + entered = kept + dropped. `kept` is ranked.
    `rest` counts what is not listed; `final` ends the loop, as a fast path does;
    `used` is False where the retriever has no such stage.
    """

    name: str
    beat: Beat
    given: tuple[Candidate, ...] = ()
    entered: tuple[Candidate, ...] = ()
    kept: tuple[Candidate, ...] = ()
    dropped: tuple[Drop, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    paths: tuple[GraphPath, ...] = ()
    gaps: tuple[Gap, ...] = ()
    rest: tuple[Rest, ...] = ()
    used: bool = True
    final: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """The whole retrieval of one question, in order."""

    query: Query
    retriever: str
    settings: Settings
    fingerprint: str = ""
    as_of: int | None = None
    cues: tuple[Cue, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def question(self) -> str:
        """The question as asked."""
        return self.query.text

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What the last step kept."""
        return self.steps[-1].kept if self.steps else ()


# ---------------------------------------------------------------- reading


class SpanPart(StrEnum):
    """The parts of a packet."""

    INSTRUCTIONS = "instructions"
    QUESTION = "question"
    HEAD = "head"
    ITEM = "item"
    PATH = "path line"
    RESERVE = "reserve"


@dataclass(frozen=True, slots=True)
class Span:
    """One stretch `text[start:end]` of a packet and its tokens.

    `label` is the packet's own name (`[7]`, `F3`); `sources` are the turns behind the item, and
    `times` the event times that were resolved for it. `rank` is the item's place from 1 in the
    order in which the retriever chose; 0 where that is not known.
    """

    part: SpanPart
    start: int
    end: int
    tokens: int
    item: Item | None = None
    label: str = ""
    speaker: str = ""
    said_at: datetime | None = None
    times: tuple[Interval, ...] = ()
    sources: tuple[TurnId, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Premise:
    """What speaks against a question's premise: doubts that add up to a score, and its limit.

    A term is named by the kind of doubt; its source is what gave rise to it: another speaker's
    turn, or the key of a thing that is told of nobody.
    """

    score: float = 0.0
    limit: float = 0.0
    terms: tuple[Term, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether a reader that invents nothing should refuse."""
        return self.score > self.limit


@dataclass(frozen=True, slots=True)
class Context:
    """The exact text the reader gets; `tokens` = sum of the spans + `overhead` <= `limit`.

    `premise` is what the whole memory says against the question, None where it was not checked.
    `asked_at` is what "last spring" in the question counts from.
    """

    text: str
    spans: tuple[Span, ...]
    tokens: int
    overhead: int = 0
    limit: int = 0
    tokenizer: str = "words1.3"
    counted: bool = False
    premise: Premise | None = None
    asked_at: datetime | None = None

    @property
    def items(self) -> tuple[Item, ...]:
        """The items in the packet, as sent."""
        return tuple(s.item for s in self.spans if s.item is not None)

    def words(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer and the items it cites, all in the context."""

    text: str
    citations: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Model calls and tokens; zero for a local reader."""

    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
        )


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a served model made of one window of turns, `first` to `last`, and what it cost.

    `failed` are the turns that gave no usable reply, `trouble` says why; a later build asks for
    them again. `seconds` is the time of its calls, which may lie beside those of other windows.
    `request` stands for the prompt and the words of the turns: equal ones are not asked for again.
    """

    first: TurnId
    last: TurnId
    entries: tuple[Entry, ...] = ()
    failed: tuple[TurnId, ...] = ()
    trouble: str = ""
    usage: Usage = Usage()
    seconds: float = field(default=0.0, compare=False)
    request: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an extraction will cost at about, before it begins: of `windows`, `calls` are left."""

    windows: int
    calls: int
    prompt_tokens: int
    answer_tokens: int

    @property
    def usage(self) -> Usage:
        """The same as usage, to be priced."""
        return Usage(self.calls, self.prompt_tokens, self.answer_tokens)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the reader wrote; a refusal is an answer.

    `absent` are ids a model named that are not in the context. `prompt` and `raw` are the request
    and the reply as sent and received, empty for a local reader.
    """

    text: str
    citations: tuple[Item, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    absent: tuple[str, ...] = ()
    refused: bool = False
    usage: Usage = Usage()
    prompt: str = ""
    raw: str = ""
    reader: str = ""


class Warning(StrEnum):
    """What a reader of the answer should know; each has one sentence in the strings."""

    OTHER_SUBJECT = "other_subject"
    UNTOLD_THING = "untold_thing"
    UNKNOWN_NAME = "unknown_name"
    BELOW_FLOOR = "below_floor"
    NOTHING_FOUND = "nothing_found"
    OVER_BUDGET = "over_budget"
    READER_FAILED = "reader_failed"
    NOT_BUILT = "not_built"


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything one question gave; `milliseconds` (one a step, then pack and read) lie outside.

    `trouble` is the sentence of a reader that failed; the retrieval stands.
    """

    trace: Trace
    context: Context
    answer: Answer | None = None
    warnings: tuple[Warning, ...] = ()
    milliseconds: tuple[float, ...] = field(default=(), compare=False)
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is: `done` of `total` in one phase; ready phases have done = total."""

    phase: str
    done: int
    total: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    """A mean over n questions, with a name and, where there is one, a 95 % interval."""

    name: str
    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
