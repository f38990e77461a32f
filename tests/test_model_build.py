"""A build with a served model: the hypergraph first, every window asked for once, failures mended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlite_utils import Database

from memcore import jobs, pipeline
from memcore.chat import Chat, Server
from memcore.errors import ServerError
from memcore.evolution.extract_model import ModelExtractor
from memcore.seams import Parts
from memcore.settings import PAPER, SAFE
from memcore.store import extractions, memories
from memcore.store import jobs as job_rows
from memcore.store.memories import Kind
from memcore.store.schema import open_workspace
from memcore.types import Conversation, Reason, TurnId, Usage
from tests.readers.server import Said, chat, echoing, lines_of, nobody, refusal, serving
from tests.test_pipeline import PARTS, stored, talk

SMALL = replace(SAFE, window_turns=1, window_overlap=0)
NAME = "m (extract-1)"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_workspace(tmp_path / "memcore.db") as opened:
        yield opened


def parts(url: str) -> Parts:
    chat_ = Chat(Server(url, "m", "key", timeout=5, tries=1))
    return replace(PARTS, extractor=ModelExtractor(chat_))


def keyed(sessions: tuple[tuple[str, ...], ...]) -> Conversation:
    """A talk whose turns are known again by a key, as a chat's message ids are."""
    made = talk(sessions)
    turns = lambda s: tuple(replace(t, key=f"{t.id}") for t in s.turns)  # noqa: E731
    return replace(made, sessions=tuple(replace(s, turns=turns(s)) for s in made.sessions))


def build(db: Database, number: int, url: str, settings=SAFE) -> list[str]:
    return [p.phase for p in pipeline.build(db, number, parts(url), settings)]


def broken_on(word: str):
    """A model that gives prose for windows that hold a word."""
    return lambda request: chat("no") if word in str(lines_of(request)) else echoing(request)


def facts(db: Database, number: int, settings=SAFE) -> list[str]:
    memory = memories.load_memory(db, number, settings)
    return [e.restatement for e in memory.evolution.entries]


def test_a_served_model_makes_the_facts_of_a_memory(db: Database) -> None:
    number = stored(db, talk())
    with serving(echoing) as peer:
        phases = build(db, number, peer.base_url)
    assert list(dict.fromkeys(phases)) == [
        *("annotate", "hypergraph", "turn_vectors", "extract", "evolution", "complete"),
    ]
    assert "Ana: I moved to Porto" in facts(db, number)
    assert len(peer.requests) == 3  # one window a session
    assert extractions.usage(extractions.of(db, number, NAME)) == Usage(3, 33, 21)


def test_the_hypergraph_is_whole_before_the_first_window_is_sent(db: Database) -> None:
    number = stored(db, talk())
    with pytest.raises(ServerError, match="no model server answers"):
        build(db, number, nobody())
    built = {b.kind: b.complete for b in memories.listing(db, number)}
    assert built == {Kind.ANNOTATIONS: True, Kind.EDGEMEM: True, Kind.VECTORS: True}
    assert pipeline.is_built(memories.load_memory(db, number, SAFE), "edgemem")


def test_a_build_goes_on_where_the_server_went_away_and_asks_for_no_window_twice(
    db: Database,
) -> None:
    number = stored(db, talk())
    left = [echoing, echoing, lambda _: refusal(401)]
    twice = serving(lambda r: (left.pop(0) if len(left) > 1 else left[0])(r))
    with twice as peer, pytest.raises(ServerError, match="the key is missing"):
        build(db, number, peer.base_url, replace(SMALL, parallel_calls=1))
    with serving(echoing) as again:
        build(db, number, again.base_url, replace(SMALL, parallel_calls=1))
    assert [lines_of(r) for r in again.requests] == [
        ["Ana: I drink tea"],
        ["Ben: I drink coffee"],
        ["Ana: I left Porto"],
    ]
    assert len(facts(db, number, SMALL)) == 5


