"""The whole flow on one page: a dialogue to its memories, and a question to its reply.

    build:  turns -> annotations -> hypergraph -> vectors (turns, tokens) -> entries by session
             (a served model reads all windows before the entries are made of them)
    ask:    question -> stages, one by one -> packet -> answer

Both are generators, so a page or a terminal shows what is done while it is done, and stops by
asking for no more. A build keeps every step that it has finished; begun again, it goes on.
Nothing here reads the clock, the network or the environment: parts and clock are given.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from typing import Final

import numpy as np
from sqlite_utils import Database

from memcore.annotate.languages import CHINESE, ENGLISH, language_of
from memcore.annotate.tokens import tokens
from memcore.context import pack
from memcore.embedders.in_context import WAY, in_context
from memcore.errors import MemcoreError, SeamError
from memcore.evolution.ahead import Cut, RecordedExtractor, cuts, extractions, left, still_good
from memcore.evolution.build import Growing, sittings
from memcore.hypergraph.build import hypergraph
from memcore.readers.premise import check
from memcore.retrieval.loop import Retriever, retrieve
from memcore.seams import AskingExtractor, Parts, Reader, TokenEmbedder
from memcore.settings import SAFE, Settings
from memcore.store import codec, conversations, memories
from memcore.store import extractions as kept
from memcore.store.memories import Build, Grown, Kind, Plan
from memcore.types import (
    Annotation,
    Answer,
    Beat,
    Context,
    Conversation,
    Estimate,
    Memory,
    Progress,
    Reply,
    Session,
    Trace,
    Turn,
    Warning,
)

EDGEMEM: Final = "edgemem"
ARIADNEMEM: Final = "ariadnemem"
BOTH: Final = (EDGEMEM, ARIADNEMEM)
BATCH_TURNS: Final = 256
"""Turns of a batch at most; a session is never split."""
CONTEXT_TOKENS: Final = 200
"""What the facts before a window take in a request at about: ten sentences."""
TURN_TOKENS: Final = 100
"""What a model writes of a turn at about: one fact, in JSON with all its fields."""

# ---------------------------------------------------------------- parts


def offline_parts(language: str = ENGLISH, settings: Settings = SAFE) -> Parts:
    """Return the parts that need no network; models are loaded when first used.

    No cosine of an English encoder decides anything in Chinese: words are hashed there.
    The parts are imported here, since spaCy and torch take seconds that no other act should wait.
    """
    from memcore.annotate.rules import RulesAnnotator
    from memcore.embedders.hashing import HashingEmbedder
    from memcore.embedders.sentence_transformer import SentenceTransformerEmbedder
    from memcore.evolution.extract import LocalExtractor
    from memcore.readers.extractive import ExtractiveReader

    annotator = RulesAnnotator()
    extractor, reader = LocalExtractor(), ExtractiveReader(annotator, settings)
    if language == CHINESE:
        return Parts(HashingEmbedder(), annotator, extractor, reader)
    model = SentenceTransformerEmbedder()
    return Parts(model, annotator, extractor, reader, token_embedder=model)


def language_spoken(conversation: Conversation) -> str:
    """Return the language of most turns."""
    chinese = sum(language_of(turn.content) == CHINESE for turn in conversation.turns)
    return CHINESE if 2 * chinese > len(conversation.turns) else ENGLISH


def part_name(part: object) -> str:
    """Return what a part is called in plans and fingerprints: its name, else its class."""
    return str(getattr(part, "name", type(part).__name__))


# ---------------------------------------------------------------- build


class _Talk:
    """The sessions of a dialogue, read from the store only as far back as a step asks."""

    def __init__(self, db: Database, dialogue: int) -> None:
        sizes = conversations.sizes(db, dialogue)
        self._numbers = tuple(number for number, _ in sizes)
        self._ends = (0, *accumulate(turns for _, turns in sizes))
        self._place = (db, dialogue)
        self._held: tuple[Session, ...] = ()
        self._after = self._numbers[-1] if sizes else 0

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return self._ends[-1]

    def after(self, session: int) -> tuple[Session, ...]:
        """Return the sessions after one."""
        if session < self._after:
            self._held = conversations.sessions(*self._place, session)
            self._after = session
        return tuple(s for s in self._held if s.index > session)

    def until(self, session: int) -> int:
        """Return how many turns there are up to a session."""
        return self._ends[bisect_right(self._numbers, session)]


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a build takes place, and with what."""

    db: Database
    dialogue: int
    talk: _Talk
    parts: Parts
    settings: Settings

    def start(self, plan: Plan) -> Build:
        return memories.start(self.db, self.dialogue, plan)

    def progress(self, phase: str, session: int) -> Progress:
        """How far a phase is, in turns, once a session is done."""
        return Progress(phase, self.talk.until(session), self.talk.turns)

    def left(self, built: Build) -> tuple[Session, ...]:
        """Return the sessions that a build has not got yet."""
        return self.talk.after(built.sessions)


