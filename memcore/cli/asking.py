"""`memcore ask`: ask a dialogue a question."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from datetime import date, timedelta

import memcore
from memcore import jobs, pipeline
from memcore.chat import Chat
from memcore.cli import servers
from memcore.cli.common import (
    DONE,
    complain,
    milliseconds,
    now,
    opened,
    print_json,
    say,
    session_or_day,
)
from memcore.errors import MemcoreError, ServerError, StoreError
from memcore.readers.openai_compatible import ModelReader
from memcore.retrieval.table import RETRIEVERS
from memcore.seams import Parts, Reader
from memcore.settings import BUILD_FIELDS, Settings, changed, preset_of, settings_of
from memcore.store import conversations, memories, runs
from memcore.store.records import RunMeta
from memcore.store.replies import KeptReplies
from memcore.store.spending import model_of
from memcore.types import Answer, Conversation, Reply, SaidTime, Session, Trace


def ask_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore ask`."""
    one.add_argument("dialogue", metavar="DIALOGUE", help="number, name or key")
    one.add_argument("question", metavar="QUESTION")
    one.add_argument("--system", choices=list(RETRIEVERS), default=pipeline.EDGEMEM)
    one.add_argument(
        "--as-of",
        type=session_or_day,
        metavar="N",
        help="know only sessions 1 to N, or those begun by a day (YYYY-MM-DD)",
    )
    one.add_argument("--retrieve-only", action="store_true", help="ask no reader")
    one.add_argument("--again", action="store_true", help="run anew what was asked before")
    one.add_argument(
        "--reader",
        choices=jobs.EXTRACTORS,
        help="who answers (default: the model of MEMCORE_BASE_URL where it is set)",
    )
    one.add_argument("--no-cache", action="store_true", help="take no kept reply of a model")


def _under(settings: Settings) -> str:
    """Return the option that builds under the settings of a retriever, nothing for the usual."""
    builds = any(name in BUILD_FIELDS for name, *_ in changed(settings))
    return f" --preset {preset_of(settings)}" if builds else ""


def ask_command(arguments: argparse.Namespace) -> int:
    """Run `memcore ask` and return its exit code."""
    question = arguments.question.encode("utf-8", "replace").decode()
    with opened(arguments, there=True) as db:
        dialogue = conversations.find(db, arguments.dialogue)
        settings = settings_of(arguments.system)
        memory = memories.load_memory(db, dialogue, settings)
        if not pipeline.is_built(memory, arguments.system):
            msg = (
                f"{memory.conversation.name} has no memory for {arguments.system} yet; "
                f"run: memcore build {dialogue}{_under(settings)}"
            )
            raise StoreError(msg)
        parts = pipeline.offline_parts(pipeline.language_spoken(memory.conversation))
        reader = None if arguments.retrieve_only else _reader(parts, arguments, dialogue)
        retriever = RETRIEVERS[arguments.system](memory, settings, parts)
        known = {q.text: q.asked_at.at for q in conversations.questions(db, dialogue)}
        asked = (known.get(question), session_known(memory.conversation, arguments.as_of))
        name = pipeline.run_fingerprint(memory, question, retriever, reader, asked)
        run = None if arguments.again else runs.asked_before(db, dialogue, name)
        if run is None:
            stages = pipeline.ask(memory, question, retriever, reader, *asked, milliseconds)
            reply = _last(stages)
            meta = RunMeta(memory=memory.fingerprint, code=memcore.__version__, created_at=now())
            run = runs.save_run(db, dialogue, reply, meta)
        reply = runs.load_run(db, run)
    _print_reply(arguments, run, reply)
    return DONE


def session_known(conversation: Conversation, asked: int | date | None) -> int | None:
    """Return the last session to know of: a day takes those that began on it or before.

    A session without a time is as old as the one before it; the day is that of the speakers.
    """
    if not isinstance(asked, date):
        return asked
    days = {s.index: day for s in conversation.sessions if (day := _began(s))}
    begun = [n for n, day in days.items() if day <= asked]
    if not begun:
        msg = f"--as-of {asked}: no session began by that day"
        raise MemcoreError(msg)
    later = (n for n in days if n > begun[-1])
    return next(later, len(conversation.sessions) + 1) - 1


def _began(session: Session) -> date | None:
    """Return the day of a session: its own, else that of its first turn with a time."""
    said = (session.started, *(turn.said for turn in session.turns))
    return next((day for time in said if (day := _day(time))), None)


def _day(said: SaidTime) -> date | None:
    return (said.at + timedelta(minutes=said.offset or 0)).date() if said.at else None


def _last(stages: Iterable[Trace | Reply]) -> Reply:
    """Run a question to its end and return the reply; a reader that failed is an error here."""
    *_, reply = stages
    if not isinstance(reply, Reply):
        msg = "the retriever ended without a reply"
        raise MemcoreError(msg)
    if reply.trouble:
        msg = f"{reply.trouble} Nothing was stored; --reader local asks no model."
        raise ServerError(msg)
    return reply


def _reader(parts: Parts, arguments: argparse.Namespace, dialogue: int) -> Reader:
    """Return the reader that was chosen: by default the model server's where one is set."""
    if arguments.reader == jobs.LOCAL:
        return parts.reader
    server = servers.server()
    if server is None and arguments.reader == jobs.MODEL:
        raise jobs.no_server()
    if server is None:
        return parts.reader
    waits = f"at most {server.timeout:g} s a try, {server.tries} tries"
    complain(f"asking {server.model} at {server.place}, {waits}")
    kept = None if arguments.no_cache else KeptReplies(arguments.workspace, dialogue)
    return ModelReader(Chat(server), replies=kept, fresh=arguments.again)


def _usage(answer: Answer) -> dict[str, object]:
    """Return what a model's answer cost; one from a kept reply cost no call."""
    used, model = answer.usage, model_of(answer.reader)
    return {
        "calls": used.calls,
        "prompt_tokens": used.prompt_tokens,
        "answer_tokens": used.answer_tokens,
        "money": servers.prices().shown(model, used) or None,
    }


def _print_reply(arguments: argparse.Namespace, run: int, reply: Reply) -> None:
    answer = reply.answer
    sources = {span.item: span.sources for span in reply.context.spans}
    cited = dict.fromkeys(
        turn for item in (answer.citations if answer else ()) for turn in sources.get(item, ())
    )
    if arguments.json:
        print_json(
            {
                "run": run,
                "system": reply.trace.retriever,
                "answer": answer.text if answer else None,
                "refused": answer.refused if answer else False,
                "citations": [str(turn) for turn in cited],
                "context": reply.context.text,
                "tokens": reply.context.tokens,
                "beats": [
                    {"beat": b.beat, "in": b.came, "out": b.went, "ms": b.ms}
                    for b in pipeline.beats(reply)
                ],
                **({"usage": _usage(answer)} if answer and answer.prompt else {}),
            }
        )
        return
    say(answer.text if answer else reply.context.text)
    if cited:
        say(f"cites {', '.join(map(str, cited))}")
    for warning in reply.warnings:
        say(f"note: {warning.value.replace('_', ' ')}")
    say(f"run {run}: {reply.trace.retriever}, {reply.context.tokens} tokens")
    if answer and answer.prompt:
        used = _usage(answer)
        how = f"{used['calls']} calls" if used["calls"] else "a reply kept from before"
        money = f", {used['money']}" if used["money"] else ""
        say(
            f"{answer.reader}: {how}, {used['prompt_tokens']} tokens asked, "
            f"{used['answer_tokens']} answered{money}"
        )