def test_turns_without_a_usable_reply_are_named_and_a_later_build_mends_them(db: Database) -> None:
    number = stored(db, talk())
    with serving(broken_on("tea")) as peer:
        build(db, number, peer.base_url, SMALL)
    lame = memories.load_memory(db, number, SMALL)
    assert [(d.item, d.reason) for d in lame.evolution.dropped] == [
        (TurnId(2, 1), Reason.EXTRACTION_FAILED)
    ]
    (failed,) = (e for e in extractions.of(db, number, NAME) if e.failed)
    assert (failed.failed, failed.trouble) == (
        (TurnId(2, 1),),
        "the reply is not the form asked for",
    )
    with serving(echoing) as again:
        build(db, number, again.base_url, SMALL)
    assert [lines_of(r) for r in again.requests] == [["Ana: I drink tea"]]
    whole = memories.load_memory(db, number, SMALL)
    assert [e.restatement for e in whole.evolution.entries] == [
        "Ana: I moved to Porto",
        "Ben: Porto is lovely",
        "Ana: I drink tea",
        "Ben: I drink coffee",
        "Ana: I left Porto",
    ]
    assert whole.evolution.dropped == ()
    assert whole.fingerprint != lame.fingerprint  # what was asked of the lame one is asked anew


FIRST = ("Ana: I moved to Porto", "Ben: Porto is lovely")
SECOND = ("Ana: I drink tea", "Ben: I drink coffee")
GROWN = [
    # a session appended costs its own windows
    ((FIRST, SECOND, ("Ana: I sing",)), ["Ana: I sing"]),
    # so does a turn at the end of the last session: the windows before it stay
    ((FIRST, (*SECOND, "Ana: and milk")), ["Ana: and milk"]),
    # another text in the first session costs its window, and none of the sessions after
    ((("Ana: I moved to Porto", "Ben: Porto is cold"), SECOND), ["Ben: Porto is cold"]),
    # the same again costs nothing
    ((FIRST, SECOND), []),
]


@pytest.mark.parametrize(("sessions", "asked"), GROWN)
def test_what_was_read_of_a_dialogue_is_not_asked_for_again_when_it_changes(
    db: Database, tmp_path: Path, sessions, asked
) -> None:
    number = stored(db, keyed((FIRST, SECOND)))
    with serving(echoing) as peer:
        build(db, number, peer.base_url, SMALL)
    assert stored(db, keyed(sessions)) == number
    with serving(echoing) as again:
        assert pipeline.estimate(db, number, parts(again.base_url).extractor, SMALL).calls == len(
            asked
        )
        build(db, number, again.base_url, SMALL)
    assert [line for r in again.requests for line in lines_of(r)] == asked
    with open_workspace(tmp_path / "once.db") as other, serving(echoing) as peer:
        once = stored(other, keyed(sessions))
        build(other, once, peer.base_url, SMALL)
        assert facts(db, number, SMALL) == facts(other, once, SMALL)


def test_a_session_appended_to_long_windows_costs_one_call(db: Database) -> None:
    number = stored(db, keyed((FIRST, SECOND)))
    with serving(echoing) as peer:
        build(db, number, peer.base_url)
        assert len(peer.requests) == 2
        stored(db, keyed((FIRST, SECOND, ("Ana: I sing", "Ben: I dance"))))
        build(db, number, peer.base_url)
    assert [lines_of(r) for r in peer.requests[2:]] == [["Ana: I sing", "Ben: I dance"]]


def test_a_window_that_failed_is_asked_for_whole_once_its_session_has_changed(
    db: Database,
) -> None:
    number = stored(db, keyed((FIRST, SECOND)))
    with serving(broken_on("tea")) as peer:
        build(db, number, peer.base_url)
    stored(db, keyed((FIRST, (*SECOND, "Ana: and milk"))))
    assert [e.failed for e in extractions.of(db, number, NAME)] == [()]  # the first session's
    with serving(echoing) as again:
        build(db, number, again.base_url)
    assert [lines_of(r) for r in again.requests] == [[*SECOND, "Ana: and milk"]]


