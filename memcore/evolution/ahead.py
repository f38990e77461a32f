"""Windows of a server's extractor, several at once, their replies taken in the order of the talk.

This is the one place of the library with threads: a served model answers in seconds, and most of
them are spent waiting. A window is sent once the one `calls` places before it has been taken, and
gets the last facts up to that one as context: so what is sent depends on its place in the talk
alone, not on which reply was faster, nor on where an earlier build stopped.
Turned down: asyncio, which would need a second client and coloured functions up to the page, and
a pool of the standard library, whose threads keep a stopped program alive until the last reply.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from hashlib import blake2b
from threading import Thread
from typing import Final

from memcore.errors import ServerError
from memcore.evolution.build import EARLIER, Sitting
from memcore.evolution.windows import windows
from memcore.seams import AskingExtractor, WindowError
from memcore.types import Annotation, Entry, EntryId, Extraction, Turn, TurnId

TICK: Final = 1.0
"""Seconds after which a waiting caller is told that it still waits."""

Place = tuple[TurnId, TurnId]


@dataclass(frozen=True, slots=True)
class Cut:
    """One window of the talk: its turns with their annotations."""

    turns: tuple[Turn, ...]
    annotations: tuple[Annotation, ...]

    @property
    def place(self) -> Place:
        """Its first and last turn, by which its extraction is known."""
        return self.turns[0].id, self.turns[-1].id

    def only(self, wanted: Sequence[TurnId]) -> Cut:
        """Return the cut with some of its turns."""
        named = frozenset(wanted)
        return Cut(
            tuple(t for t in self.turns if t.id in named),
            tuple(a for a in self.annotations if a.turn in named),
        )


def cuts(sittings: Sequence[Sitting], size: int, overlap: int) -> tuple[Cut, ...]:
    """Return all windows of the talk, in its order."""
    return tuple(
        Cut(s.turns[w.start : w.end], s.annotations[w.start : w.end])
        for s in sittings
        for w in windows(len(s.turns), size, overlap)
    )


def request(extractor: AskingExtractor, cut: Cut) -> str:
    """Return what stands for the prompt and the words of a window.

    The facts before it are not in it: they are a hint to the model, and an edited turn would else
    have every later window asked for again.
    """
    return blake2b(extractor.asks(cut.turns, ()).encode(), digest_size=16).hexdigest()


def still_good(
    extractor: AskingExtractor, stream: Sequence[Cut], known: Mapping[Place, Extraction]
) -> dict[Place, Extraction]:
    """Return the extractions of the windows whose prompt and words are as they were then.

    One of an older workspace does not know its request; its turns have not changed since.
    """
    pairs = ((cut, known.get(cut.place)) for cut in stream)
    return {
        cut.place: e
        for cut, e in pairs
        if e is not None and e.request in {"", request(extractor, cut)}
    }


def left(stream: Sequence[Cut], known: Mapping[Place, Extraction]) -> tuple[int, ...]:
    """Return the places of the windows to ask for: those not read yet, or with failed turns."""
    found = (known.get(cut.place) for cut in stream)
    return tuple(n for n, e in enumerate(found) if e is None or e.failed)


def extractions(
    extractor: AskingExtractor,
    stream: Sequence[Cut],
    known: Mapping[Place, Extraction],
    calls: int,
    tick: float = TICK,
) -> Iterator[Extraction | None]:
    """Yield one extraction a window to ask for, in order, and None at each tick of waiting.

    Of a window that failed in part only the failed turns are asked for, and joined to the rest.

    Raises:
        ServerError: if the server is absent or unwilling; what else was on its way is yielded
            before, since it was paid for.
    """
    found = [known.get(cut.place) for cut in stream]
    waiting: deque[tuple[int, Future[Extraction]]] = deque()
    trouble: ServerError | None = None
    todo = deque(left(stream, known))
    while waiting or (todo and trouble is None):
        if todo and trouble is None and _room(waiting, todo[0], calls):
            n = todo.popleft()
            waiting.append((n, _begun(extractor, stream[n], found[n], _context(found, n - calls))))
            continue
        n, future = waiting[0]
        if not wait((future,), tick).done:
            yield None
            continue
        waiting.popleft()
        error = future.exception()
        if isinstance(error, ServerError):
            trouble = trouble or error
        else:
            found[n] = future.result()
            yield found[n]
    if trouble is not None:
        raise trouble


def _room(waiting: Sequence[tuple[int, Future[Extraction]]], n: int, calls: int) -> bool:
    """Whether a window may be sent: few enough are on their way, its context has been taken."""
    return len(waiting) < calls and not (waiting and waiting[0][0] <= n - calls)


def _context(found: Sequence[Extraction | None], upto: int) -> tuple[Entry, ...]:
    """Return the last facts of the windows up to a place."""
    return tuple(e for x in found[: max(0, upto + 1)] if x is not None for e in x.entries)[
        -EARLIER:
    ]


def _begun(
    extractor: AskingExtractor, cut: Cut, before: Extraction | None, context: tuple[Entry, ...]
) -> Future[Extraction]:
    wanted = cut if before is None else cut.only(before.failed)

    def work() -> Extraction:
        now = extractor.read_window(wanted.turns, wanted.annotations, context)
        if before is None:
            return replace(now, request=request(extractor, cut))
        return joined(before, now)

    return _threaded(work)


def _threaded(work: Callable[[], Extraction]) -> Future[Extraction]:
    """Begin work in a thread that does not keep the program alive."""
    future: Future[Extraction] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where the result is taken
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def joined(before: Extraction, now: Extraction) -> Extraction:
    """Return an extraction with what its failed turns gave when they were asked for again."""
    entries = sorted((*before.entries, *now.entries), key=lambda e: (e.source_turns, e.restatement))
    return replace(
        before,
        entries=tuple(replace(e, id=EntryId(n)) for n, e in enumerate(entries, 1)),
        failed=now.failed,
        trouble=now.trouble,
        usage=before.usage + now.usage,
        seconds=round(before.seconds + now.seconds, 3),
    )


class RecordedExtractor:
    """Extracts by looking up what a served model said; asks nobody.

    Its windows come from the builder after the gate: facts of turns that are not in them are let
    go, and so are those turns as sources of a fact.
    """

    def __init__(self, name: str, recorded: Sequence[Extraction]) -> None:
        self.name = name
        self._recorded = tuple(recorded)
        self.failed = frozenset(t for e in self._recorded for t in e.failed)

    @property
    def digest(self) -> str:
        """What stands for all that was said."""
        said = "\n".join(repr((e.entries, e.failed)) for e in self._recorded)
        return blake2b(said.encode(), digest_size=16).hexdigest()

    def extract(
        self,
        turns: Sequence[Turn],
        annotations: Sequence[Annotation],
        earlier: Sequence[Entry],
        /,
    ) -> tuple[Entry, ...]:
        """Return the facts of the window that holds the turns, as they were said.

        Raises:
            WindowError: if some of the turns gave no usable reply.
        """
        ids = tuple(t.id for t in turns)
        found = self._of(ids[0], ids[-1])
        kept = ((e, tuple(t for t in e.source_turns if t in ids)) for e in found.entries)
        entries = tuple(replace(e, source_turns=sources) for e, sources in kept if sources)
        failed = tuple(t for t in ids if t in found.failed)
        if failed:
            msg = f"{self.name} gave no usable reply for {len(failed)} of {len(ids)} turns"
            raise WindowError(msg, failed, entries)
        return entries

    def _of(self, first: TurnId, last: TurnId) -> Extraction:
        """Return the last window that holds both turns; every window of a talk was recorded."""
        return next(e for e in reversed(self._recorded) if e.first <= first and last <= e.last)