def build(
    db: Database,
    dialogue: int,
    parts: Parts,
    settings: Settings,
    kinds: Sequence[str] = BOTH,
) -> Iterator[Progress]:
    """Build memories of a dialogue, one transaction a step; what is there already is not redone.

    Annotations and the turns' vectors are shared by both memories and all presets.

    Raises:
        StoreError: if there is no such dialogue or the file cannot be written.
        SeamError: if a part broke its promise.
    """
    site = _Site(db, dialogue, _Talk(db, dialogue), parts, settings)
    yield from _annotate(site)
    if EDGEMEM in kinds:
        yield from _tie(site)
    yield from _embed(site)
    if EDGEMEM in kinds and parts.token_embedder is not None:
        yield from _embed_tokens(site, parts.token_embedder)
    if ARIADNEMEM in kinds:
        yield from _evolve(site)
    yield Progress("complete", 1, 1)


def _annotate(site: _Site) -> Iterator[Progress]:
    built = site.start(Plan(Kind.ANNOTATIONS, parts=part_name(site.parts.annotator)))
    yield site.progress("annotate", built.sessions)
    for batch in _batches(site.left(built), _speakers):
        turns = _turns(batch)
        found = site.parts.annotator.annotate(turns)
        _expect(len(found) == len(turns), f"the annotator must return {len(turns)} annotations")
        built = memories.add_annotations(site.db, built, batch[-1].index, found)
        yield site.progress("annotate", built.sessions)
    _complete(site, built)


def _tie(site: _Site) -> Iterator[Progress]:
    built = site.start(Plan(Kind.EDGEMEM, parts=part_name(site.parts.annotator)))
    yield site.progress("hypergraph", built.sessions)
    for batch in _batches(site.left(built)):
        marks = memories.marked(site.db, site.dialogue, built.sessions, batch[-1].index)
        later = hypergraph(Conversation("", batch), marks)
        built = memories.add_hypergraph(site.db, built, batch[-1].index, later)
        yield site.progress("hypergraph", built.sessions)
    _complete(site, built)


def _embed(site: _Site) -> Iterator[Progress]:
    embedder = site.parts.embedder
    built = site.start(Plan(Kind.VECTORS, embedder=embedder.name))
    yield site.progress("turn_vectors", built.sessions)
    for batch in _batches(site.left(built), _speakers):
        turns = _turns(batch)
        rows = embedder.encode([turn.content for turn in turns])
        _expect(len(rows) == len(turns), f"embedder {embedder.name} must return a row a text")
        built = memories.add_vectors(site.db, built, batch[-1].index, turns, rows)
        yield site.progress("turn_vectors", built.sessions)
    _complete(site, built)


def _embed_tokens(site: _Site, embedder: TokenEmbedder) -> Iterator[Progress]:
    built = site.start(Plan(Kind.TOKENS, embedder=embedder.name, parts=WAY))
    yield site.progress("token_vectors", built.sessions)
    for batch in _batches(site.left(built), _speakers):
        turns = _turns(batch)
        found = in_context(turns, embedder)
        _expect(len(found) == len(turns), f"embedder {embedder.name} must return a matrix a text")
        built = memories.add_token_vectors(site.db, built, batch[-1].index, turns, found)
        yield site.progress("token_vectors", built.sessions)
    _complete(site, built)


def _stream(
    conversation: Conversation, marks: Sequence[Annotation], settings: Settings
) -> tuple[Cut, ...]:
    """Return the windows of the whole talk, in its order."""
    no_vectors = np.zeros((len(conversation.turns), 0), dtype=np.float32)
    talk = sittings(conversation, marks, no_vectors)
    return cuts(talk, settings.window_turns, settings.window_overlap)


def _ask_ahead(
    site: _Site, extractor: AskingExtractor
) -> Generator[Progress, None, RecordedExtractor]:
    """Have a served model read every window that it has not read, and return what it said.

    Each reply is stored when it is taken; while the window's turns and the prompt stay as they
    are, nobody is asked for it again: a session appended costs its own windows.
    """
    marks = memories.marked(site.db, site.dialogue)
    stream = _stream(Conversation("", site.talk.after(0)), marks, site.settings)
    read = kept.by_place(kept.of(site.db, site.dialogue, extractor.name))
    known = still_good(extractor, stream, read)
    todo = len(left(stream, known))
    done = len(stream) - todo
    yield Progress("extract", done, len(stream))
    for found in extractions(extractor, stream, known, site.settings.parallel_calls):
        if found is not None:
            kept.keep(site.db, site.dialogue, extractor.name, found)
            known[found.first, found.last] = found
            done += 1
        yield Progress("extract", done, len(stream), note=extractor.name)
    return RecordedExtractor(extractor.name, [known[cut.place] for cut in stream])


