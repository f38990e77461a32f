"""An optional judge of answers: a served model that is told one of two rubrics.

Strict asks for the same fact, lenient for the same main point. A verdict keeps the names of the
model and of the prompt and both texts as sent and received, since figures of two judges, or of two
prompts, cannot be compared. A reply that is no verdict is an error and never counts as "wrong".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Template
from typing import Final

from memcore.chat import Chat, Request, prompt
from memcore.errors import ReplyError
from memcore.readers.openai_compatible import Replies
from memcore.replies import fields_of
from memcore.types import Usage

STRICT: Final = "judge-strict-1"
LENIENT: Final = "judge-lenient-1"
RUBRICS: Final = (STRICT, LENIENT)
"""The prompt files, by their versioned names."""

_VERDICTS: Final[Mapping[str, bool]] = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer is right, by which model and prompt, with both texts as they went."""

    right: bool
    reason: str
    model: str
    prompt_name: str
    prompt: str
    raw: str
    usage: Usage


class Judge:
    """Asks a served model whether an answer is right, by one rubric; a kept reply is no call."""

    def __init__(self, chat: Chat, rubric: str = STRICT, replies: Replies | None = None) -> None:
        self._chat = chat
        self._replies = replies
        self._prompt = prompt("memcore.evaluation", rubric)
        self.name = f"{chat.server.model} ({rubric})"

    def judge(self, question: str, gold: str, answer: str) -> Verdict:
        """Return the verdict on one answer.

        Raises:
            ServerError: if the server cannot be asked; a ReplyError if it gives no verdict.
        """
        words = {"question": question, "gold": gold, "answer": answer}
        request = Request(self._prompt.system, Template(self._prompt.user).substitute(words))
        key = self._chat.key(request)
        kept = self._replies.find(key) if self._replies is not None else None
        reply = self._chat.complete(request) if kept is None else kept
        right, reason = self._read(reply.text)
        if self._replies is not None and kept is None:
            self._replies.keep(key, reply)
        return Verdict(
            right,
            reason,
            self._chat.server.model,
            self._prompt.name,
            request.text,
            reply.text,
            Usage(int(kept is None), reply.prompt_tokens, reply.answer_tokens),
        )

    def _read(self, text: str) -> tuple[bool, str]:
        """Return the verdict of a reply, fenced, or after thoughts."""
        found = fields_of(text, "right")
        right = _VERDICTS.get(found.text("right").casefold()) if found else None
        if found is None or right is None:
            msg = f"{self._chat.server.place} gave no verdict; expected right: true or false"
            raise ReplyError(msg)
        return right, found.text("reason")
