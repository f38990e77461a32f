"""What a click does: read and store files, start and follow builds, ask.

Parts are chosen here, at the edge; heavy ones are made once for the server and loaded on first
use. So are the modules that read, build and ask: a recorded run is shown without them. The clock
is read here and handed to the library.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

import memcore
from memcore.cli import servers
from memcore.errors import MemcoreError, ServerError
from memcore.prices import Prices
from memcore.settings import Settings
from memcore.store import changes, codec, conversations, runs
from memcore.store import jobs as job_rows
from memcore.store.again import Changed
from memcore.store.changes import Compared
from memcore.store.jobs import Job, State
from memcore.store.memories import Kind
from memcore.store.records import RunMeta
from memcore.types import Beat, Conversation, Memory, Question, ReadResult, Reply
from pages import frame, holdings
from pages.frame import words

if TYPE_CHECKING:
    from memcore.chat import Server
    from memcore.retrieval.loop import Retriever
    from memcore.seams import Parts, Reader
    from memcore.transcripts.options import Options
    from memcore.transcripts.sources import Source

FAILS = "q25"
"""The question of the English sample that fails honestly: the last scene of Present."""

SAMPLES = Path(__file__).resolve().parents[1] / "sample_data"


# ---------------------------------------------------------------- parts


@st.cache_resource(show_spinner=False)
def parts(language: str) -> Parts:
    """Return the parts that need no network, for dialogues of a language."""
    from memcore import pipeline  # on first use

    return pipeline.offline_parts(language)


def parts_of(memory: Memory) -> Parts:
    """Return the parts for the language of a memory's dialogue."""
    from memcore import pipeline  # on first use

    return parts(pipeline.language_spoken(memory.conversation))


def reader(memory: Memory, *, fresh: bool = False) -> Reader:
    """Return the model server's reader where one is set and chosen, else the local one.

    What a model says is shown where the page now is, as far as it has come; the page then draws
    what was stored. A `fresh` reader takes no kept reply.
    """
    found, here = server_or_none(), frame.state()
    if found is None or not served():
        return parts_of(memory).reader
    from memcore.chat import Chat  # on first use
    from memcore.readers.openai_compatible import ModelReader
    from memcore.readers.shown import ShownReader
    from memcore.store.replies import KeptReplies

    kept = KeptReplies(holdings.path(), here.dialogue) if here.kept and here.dialogue else None
    return ShownReader(ModelReader(Chat(found), replies=kept, fresh=fresh), st.empty().text)


def server() -> Server | None:
    """Return the model server of the environment or the secrets, None if it is not set.

    Raises:
        ServerError: if it is set in part, or a value is of no use.
    """
    return servers.server(variable)


def server_or_none() -> Server | None:
    """Return the model server where it can be used; the page Ask says why it cannot."""
    try:
        return server()
    except ServerError:
        return None


def prices() -> Prices:
    """Return the prices that are set.

    Raises:
        SettingsError: if they are of another form.
    """
    return servers.prices(variable)


def served() -> bool:
    """Whether the model server answers: it is set, and this session did not choose otherwise."""
    return server_or_none() is not None and frame.state().reader != "local"


def variable(name: str) -> str:
    """Return a model server's setting from the environment, else from Streamlit secrets."""
    found = os.environ.get(name, "")
    if found or not st.secrets.load_if_toml_exists():
        return found
    return str(st.secrets.get(name, ""))


@st.cache_resource(max_entries=12, show_spinner=False)
def _retriever(system: str, chosen: Settings, fingerprint: str, _memory: Memory) -> Retriever:
    from memcore.retrieval.table import RETRIEVERS  # on first use

    return RETRIEVERS[system](_memory, chosen, parts_of(_memory))


def retriever(system: str, chosen: Settings, memory: Memory) -> Retriever:
    """Return a retriever ready for a memory under settings, made once for the server."""
    return _retriever(system, chosen, memory.fingerprint, memory)


# ---------------------------------------------------------------- import


def read(sources: tuple[Source, ...], options: Options) -> ReadResult:
    """Return what the files hold together, read once for their content and the switches.

    Raises:
        MemcoreError: if they cannot be read as talk.
    """
    prints = tuple((s.name, blake2b(s.data, digest_size=16).hexdigest()) for s in sources)
    return _read(prints, options.used(), sources, replace(options, moment=datetime.now(UTC)))