def test_windows_of_an_older_workspace_stand_until_their_session_changes(db: Database) -> None:
    number = stored(db, keyed((FIRST, SECOND)))
    with serving(echoing) as peer:
        build(db, number, peer.base_url)
    for found in extractions.of(db, number, NAME):
        extractions.keep(db, number, NAME, replace(found, request=""))
    build(db, number, nobody())
    stored(db, keyed((FIRST, ("Ana: I drink milk", "Ben: I drink coffee"))))
    with serving(echoing) as again:
        build(db, number, again.base_url)
    assert [lines_of(r) for r in again.requests] == [["Ana: I drink milk", "Ben: I drink coffee"]]


def test_another_model_is_asked_for_every_window(db: Database) -> None:
    number = stored(db, keyed((FIRST, SECOND)))
    with serving(echoing) as peer:
        build(db, number, peer.base_url)
        other = ModelExtractor(Chat(Server(peer.base_url, "other", "key", timeout=5, tries=1)))
        list(pipeline.build(db, number, replace(PARTS, extractor=other), SAFE))
    assert len(peer.requests) == 4


def test_a_second_preset_asks_nobody(db: Database) -> None:
    number = stored(db, talk())
    with serving(echoing) as peer:
        build(db, number, peer.base_url)
    build(db, number, nobody(), PAPER)
    assert facts(db, number, PAPER)
    assert len(peer.requests) == 3


def test_the_extractor_asked_for_last_is_the_one_that_readers_see(db: Database) -> None:
    number = stored(db, talk())
    list(pipeline.build(db, number, PARTS, SAFE))
    local = memories.load_memory(db, number, SAFE).fingerprint
    with serving(broken_on("tea")) as peer:
        build(db, number, peer.base_url, SAFE)
    assert memories.load_memory(db, number, SAFE).fingerprint != local
    list(pipeline.build(db, number, PARTS, SAFE))
    assert memories.load_memory(db, number, SAFE).fingerprint == local


def test_an_estimate_counts_windows_tokens_and_what_is_left(db: Database) -> None:
    number = stored(db, talk())
    with serving(echoing) as peer:
        model = parts(peer.base_url).extractor
        before = pipeline.estimate(db, number, model, SAFE)
        assert (before.windows, before.calls) == (3, 3)
        assert before.answer_tokens == 500  # 5 turns, 100 each, before anything is known
        assert before.prompt_tokens > 3 * 200
        assert peer.requests == []
        build(db, number, peer.base_url)
        after = pipeline.estimate(db, number, model, SAFE)
    assert (after.windows, after.calls, after.answer_tokens) == (3, 0, 0)
    # another cut of the talk: the 7 tokens a call that this model needed so far
    assert pipeline.estimate(db, number, model, SMALL).answer_tokens == 7 * 4


def test_a_job_for_a_model_without_a_server_fails_with_the_names_to_set(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        number = stored(db, talk((("林夏: 我在银行上班", "周远: 我住在成都"),)))
        job = job_rows.create(db, number, pipeline.BOTH, SAFE, 0.0, jobs.MODEL)
    with pytest.raises(ServerError, match="MEMCORE_BASE_URL"):
        jobs.work(path, job, lambda: 0.0)


def test_a_job_asks_the_server_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        number = stored(db, talk((("林夏: 我在银行上班", "周远: 我住在成都"),)))
        job = job_rows.create(db, number, pipeline.BOTH, SAFE, 0.0, jobs.MODEL)
    with serving(echoing) as peer:
        server = Server(peer.base_url, "m", "key", tries=1)
        assert jobs.work(path, job, lambda: 0.0, server=server) is job_rows.State.DONE
    with open_workspace(path) as db:
        assert facts(db, number) == ["林夏: 我在银行上班", "周远: 我住在成都"]


def test_a_window_whose_server_hangs_leaves_the_build_to_be_resumed(db: Database) -> None:
    number = stored(db, talk())
    with serving(Said("", hangs=True)) as peer:
        slow = Chat(Server(peer.base_url, "m", timeout=0.2, tries=1))
        with pytest.raises(ServerError, match="did not answer within"):
            list(pipeline.build(db, number, replace(PARTS, extractor=ModelExtractor(slow)), SAFE))
    with serving(echoing) as again:
        build(db, number, again.base_url)
    assert "Ana: I moved to Porto" in facts(db, number)
