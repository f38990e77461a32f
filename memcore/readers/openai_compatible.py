"""A reader that asks a model server once and checks mechanically what it cites.

Chosen: one call, JSON {reasoning, answer, cited}; a reply in plain words is taken as the answer,
since small models forget the form. Citations are compared with the labels of the packet, never
believed; those that are not there are kept as `absent`. Replies that could be used may be kept and
are then not asked for again; an answer from a kept reply has tokens and no call. Turned down: a
second call that mends the first, which would hide from the user what the model really said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from string import Template
from typing import Final, Protocol

from memcore.annotate.languages import language_of
from memcore.chat import Chat, Completion, Request, prompt
from memcore.errors import ReplyError
from memcore.readers.refusals import is_refusal, refusal
from memcore.replies import Fields, fields_of, text_so_far
from memcore.replies import without_thoughts as spoken
from memcore.types import Answer, Context, Item, Sentence, Usage

PROMPT: Final = "answer-1"


class Replies(Protocol):
    """Replies kept from before, by the key of their request."""

    def find(self, key: str, /) -> Completion | None:
        """Return the kept reply, None if there is none."""

    def keep(self, key: str, completion: Completion, /) -> None:
        """Keep a reply, in place of one of the same key."""


class ModelReader:
    """Reads with one model of an OpenAI-compatible server; can stream the answer.

    With `replies`, one that was kept is taken instead of a call, unless the reader is `fresh`.
    """

    def __init__(
        self,
        chat: Chat,
        prompt_name: str = PROMPT,
        replies: Replies | None = None,
        *,
        fresh: bool = False,
    ) -> None:
        self._chat = chat
        self._prompt = prompt("memcore.readers", prompt_name)
        self._replies = replies
        self._fresh = fresh
        self.name = f"{chat.server.model} ({prompt_name})"

    def request(self, question: str, context: Context) -> Request:
        """Return what the model will be sent, word for word."""
        words = {
            "question": " ".join(question.split()),
            "evidence": context.text,
            "refusal": refusal(language_of(question)),
        }
        system = Template(self._prompt.system).safe_substitute(words)
        return Request(system, Template(self._prompt.user).safe_substitute(words))

    def read(self, question: str, context: Context, /) -> Answer:
        """Return the model's answer, its citations checked.

        Raises:
            ServerError: if the server gives no usable reply.
        """
        request = self.request(question, context)
        known = self._known(request)
        if known is not None:
            return self._again(question, context, request, known)
        completion = self._chat.complete(request)
        answer = self._answer(question, context, request, completion)
        self._keep(request, completion)
        return answer

    def stream(self, question: str, context: Context, /) -> Iterator[str | Answer]:
        """Yield the answer's text as it grows, without its wrapping, then the checked Answer.

        Raises:
            ServerError: if the server gives no usable reply.
        """
        request = self.request(question, context)
        known = self._known(request)
        if known is not None:
            answer = self._again(question, context, request, known)
            yield answer.text
            yield answer
            return
        raw, shown = "", ""
        for piece in self._chat.stream(request):
            if isinstance(piece, Completion):
                answer = self._answer(question, context, request, piece)
                self._keep(request, piece)
                yield answer
                return
            raw += piece
            grown = text_so_far(raw, "answer")
            if grown.startswith(shown) and grown != shown:
                yield grown[len(shown) :]
                shown = grown

    def _known(self, request: Request) -> Completion | None:
        if self._replies is None or self._fresh:
            return None
        return self._replies.find(self._chat.key(request))

    def _keep(self, request: Request, completion: Completion) -> None:
        if self._replies is not None:
            self._replies.keep(self._chat.key(request), completion)

    def _again(
        self, question: str, context: Context, request: Request, known: Completion
    ) -> Answer:
        """Return the answer of a kept reply; it cost no call."""
        answer = self._answer(question, context, request, known)
        return replace(answer, usage=replace(answer.usage, calls=0))

    def _answer(
        self, question: str, context: Context, request: Request, completion: Completion
    ) -> Answer:
        text, cited = self._said(completion)
        language = language_of(question)
        refuses = is_refusal(text)
        labels = _labels(context)
        sentences = _sentences(refusal(language) if refuses else text, cited, labels)
        if refuses:
            sentences = tuple(Sentence(s.text) for s in sentences)
        named = (*cited, *_inline(text))
        return Answer(
            text=refusal(language) if refuses else _INLINE.sub("", text).strip(),
            citations=tuple(dict.fromkeys(c for s in sentences for c in s.citations)),
            sentences=sentences,
            absent=tuple(dict.fromkeys(n for n in map(_bare, named) if n not in labels)),
            refused=refuses,
            usage=Usage(1, completion.prompt_tokens, completion.answer_tokens),
            prompt=request.text,
            raw=completion.text,
            reader=self.name,
        )

    def _said(self, completion: Completion) -> tuple[str, tuple[str, ...]]:
        """Return the answer's text and the labels that the reply names as its support."""
        fields = fields_of(completion.text, "answer")
        plain = spoken(completion.text).strip()
        begun = fields is None and plain.startswith(("{", "```", "["))
        if begun or (fields is not None and _breaks_off(fields, completion)) or not plain:
            msg = (
                f"{self._chat.server.place} gave no whole answer in the form asked for "
                f"({completion.answer_tokens} tokens); allow longer answers or take a larger model"
            )
            raise ReplyError(msg)
        if fields is None:
            return plain, ()
        return fields.text("answer"), tuple(
            part
            for cited in fields.texts("cited")
            for part in re.split(r"[,;]", cited)
            if part.strip()
        )


_INLINE: Final = re.compile(r"\[\s*(F?\d+(?:\s*[,;]\s*F?\d+)*)\s*\]")
_END: Final = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b[DMS][rst]\.)(?<!\bMrs\.)\s+(?=[^\s\[])|(?<=[。！？])(?!\s*\[)|\n+"
)


def _breaks_off(fields: Fields, completion: Completion) -> bool:
    """Whether the reply ended inside the answer; one that ended among the citations is whole."""
    return (fields.cut or completion.cut) and not fields.has("cited")


def _labels(context: Context) -> dict[str, Item]:
    """Return the items of the packet under their bare label and under their id."""
    labels: dict[str, Item] = {}
    for span in context.spans:
        if span.item is not None:
            labels[_bare(span.label)] = span.item
            labels[_bare(str(span.item))] = span.item
    return labels


def _bare(label: str) -> str:
    return label.strip().strip("[]().").strip().upper()


def _sentences(text: str, cited: tuple[str, ...], labels: dict[str, Item]) -> tuple[Sentence, ...]:
    """Return the sentences with what each cites.

    Labels inside a sentence are its own; where no sentence has any, the list of the reply belongs
    to the answer as a whole and stands at its last sentence.
    """
    pieces = [p for p in (part.strip() for part in _END.split(text)) if p]
    own = [_inline(p) for p in pieces]
    if pieces and not any(own):
        own[-1] = cited
    return tuple(
        Sentence(_INLINE.sub("", piece).replace(" .", ".").strip(), _items(names, labels))
        for piece, names in zip(pieces, own, strict=True)
    )


def _inline(text: str) -> tuple[str, ...]:
    """Return the labels that stand in a text, as in `[1, 3]`."""
    return tuple(n for found in _INLINE.findall(text) for n in re.split(r"[,;\s]+", found))


def _items(names: tuple[str, ...], labels: dict[str, Item]) -> tuple[Item, ...]:
    found = (labels[n] for n in map(_bare, names) if n in labels)
    return tuple(dict.fromkeys(found))
