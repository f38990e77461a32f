"""Measure Step in a real server and a real browser: first paint, and click to paint.

    python tests/benchmarks/bench_pages.py [--turns 5000] [--steps 30] [--loads 5]

Without --turns the English sample is measured as it is; with it, the sample's sessions are
repeated, each round some months later and with new words, until the dialogue has so many turns:
5,000 turns have more than 10,000 hyperedges. Build and run are made before the clock starts.

A link to Step is opened on a new server, then by new browsers. First and largest contentful paint
are what the browser reports of itself; drawn is later: the script has ended, nothing is left to
load, and the marks of the score sheet stand. Click to paint is measured in the page: from the key
J or K until the step is in the address, the script has ended, and two frames were painted. The
server's share of it is the time from the message sent to the last one received. Work is the
processor time of the page's main thread, which a busy machine changes less than the clock.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, WebSocket, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from memcore import pipeline
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import SAFE
from memcore.store import conversations, memories, runs
from memcore.store.memories import Kind
from memcore.store.records import RunMeta
from memcore.store.schema import open_workspace
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.types import Conversation, ReadResult, Reply, SaidTime, Session, Turn, TurnId
from tests import browser

NOW = datetime(2024, 1, 1, tzinfo=UTC)
QUESTION = "Where did Ruth live before Ghent?"
ROUND = timedelta(days=400)
PATIENCE = 120_000
WORD = "zu"
DONE = """() => document.querySelector('[data-testid=stApp]')
    ?.getAttribute('data-test-script-state') === 'notRunning'
    && !document.querySelector('[data-testid=stSkeleton]')
    && document.querySelector('.memcore-picture .point')"""
PAINTS = """() => new Promise(done => {
    const first = performance.getEntriesByName('first-contentful-paint')[0];
    new PerformanceObserver(list => done([first.startTime, list.getEntries().at(-1).startTime]))
        .observe({type: 'largest-contentful-paint', buffered: true});
})"""
WATCH = """beat => { window.painted = new Promise(done => addEventListener('keydown', () => {
    const began = performance.now();
    const there = () => new URLSearchParams(location.search).get('beat') === String(beat)
        && document.querySelector('[data-testid=stApp]')
            ?.getAttribute('data-test-script-state') === 'notRunning';
    const frame = () => there()
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
        : requestAnimationFrame(frame);
    frame();
}, {once: true, capture: true})); }"""


@dataclass(frozen=True, slots=True)
class Load:
    """One way from a link to the drawn page, in milliseconds, and the bytes that came."""

    first: float
    largest: float
    drawn: float
    work: float
    received: int


@dataclass(frozen=True, slots=True)
class Move:
    """One step: click to paint, the server's share and the page's work in ms; bytes received."""

    painted: float
    server: float
    work: float
    received: int


def sample() -> ReadResult:
    """Return the English sample."""
    file = browser.ROOT / "sample_data" / "english.json"
    return read((Source(file.name, file.read_bytes()),))


def repeated(conversation: Conversation, turns: int) -> Conversation:
    """Return the dialogue with its sessions said again and again, up to about so many turns.

    Said again, every two turns share a word that no others hold: a long dialogue has new words,
    and its hypergraph grows by an anchor for each.
    """
    sessions: list[Session] = []
    count = 0
    while count < turns:
        for said in conversation.sessions:
            index, later = len(sessions) + 1, ROUND * (len(sessions) // len(conversation.sessions))
            session = moved(said, index, later)
            sessions.append(with_words(session) if later else session)
            count += len(said.turns)
    return replace(conversation, sessions=tuple(sessions), key="repeated")


def with_words(session: Session) -> Session:
    """Return a session in which every two turns share a word that nobody else says."""
    pairs = (
        (t, f"{WORD}{letters(session.index)}{letters(n // 2)}") for n, t in enumerate(session.turns)
    )
    told = tuple(replace(turn, text=f"{turn.text} Remember the {word}.") for turn, word in pairs)
    return replace(session, turns=told)


def letters(n: int) -> str:
    """Return a number as three letters.

    >>> letters(27)
    'abb'
    """
    return "".join(chr(ord("a") + n // place % 26) for place in (676, 26, 1))


def moved(session: Session, index: int, later: timedelta) -> Session:
    """Return a session under another number, said later."""
    turns = tuple(placed(turn, index, later) for turn in session.turns)
    began = at_later(session.started, later)
    return replace(session, index=index, turns=turns, source_id=f"s{index}", started=began)


def at_later(said: SaidTime, later: timedelta) -> SaidTime:
    """Return a time so much later; one that is not known stays so."""
    return said if said.at is None else replace(said, at=said.at + later)


def placed(turn: Turn, index: int, later: timedelta) -> Turn:
    """Return a turn of a session of another number, said later."""
    return replace(
        turn,
        id=TurnId(index, turn.id.turn),
        said=at_later(turn.said, later),
        key=f"{index}-{turn.key}",
        source_id=f"{index}-{turn.id.turn}",
        reply_to="",
        quotes=(),
    )


def workspace(file: Path, turns: int) -> tuple[int, int]:
    """Make a workspace with the hypergraph of the dialogue and one run; return turns and rows."""
    parts = pipeline.offline_parts()
    found = sample()
    if turns:
        (talk,) = found.conversations
        found = replace(found, conversations=(repeated(talk, turns),), questions=())
    with open_workspace(file, new_id="bench") as db:
        number = conversations.save(db, found, NOW).dialogues[0]
        for _ in pipeline.build(db, number, parts, SAFE, (Kind.EDGEMEM,)):
            pass
        memory = memories.load_memory(db, number, SAFE)
        retriever = RETRIEVERS["edgemem"](memory, SAFE, parts)
        *_, reply = pipeline.ask(memory, QUESTION, retriever, parts.reader)
        assert isinstance(reply, Reply)
        runs.save_run(db, number, reply, RunMeta(memory=memory.fingerprint, created_at=NOW))
    return len(memory.conversation.turns), len(memory.hypergraph.hyperedges)


class Visit:
    """A page of a browser of its own, with what its socket hears."""

    def __init__(self, chromium: Browser) -> None:
        self.page = chromium.new_page()
        self._heard: list[tuple[float, int]] = []
        self.page.on("websocket", self._listen)
        self._session = self.page.context.new_cdp_session(self.page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self._heard.append((perf_counter(), len(frame))))

    def work(self) -> float:
        """Return the processor time of the page's main thread so far, in ms."""
        found = self._session.send("Performance.getMetrics")["metrics"]
        return next(1000 * float(m["value"]) for m in found if m["name"] == "TaskDuration")

    def load(self, address: str) -> Load:
        """Open the link to Step."""
        began = perf_counter()
        self.page.goto(f"{address}/step?dlg=1&run=1&beat=1")
        self.page.wait_for_function(DONE, timeout=PATIENCE)
        drawn = 1000 * (perf_counter() - began)
        first, largest = self.page.evaluate(PAINTS)
        return Load(first, largest, drawn, self.work(), sum(size for _, size in self._heard))

    def step(self, n: int) -> Move:
        """Step forward five times, then back five times, and so on."""
        forward = n % 10 < 5
        self.page.evaluate(WATCH, 2 + n % 10 if forward else 10 - n % 10)
        self._heard.clear()
        before, began = self.work(), perf_counter()
        self.page.keyboard.press("j" if forward else "k")
        painted = float(self.page.evaluate("window.painted"))
        last = max(at for at, _ in self._heard)
        received = sum(size for _, size in self._heard)
        return Move(painted, 1000 * (last - began), self.work() - before, received)


