"""One question to one system: the timed ranked list, the trace beside it, and what became of gold.

Where a retriever gives its list without a trace, the list is timed with the real parts and the
trace is written afterwards, in its own time. Where it does not (AriadneMem), one run serves both,
and the list's time is that of the steps before the first packing step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from memcore.annotate.tokens import tokens
from memcore.context import turn_words
from memcore.errors import MemcoreError
from memcore.evaluation import answers
from memcore.evaluation.metrics import recall_within
from memcore.evaluation.ranks import ranks_of
from memcore.evaluation.survival import Sources, joined, survival
from memcore.pipeline import ARIADNEMEM, ask
from memcore.retrieval.listing import ranked_list
from memcore.retrieval.loop import Retriever
from memcore.seams import Reader
from memcore.store.evaluations import Answered, Outcome, Result, asked_digest
from memcore.types import Beat, Item, Question, Reply, Step, TurnId, Warning

ADVERSARIAL = 5
"""The category of LoCoMo whose questions are right iff refused; one with an answer is none."""

BUDGETS = (500, 1000, 2500)
"""Tokens within which recall is measured, by the counter of the packets."""

REFUSING = frozenset(
    {
        Warning.OTHER_SUBJECT,
        Warning.UNTOLD_THING,
        Warning.BELOW_FLOOR,
        Warning.NOTHING_FOUND,
    }
)
"""Warnings that stand for a refusal where nobody reads, beside a doubtful premise."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True, eq=False)
class Asker:
    """A system on one dialogue, ready to be asked.

    `timed` is made with the real parts, `traced` with parts that know the questions by heart.
    """

    timed: Retriever
    traced: Retriever
    reader: Reader | None
    clock: Clock

    def all(self, questions: Sequence[Question]) -> Iterator[Answered]:
        """Yield what became of each question; one that cannot be asked is a failed result."""
        memory = self.timed.memory
        sources = Sources(memory, facts=self.timed.name.startswith(ARIADNEMEM))
        costs = {t.id: tokens(turn_words(t)) for t in memory.conversation.turns}
        if questions:
            self._warm(questions[0])
        for question in questions:
            try:
                yield self._one(question, sources, costs)
            except MemcoreError as error:
                digest = asked_digest(question)
                yield Answered(Result(question.id, digest, Outcome.FAILED, str(error)))

    def _warm(self, question: Question) -> None:
        """Load what is loaded on first use: that time is no question's."""
        try:
            ranked_list(self.timed, question.text, question.asked_at.at)
        except MemcoreError:
            return  # it fails again where it is counted

    def _one(self, question: Question, sources: Sources, costs: dict[TurnId, int]) -> Answered:
        items, ms = self._listed(question)
        began = self.clock()
        *_, reply = ask(
            self.traced.memory,
            question.text,
            self.traced,
            self.reader,
            question.asked_at.at,
            clock=self.clock,
        )
        spent = self.clock() - began
        if not isinstance(reply, Reply):  # pragma: no cover - the last one always is
            raise TypeError
        if self.timed.listing is None:
            items, ms = _before_packing(reply)
            spent -= ms
        turns = tuple(dict.fromkeys(t for item in items for t in sources.of(item)))
        result = _judged(question, turns, reply, sources)
        within = tuple(
            recall_within(turns, question.evidence_turns, [costs[t] for t in turns], budget) or 0.0
            for budget in BUDGETS
        )
        read = reply.milliseconds[-1] if self.reader else None
        return Answered(
            replace(
                result,
                within=within if question.evidence_turns else (),
                ms=round(ms, 3),
                trace_ms=round(max(spent - (read or 0.0), 0.0), 3),
                read_ms=read,
            ),
            turns,
        )

    def _listed(self, question: Question) -> tuple[tuple[Item, ...], float]:
        if self.timed.listing is None:
            return (), 0.0
        began = self.clock()
        found = ranked_list(self.timed, question.text, question.asked_at.at)
        return found, self.clock() - began


def _before_packing(reply: Reply) -> tuple[tuple[Item, ...], float]:
    """Return what stood ready for packing, and the milliseconds until then."""
    steps = reply.trace.steps
    packing = [n for n, step in enumerate(steps) if step.beat is Beat.PACK]
    end = packing[0] if packing else len(steps)
    ready: Step | None = steps[end - 1] if end else None
    items = tuple(dict.fromkeys(c.item for c in ready.kept)) if ready else ()
    return items, sum(reply.milliseconds[:end])


def _judged(question: Question, turns: Sequence[TurnId], reply: Reply, sources: Sources) -> Result:
    gold = question.evidence_turns
    found = survival(sources, reply, gold)
    sessions = tuple(dict.fromkeys(t.session for t in turns))
    updates, shown = sources.updates(reply.context.items)
    packed = {t for span in reply.context.spans for t in span.sources}
    plain = Result(
        question.id,
        asked_digest(question),
        dated=reply.trace.query.interval is not None,
        ranks=ranks_of(turns, gold),
        session_ranks=ranks_of(sessions, question.evidence_sessions or [t.session for t in gold]),
        listed=len(turns),
        survived=found.counts,
        used=found.used,
        fates=found.fates,
        turns=len(packed),
        tokens=reply.context.tokens,
        joined=joined(sources, reply, gold),
        updates=updates,
        updates_shown=shown,
        warnings=tuple(w.value for w in reply.warnings),
        refused=_doubted(reply),
        refusal=_refusal(reply),
    )
    return _read(plain, question, reply)


def _doubted(reply: Reply) -> bool:
    """Whether the premise check alone would refuse, without any reader."""
    premise = reply.context.premise
    return bool(REFUSING & set(reply.warnings)) or (premise is not None and premise.doubtful)


def _refusal(reply: Reply) -> float | None:
    """Return the score by which a reply is (not) refused, where it carries one."""
    premise = reply.context.premise
    return premise.score if premise is not None else None


def _read(result: Result, question: Question, reply: Reply) -> Result:
    """Return the result with what the reader said, if anybody read."""
    answer = reply.answer
    if answer is None:
        return replace(result, trouble=reply.trouble)
    scored = bool(question.answer) and not question.abstain
    code = None if scored and question.category_code == ADVERSARIAL else question.category_code
    official = answers.official_f1(answer.text, question.answer, code)
    return replace(
        result,
        refused=answer.refused,
        answer=answer.text,
        citations=tuple(str(c) for c in answer.citations),
        f1_official=official if scored or code == ADVERSARIAL else None,
        f1_set=answers.set_f1(answer.text, question.answer) if scored else None,
        bleu1=answers.bleu1(answer.text, question.answer) if scored else None,
        calls=answer.usage.calls,
        prompt_tokens=answer.usage.prompt_tokens,
        answer_tokens=answer.usage.answer_tokens,
    )