@st.cache_resource(max_entries=8, show_spinner=False)
def _read(
    prints: tuple[tuple[str, str], ...],
    used: tuple[tuple[str, str], ...],
    _sources: tuple[Source, ...],
    _options: Options,
) -> ReadResult:
    from memcore.cli.importing import read_together  # on first use

    return read_together(_sources, _options)


def compared(result: ReadResult) -> Compared:
    """Return what of a read file is stored already, and which turns differ."""
    with holdings.opened() as db:
        return changes.compared(db, result.conversations)


def store(result: ReadResult, changed: Changed = Changed.REPLACE) -> None:
    """Store what was read, open its dialogue, and let the upload box begin anew."""
    here = frame.state()
    with holdings.opened(read_only=False) as db:
        saved = conversations.save(db, result, datetime.now(UTC), changed)
    here.uploads += 1
    frame.open_dialogue(saved.dialogues[0])
    again = saved.report.again
    here.notices.append(
        words("start.imported", turns=saved.report.turns, unchanged=again.unchanged)
    )
    st.rerun()


def sample_asked() -> bool:
    """Whether this browser session begins with the sample, as `--sample` asks.

    A link to something names what to open, and goes before.
    """
    first = not st.session_state.get("memcore_sample_shown", False)
    st.session_state["memcore_sample_shown"] = True
    here = frame.state()
    return first and holdings.arguments().sample and not here.linked


def open_sample(name: str) -> None:
    """Import a sample, build it in this run with its progress shown, ask, and open Step."""
    number = _import_sample(name)
    frame.open_dialogue(number)
    conversation = holdings.conversation()
    if conversation is None:
        return
    if not holdings.built():
        from memcore import pipeline  # on first use

        _build_here(number, pipeline.language_spoken(conversation))
    memory, known = holdings.memory(), holdings.questions()
    if memory is not None and known:
        for question in (*(q for q in known if q.id == FAILS), known[0]):
            ask(memory, question.text, question)
        frame.go(1)
        st.switch_page("pages/step.py")


def sample_talk() -> Conversation:
    """Return the English sample as it is read, not stored."""
    from memcore.transcripts.options import Options  # on first use
    from memcore.transcripts.read import read as read_sources
    from memcore.transcripts.sources import from_path

    return read_sources((from_path(SAMPLES / "english.json"),), Options()).conversations[0]


def _import_sample(name: str) -> int:
    from memcore.transcripts.options import Options  # on first use
    from memcore.transcripts.questions_file import read_questions
    from memcore.transcripts.read import read as read_sources
    from memcore.transcripts.sources import from_path

    talk, asked = (SAMPLES / f"{name}{end}" for end in (".json", ".questions.jsonl"))
    result = read_sources((from_path(talk),), Options())
    known = read_questions(from_path(asked), result.conversations[0])
    with holdings.opened(read_only=False) as db:
        number = conversations.save(db, result, datetime.now(UTC), sample=True).dialogues[0]
        if not conversations.questions(db, number):
            conversations.add_questions(db, number, known)
    return number


def _build_here(number: int, language: str) -> None:
    """Build both memories in this run; killed, the build goes on where it was."""
    from memcore import pipeline  # on first use

    with st.status(words("start.loading_models"), expanded=True) as status:
        bar = st.progress(0.0)
        with holdings.opened(read_only=False) as db:
            for step in pipeline.build(db, number, parts(language), holdings.settings()):
                phase = words(f"phase.{step.phase}")
                line = words("phase.row", phase=phase, done=step.done, total=step.total)
                bar.progress(step.done / max(step.total, 1), line)
        status.update(label=words("start.build_done"), state="complete", expanded=False)


# ---------------------------------------------------------------- builds


def job() -> Job | None:
    """Return the newest build job of the open dialogue."""
    number = frame.state().dialogue
    if number is None:
        return None
    with holdings.opened() as db:
        return next(iter(job_rows.listing(db, number)), None)


def running(found: Job) -> bool:
    """Whether a worker is at it now."""
    return found.alive(time.time())


def build(extractor: str = "local", kinds: tuple[str, ...] = ()) -> None:
    """Start, or resume, the build of memories of the open dialogue in a child process.

    Both are built where none is named. The child learns of a model server by its environment, wherever the page found it.
    """
    from memcore import jobs, pipeline  # on first use

    number, before = frame.state().dialogue, job()
    told = {name: found for name in servers.NAMES if (found := variable(name))}
    child = {**os.environ, **told}
    wanted = (holdings.settings(), extractor, kinds or pipeline.BOTH)
    unfinished = before is not None and before.state is not State.DONE
    if before is not None and unfinished and _asked_for(before) == wanted:
        jobs.resume(holdings.path(), before.id, time.time, child)
        return
    if number is not None:
        jobs.start(holdings.path(), number, wanted[0], wanted[2], time.time, extractor, child)