def told(name: str, loads: Sequence[Load]) -> str:
    """Return a line of medians."""
    middle = [median(getattr(load, f.name) for load in loads) for f in fields(Load)]
    first, largest, drawn, work, received = middle
    return (
        f"{name}: first contentful paint {first:.0f} ms, largest {largest:.0f} ms, "
        f"drawn {drawn:.0f} ms; work {work:.0f} ms; {received / 1000:.0f} kB"
    )


def measured(file: Path, count: int, loads: int) -> Iterator[str]:
    """Measure a workspace and yield the lines to print."""
    with browser.server(file) as address, sync_playwright() as playwright:
        chromium = browser.launch(playwright)
        yield told("new server", [Visit(chromium).load(address)])
        visits = [Visit(chromium) for _ in range(loads)]
        yield told(f"median of {loads} new browsers", [v.load(address) for v in visits])
        steps = [visits[-1].step(n) for n in range(count)]
    painted = sorted(s.painted for s in steps)
    yield (
        f"click to paint: median {median(painted):.0f} ms, "
        f"9 of 10 within {painted[int(0.9 * (count - 1))]:.0f} ms, slowest {painted[-1]:.0f} ms; "
        f"server {median(s.server for s in steps):.0f} ms, work {median(s.work for s in steps):.0f} ms; "
        f"at most {max(s.received for s in steps) / 1000:.0f} kB"
    )


def main(turns: int, count: int, loads: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "memcore.db"
        size, rows = workspace(file, turns)
        print(f"{size} turns, {rows} hyperedges")  # noqa: T201
        for line in measured(file, count, loads):
            print(line)  # noqa: T201


if __name__ == "__main__":
    known = argparse.ArgumentParser(description=__doc__)
    known.add_argument("--turns", type=int, default=0)
    known.add_argument("--steps", type=int, default=30)
    known.add_argument("--loads", type=int, default=5)
    chosen = known.parse_args()
    main(chosen.turns, chosen.steps, chosen.loads)