def estimate(
    db: Database, dialogue: int, extractor: AskingExtractor, settings: Settings
) -> Estimate:
    """Return what a build with a served model will ask for, before it begins.

    The prompt's tokens are counted as words1.3; those of the replies are taken from the windows
    that this model has read already, else from how many a turn usually gives.

    Raises:
        StoreError: if there is no such dialogue.
    """
    conversation = conversations.load(db, dialogue)
    unmarked = tuple(Annotation(turn.id) for turn in conversation.turns)
    stream = _stream(conversation, unmarked, settings)
    known = kept.of(db, dialogue, extractor.name)
    todo = [stream[n] for n in left(stream, still_good(extractor, stream, kept.by_place(known)))]
    read = kept.usage(known)
    turns = sum(len(cut.turns) for cut in todo)
    share = read.answer_tokens / read.calls if read.calls else 0.0
    return Estimate(
        windows=len(stream),
        calls=len(todo),
        prompt_tokens=sum(tokens(extractor.asks(cut.turns, ())) + CONTEXT_TOKENS for cut in todo),
        answer_tokens=round(share * len(todo)) if share else turns * TURN_TOKENS,
    )


def _evolve(site: _Site) -> Iterator[Progress]:
    parts, settings, told = site.parts, site.settings, ""
    if isinstance(parts.extractor, AskingExtractor):
        recorded = yield from _ask_ahead(site, parts.extractor)
        parts, told = replace(parts, extractor=recorded), recorded.digest
    acting, extractor = memories.build_settings(settings), part_name(parts.extractor)
    built = site.start(Plan(Kind.ARIADNEMEM, acting, parts.embedder.name, extractor))
    memories.prefer(site.db, built)
    if isinstance(parts.extractor, RecordedExtractor):
        built = _rewound(site, built, parts.extractor)
    yield site.progress("evolution", built.sessions)
    if built.complete:
        return
    growing = Growing(memories.standing(site.db, built))
    later = Conversation("", site.left(built))
    rows = memories.turn_vectors(site.db, site.dialogue, parts.embedder.name, built.sessions)
    marks = memories.marked(site.db, site.dialogue, built.sessions)
    for session, turns in zip(later.sessions, sittings(later, marks, rows), strict=True):
        added = Grown(*growing.add(turns, parts, settings))
        built = memories.add_evolution(site.db, built, session.index, added)
        yield site.progress("evolution", built.sessions)
    _complete(site, built, told)


def _rewound(site: _Site, built: Build, extractor: RecordedExtractor) -> Build:
    """Take a build back to the first session with a turn that failed once and was read since."""
    failed = memories.unread(site.db, built)
    mended = [turn.session for turn in failed if turn not in extractor.failed]
    return memories.rewind(site.db, built, min(mended)) if mended else built


def _complete(site: _Site, built: Build, told: str = "") -> None:
    if not built.complete:
        memories.complete(site.db, built, told=told)


def _batches(
    sessions: Sequence[Session], alike: Callable[[Session], object] = lambda _: None
) -> Iterator[tuple[Session, ...]]:
    """Yield runs of sessions to do at once, all alike.

    An annotation depends on who speaks beside it, so the cut must not show in the result: there
    all speakers of a run must speak in each of its sessions.
    """
    batch: list[Session] = []
    for session in sessions:
        full = len(_turns(batch)) + len(session.turns) > BATCH_TURNS
        if batch and (full or alike(session) != alike(batch[0])):
            yield tuple(batch)
            batch = []
        batch.append(session)
    if batch:
        yield tuple(batch)


def _turns(sessions: Sequence[Session]) -> tuple[Turn, ...]:
    return tuple(turn for session in sessions for turn in session.turns)


def _speakers(session: Session) -> frozenset[str]:
    return frozenset(turn.speaker for turn in session.turns)


def _expect(holds: bool, promise: str) -> None:
    if not holds:
        raise SeamError(promise)


# ---------------------------------------------------------------- ask


def run_fingerprint(
    memory: Memory,
    question: str,
    retriever: Retriever,
    reader: Reader | None = None,
    asked: tuple[datetime | None, int | None] = (None, None),
) -> str:
    """Return what two equal runs share; `asked` is the time of the question and the as-of."""
    at, as_of = asked
    name = part_name(reader) if reader else ""
    words = (memory.fingerprint, question, retriever.name, name, at.isoformat() if at else "")
    return codec.digest(words, as_of, retriever.settings)