def _asked_for(job: Job) -> tuple[Settings, str, tuple[str, ...]]:
    return job.settings, job.extractor, job.memories


@frame.refusing
def stop(number: int) -> None:
    """Ask a build to end after its present step; what it built stays."""
    with holdings.opened(read_only=False) as db:
        job_rows.ask_to_stop(db, number)


# ---------------------------------------------------------------- questions


@dataclass(frozen=True, slots=True)
class Asking:
    """One question to one retriever: its settings, when it is asked, and as of which session."""

    text: str
    system: str
    settings: Settings
    asked_at: datetime | None
    as_of: int | None
    read: bool = True
    parent: int | None = None


def ask(
    memory: Memory, text: str, question: Question | None, *, read: bool = True, again: bool = False
) -> None:
    """Ask, store the run, and make it the open one; an equal run that is stored is opened."""
    here = frame.state()
    at = question.asked_at.at if question else None
    asking = Asking(text, here.system, holdings.settings(), at, here.as_of, read)
    try:
        run = asked(memory, asking, again=again)
        beside = ask_other(asking, again=again)
    except MemcoreError as error:
        here.notices.append(str(error))
        return
    if run != here.run:
        frame.open_run(run)
    if beside is not None:
        here.left, here.right = run, beside


def ask_other(asking: Asking, *, again: bool) -> int | None:
    """Ask the retriever B the same; return its run, None where none is chosen or built."""
    here, system = frame.state(), frame.state().other
    if system in ("", asking.system):
        return None
    chosen = holdings.settings(system)
    memory = holdings.stored_memory(
        here.dialogue or 0, chosen, holdings.SYSTEMS[system], asking.as_of
    )
    if memory is None:
        here.notices.append(words("compare.not_built", system=system))
        return None
    return asked(memory, replace(asking, system=system, settings=chosen), again=again)


def asked(memory: Memory, asking: Asking, *, again: bool = False) -> int:
    """Ask and store the run; return its number, or that of an equal run that is stored.

    Raises:
        MemcoreError: if the question cannot be asked, or the run not stored.
    """
    from memcore import pipeline  # on first use

    chosen = retriever(asking.system, asking.settings, memory)
    who = reader(memory, fresh=again) if asking.read else None
    when = asking.asked_at, asking.as_of
    print_ = pipeline.run_fingerprint(memory, asking.text, chosen, who, when)
    number = frame.state().dialogue or 0
    if not again:
        with holdings.opened() as db:
            stored = runs.asked_before(db, number, print_)
        if stored is not None:
            return stored
    with st.spinner(words("ask.working")):
        _warm(chosen, asking.text)
        *_, reply = pipeline.ask(memory, asking.text, chosen, who, *when, _clock)
    if not isinstance(reply, Reply):
        raise MemcoreError(words("ask.no_reply"))
    kind = "ask" if asking.parent is None else "what-if"
    meta = RunMeta(
        kind,
        parent=asking.parent,
        memory=memory.fingerprint,
        code=memcore.__version__,
        created_at=datetime.now(UTC),
    )
    with holdings.opened(read_only=False) as db:
        return runs.save_run(db, number, reply, meta)


def _warm(retriever: Retriever, text: str) -> None:
    """Load the models that a question needs, so that no beat's time holds their loading."""
    retriever.analyse(text, None)
    if holdings.SYSTEMS[retriever.name] is not Kind.EDGEMEM:
        parts_of(retriever.memory).embedder.encode((text,))


def _clock() -> float:
    return time.perf_counter() * 1000


def raw(run: int, beat: Beat, stage: str = "") -> str:
    """Return the stored records of a beat, or of one stage of it, as JSON."""
    with holdings.opened() as db:
        records = runs.load_records(db, run)
    seqs = {s.seq for s in records.stage if s.beat is beat and stage in {"", s.name}}
    found = replace(
        records,
        stage=tuple(s for s in records.stage if s.seq in seqs),
        event=tuple(e for e in records.event if e.seq in seqs),
        term=tuple(t for t in records.term if t.seq in seqs),
        link=tuple(k for k in records.link if k.seq in seqs),
    )
    return json.dumps(codec.to_json(found), ensure_ascii=False, indent=1)
