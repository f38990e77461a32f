from __future__ import annotations

from sqlite_utils import Database

from memcore.settings import PAPER
from memcore.store import jobs
from memcore.store.jobs import DEAD_SECONDS, State
from memcore.types import Progress
from tests.store.test_runs import dialogue


def test_a_job_goes_from_waiting_to_done(db: Database) -> None:
    number = jobs.create(db, dialogue(db), ("edgemem",), PAPER, now=10.0)
    found = jobs.job(db, number)
    assert (found.state, found.memories, found.settings) == (State.WAITING, ("edgemem",), PAPER)
    assert jobs.report(db, number, Progress("annotate", 2, 5), now=11.0) is False
    assert (jobs.job(db, number).done, jobs.job(db, number).total) == (2, 5)
    jobs.end(db, number, State.DONE, now=12.0)
    assert jobs.job(db, number).state is State.DONE
    assert not jobs.job(db, number).alive(now=12.0)


def test_a_job_learns_at_its_next_report_that_it_should_stop(db: Database) -> None:
    number = jobs.create(db, dialogue(db), ("edgemem",), PAPER, now=0.0)
    jobs.ask_to_stop(db, number)
    assert jobs.report(db, number, Progress("annotate", 1, 5), now=1.0) is True
    jobs.wait_again(db, number, now=2.0)
    assert jobs.report(db, number, Progress("annotate", 1, 5), now=3.0) is False


def test_a_worker_with_an_old_heartbeat_is_dead(db: Database) -> None:
    number = jobs.create(db, dialogue(db), ("edgemem",), PAPER, now=0.0)
    jobs.beat(db, number, now=5.0)
    assert jobs.job(db, number).alive(now=5.0 + DEAD_SECONDS)
    assert not jobs.job(db, number).alive(now=6.0 + DEAD_SECONDS)