def ask(  # noqa: PLR0913 - one argument for each thing that is asked
    memory: Memory,
    question: str,
    retriever: Retriever,
    reader: Reader | None,
    asked_at: datetime | None = None,
    as_of: int | None = None,
    clock: Callable[[], float] = lambda: 0.0,
) -> Iterator[Trace | Reply]:
    """Yield the trace after each stage, then the reply; without a reader, the packet is the end.

    Args:
        memory: the memory that the retriever was made for.
        question: what is asked.
        retriever: one of the table of retrievers, ready for this memory.
        reader: who answers from the packet; None to retrieve only.
        asked_at: when it is asked, for relative dates; they stay unresolved without it.
        as_of: the last session to know of; None for all.
        clock: milliseconds; called before and after each stage, the packing and the reading.

    Raises:
        MemcoreError: if the question holds no word. A reader that fails raises nothing: the
            reply then has no answer, and says why.
    """
    if not any(letter.isalnum() for letter in question):
        msg = "the question holds no word; ask with at least one letter or digit"
        raise MemcoreError(msg)
    name = run_fingerprint(memory, question, retriever, reader, (asked_at, as_of))
    times: list[float] = []
    trace = None
    stages = retrieve(retriever, question, asked_at, as_of, name)
    while True:
        began = clock()
        found = next(stages, None)
        if found is None:
            break
        times.append(clock() - began)
        trace = found
        yield trace
    _expect(trace is not None, f"retriever {retriever.name} must have a stage")
    yield _reply(retriever, trace, reader, (times, clock))  # type: ignore[arg-type]  # not None


def _reply(
    retriever: Retriever,
    trace: Trace,
    reader: Reader | None,
    timing: tuple[list[float], Callable[[], float]],
) -> Reply:
    memory = retriever.memory
    times, clock = timing
    began = clock()
    context = packet(retriever, trace)
    packed = clock()
    answer, trouble = _read(reader, trace.question, context)
    times.extend((packed - began, clock() - packed))
    warnings = _warnings(memory, trace, context)
    if trouble:
        warnings = (*warnings, Warning.READER_FAILED)
    return Reply(trace, context, answer, warnings, tuple(round(ms, 3) for ms in times), trouble)


def packed(retriever: Retriever, trace: Trace) -> Reply:
    """Return the reply of a whole trace that no reader was asked about: its packet and warnings."""
    return _reply(retriever, trace, None, ([0.0] * len(trace.steps), lambda: 0.0))


def packet(retriever: Retriever, trace: Trace) -> Context:
    """Return the packet of a whole trace, with what the memory says against the question."""
    context = pack(retriever.memory, trace)
    return replace(context, premise=retriever.premise(trace)) if retriever.premise else context


def _read(reader: Reader | None, question: str, context: Context) -> tuple[Answer | None, str]:
    if reader is None:
        return None, ""
    try:
        return reader.read(question, context), ""
    except MemcoreError as error:
        return None, str(error)


def _warnings(memory: Memory, trace: Trace, context: Context) -> tuple[Warning, ...]:
    """Return what a reader of the answer should know, in the order of the table of warnings."""
    found = set(check(trace, context, memory))
    if not is_built(memory, trace.retriever):
        found.add(Warning.NOT_BUILT)
    if 0 < context.limit < context.tokens:
        found.add(Warning.OVER_BUDGET)
    return tuple(warning for warning in Warning if warning in found)


@dataclass(frozen=True, slots=True)
class BeatCount:
    """One beat of the strip: how many items came in and went out, and how long it took."""

    beat: Beat
    came: int
    went: int
    ms: float


def beats(reply: Reply) -> tuple[BeatCount, ...]:
    """Return all six beats of a reply; packing counts to Pack, reading to Answer."""
    steps, ms = reply.trace.steps, reply.milliseconds
    packet, cited = len(reply.context.items), len(reply.answer.citations) if reply.answer else 0
    found: list[BeatCount] = []
    out = 0
    for beat in Beat:
        mine = [n for n, step in enumerate(steps) if step.beat is beat and step.used]
        came = out + sum(len(steps[n].entered) for n in mine)
        out = len(steps[mine[-1]].kept) if mine else out
        spent = sum(ms[n] for n in mine if n < len(ms))
        if len(ms) == len(steps) + 2 and beat in (Beat.PACK, Beat.ANSWER):
            spent += ms[-2] if beat is Beat.PACK else ms[-1]
        ends = beat is Beat.ANSWER
        count = (packet, cited) if ends else (came, out)
        found.append(BeatCount(beat, *count, round(spent, 3)))
    return tuple(found)


def is_built(memory: Memory, retriever: str) -> bool:
    """Whether the memory that a retriever reads was built."""
    if retriever.startswith(ARIADNEMEM):
        return bool(memory.evolution.decisions or memory.evolution.dropped)
    if retriever in ("recency", "full"):
        return True
    if retriever == "best" and language_spoken(memory.conversation) != CHINESE:
        return bool(memory.hypergraph.hyperedges) and len(memory.token_vectors.ends) > 0
    return bool(memory.hypergraph.hyperedges)
