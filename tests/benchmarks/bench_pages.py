"""Measure Step in a real server and a real browser: first paint, and click to paint.

    python tests/benchmarks/bench_pages.py [--turns 5000] [--steps 20]

Without --turns the English sample is measured as it is; with it, the sample's sessions are
repeated, each round some months later, until the dialogue has so many turns. Build and run are
made before the clock starts. First paint: from the request of a link to Step until the script has
ended and the figure stands. Click to paint: from the key J or K until the same. Times are the
browser's own, so a busy machine shows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Page, WebSocket, expect, sync_playwright

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
    && document.querySelector(".js-plotly-plot .main-svg, .memcore-picture .point")"""
PAINTED = """beat => new URLSearchParams(location.search).get('beat') === String(beat)
    && document.querySelector('[data-testid=stApp]')
        ?.getAttribute('data-test-script-state') === 'notRunning'
    && new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"""


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


def first_paint(page: Page, address: str) -> float:
    """Return the seconds from the request of a link to Step until it is drawn."""
    began = perf_counter()
    page.goto(f"{address}/step?dlg=1&run=1&beat=1")
    heading = page.get_by_role("heading", name="Step through the retrieval")
    expect(heading).to_be_visible(timeout=PATIENCE)
    page.wait_for_function(DONE, timeout=PATIENCE)
    return perf_counter() - began


def steps(page: Page, count: int, received: list[int]) -> tuple[list[float], list[int]]:
    """Return the seconds, and the bytes received, of so many steps forward and back."""
    found, sizes = [], []
    for n in range(count):
        forward = n % 10 < 5
        beat = 2 + n % 10 if forward else 10 - n % 10
        received.clear()
        began = perf_counter()
        page.keyboard.press("j" if forward else "k")
        page.wait_for_function(PAINTED, arg=beat, timeout=PATIENCE)
        found.append(perf_counter() - began)
        sizes.append(sum(received))
    return found, sizes


def listen(page: Page) -> list[int]:
    """Return the sizes of what the server sends to a page, as they come."""
    received: list[int] = []

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: received.append(len(frame)))

    page.on("websocket", opened)
    return received


def main(turns: int, count: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "memcore.db"
        size, rows = workspace(file, turns)
        with browser.server(file) as address, sync_playwright() as playwright:
            chromium = browser.launch(playwright)
            cold = first_paint(chromium.new_page(), address)
            page = chromium.new_page()
            received = listen(page)
            warm = first_paint(page, address)
            first = sum(received)
            each, sizes = steps(page, count, received)
            each.sort()
    print(f"{size} turns, {rows} hyperedges")  # noqa: T201
    print(f"first paint: {cold:.2f} s on a new server, {warm:.2f} s after that")  # noqa: T201
    print(f"step, click to paint: median {median(each) * 1000:.0f} ms, ", end="")  # noqa: T201
    print(f"slowest {each[-1] * 1000:.0f} ms of {count}")  # noqa: T201
    print(f"sent: {first / 1000:.0f} kB for the page, ", end="")  # noqa: T201
    print(f"at most {max(sizes) / 1000:.0f} kB for a step")  # noqa: T201


if __name__ == "__main__":
    known = argparse.ArgumentParser(description=__doc__)
    known.add_argument("--turns", type=int, default=0)
    known.add_argument("--steps", type=int, default=20)
    chosen = known.parse_args()
    main(chosen.turns, chosen.steps)
