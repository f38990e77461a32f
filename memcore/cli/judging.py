"""The judge of `memcore evaluate`: which model, what it said as a table, and what it cost."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from memcore import jobs
from memcore.chat import Chat, Server
from memcore.cli import servers
from memcore.evaluation.judge import Judge
from memcore.evaluation.judging import ALL, NAMES, Judgement, Score, judge_all
from memcore.evaluation.report import Found
from memcore.exports.evaluation import lines
from memcore.store import codec
from memcore.store.replies import KeptReplies
from memcore.types import Usage


def add_judge_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of the judge."""
    one.add_argument(
        "--judge",
        choices=list(NAMES),
        help="let the model server of MEMCORE_BASE_URL say which answers are right",
    )
    one.add_argument(
        "--judge-model", default="", metavar="MODEL", help="the judge (default: MEMCORE_MODEL)"
    )
    one.add_argument("--no-cache", action="store_true", help="take no kept reply of the judge")


def judge_server(arguments: argparse.Namespace) -> Server | None:
    """Return the server of the judge, None if no judge is wanted.

    Raises:
        ServerError: if one is wanted and no server is set.
    """
    if not arguments.judge:
        return None
    name = arguments.judge_model

    def variable(key: str) -> str:
        return name if name and key == servers.MODEL else servers.environment(key)

    server = servers.server(variable)
    if server is None:
        raise jobs.no_server()
    return replace(server, answer_tokens=1000)


def judged(found: Found, server: Server, arguments: argparse.Namespace) -> Judgement:
    """Return the verdicts on all answers; replies are kept by dialogue."""
    chat = Chat(server)

    @cache
    def judge(dialogue: int) -> Judge:
        kept = KeptReplies(arguments.workspace, dialogue, fresh=arguments.no_cache)
        return Judge(chat, NAMES[arguments.judge], kept)

    return judge_all(found, judge)


def judged_lines(judgement: Judgement) -> Iterator[str]:
    """Yield the table of a judgement and a line on its cost; none if nothing was judged."""
    scores = judgement.scores()
    if not scores:
        return
    names = ("system", "category", "right", "n", "no verdict", "calls", "tokens")
    yield ""
    yield f"## Judge: {judgement.judge}"
    yield ""
    yield from lines(names, (_row(score) for score in scores))
    money = _money(judgement)
    if money:
        yield ""
        yield f"The judge cost {money}."


def judged_json(judgement: Judgement) -> dict[str, object]:
    """Return a judgement for `--json`."""
    return {
        "judge": judgement.judge,
        "scores": [codec.to_json(score) for score in judgement.scores()],
        "money": _money(judgement) or None,
        "trouble": judgement.trouble,
    }


def _row(score: Score) -> tuple[str, ...]:
    used = score.usage
    tokens = used.prompt_tokens + used.answer_tokens
    right = "n.a." if score.value is None else f"{100 * score.value:.1f}"
    counts = (score.n, score.failed, used.calls, tokens)
    return score.system, score.group, right, *map(str, counts)


def _money(judgement: Judgement) -> str:
    used = sum((s.usage for s in judgement.scores() if s.group == ALL), Usage())
    model = judgement.judge.rpartition(" (")[0]
    return servers.prices().shown(model, used) if used.calls else ""
