"""The one client of OpenAI-compatible servers, shared by extractor and reader.

Chosen: the `openai` package with a base URL; its own bounded retries with back-off; JSON mode where
the server has it and plain text where it has not. Replies are read leniently, because servers
fence, think aloud, forget a comma or stop in the middle. Turned down: a strict JSON schema, which
most local servers refuse, and showing the server's own error text, which may repeat the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from memcore.errors import ReplyError, ServerError

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import (
        ChatCompletion,
        ChatCompletionChunk,
        ChatCompletionMessageParam,
    )


@dataclass(frozen=True, slots=True)
class Server:
    """Where a model is served. Times are in seconds; `tries` counts the first one too."""

    base_url: str
    model: str
    key: str = field(default="", repr=False, compare=False)
    timeout: float = 120.0
    tries: int = 3
    answer_tokens: int = 4000

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            msg = f"{self.place!r} is no base URL; expected one like http://127.0.0.1:8080/v1"
            raise ServerError(msg)

    @property
    def place(self) -> str:
        """The address without user, password and query, fit to be shown."""
        parts = urlsplit(self.base_url)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file by its versioned name: what the model is told, and the form of the request."""

    name: str
    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Request:
    """One request, as it is sent.

    An `attempt` after the first (0) is asked a little more freely: asked in the same way, most
    servers would give the same useless reply again.
    """

    system: str
    user: str
    attempt: int = 0

    @property
    def temperature(self) -> float:
        """How freely the model may answer: 0 is not at all."""
        return 0.4 if self.attempt else 0.0

    @property
    def text(self) -> str:
        """All that the model gets, verbatim."""
        return f"{self.system}\n\n{self.user}"


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply, as it was received; `cut` says that the server stopped at its token limit."""

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cut: bool = False


def prompt(package: str, name: str) -> Prompt:
    """Return the prompt file `name` of a package; a line `---` parts its two halves."""
    text = (files(package) / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
    system, _, user = text.partition("\n---\n")
    return Prompt(name, system.strip(), user.strip())


class Chat:
    """One model on one server; may be used from several threads."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._json_mode = True

    @cached_property
    def _client(self) -> OpenAI:
        # imported on first use: the app starts without it, and most people never call a server
        from openai import OpenAI

        return OpenAI(
            base_url=self.server.base_url,
            api_key=self.server.key or "none",
            timeout=self.server.timeout,
            max_retries=self.server.tries - 1,
        )

    def complete(self, request: Request) -> Completion:
        """Return the whole reply, asked for as JSON where the server has a mode for it.

        Raises:
            ServerError: if the server is absent, late or unwilling.
            ReplyError: if it says nothing.
        """
        return self._complete(request, json_mode=self._json_mode)

    def stream(self, request: Request) -> Iterator[str | Completion]:
        """Yield the reply piece by piece, then the whole of it.

        Raises:
            ServerError: as `complete`.
        """
        yield from self._stream(request, json_mode=self._json_mode)

    def _complete(self, request: Request, *, json_mode: bool) -> Completion:
        from openai import OpenAIError, omit

        try:
            reply = self._client.chat.completions.create(
                model=self.server.model,
                messages=_messages(request),
                temperature=request.temperature,
                seed=request.attempt,
                max_tokens=self.server.answer_tokens,
                response_format={"type": "json_object"} if json_mode else omit,
            )
        except (OpenAIError, json.JSONDecodeError) as error:
            if self._worth_plain_text(error, json_mode=json_mode):
                return self._complete(request, json_mode=False)
            raise ServerError(self._sentence(error)) from None
        return self._read(reply)

    def _stream(self, request: Request, *, json_mode: bool) -> Iterator[str | Completion]:
        from openai import OpenAIError, omit

        try:
            chunks = self._client.chat.completions.create(
                model=self.server.model,
                messages=_messages(request),
                temperature=request.temperature,
                seed=request.attempt,
                max_tokens=self.server.answer_tokens,
                response_format={"type": "json_object"} if json_mode else omit,
                stream=True,
                stream_options={"include_usage": True},
            )
            yield from self._pieces(chunks)
        except (OpenAIError, json.JSONDecodeError) as error:
            if not self._worth_plain_text(error, json_mode=json_mode):
                raise ServerError(self._sentence(error)) from None
            yield from self._stream(request, json_mode=False)

    def _pieces(self, chunks: Iterable[ChatCompletionChunk]) -> Iterator[str | Completion]:
        pieces: list[str] = []
        sent, got, cut = 0, 0, False
        for chunk in chunks:
            if chunk.usage:
                sent, got = chunk.usage.prompt_tokens, chunk.usage.completion_tokens
            choice = chunk.choices[0] if chunk.choices else None
            if choice is None:
                continue
            cut = cut or choice.finish_reason == "length"
            if choice.delta.content:
                pieces.append(choice.delta.content)
                yield choice.delta.content
        yield self._checked(Completion("".join(pieces), sent, got, cut))

    def _read(self, reply: ChatCompletion) -> Completion:
        # the client hands through whatever came: a page of HTML arrives as a string
        choices = getattr(reply, "choices", None)
        message = getattr(choices[0], "message", None) if choices else None
        if choices is None or message is None:
            msg = f"{self.server.place} answered, but not in OpenAI's chat format"
            raise ServerError(msg)
        usage = reply.usage
        return self._checked(
            Completion(
                message.content or "",
                usage.prompt_tokens if usage else 0,
                usage.completion_tokens if usage else 0,
                choices[0].finish_reason == "length",
            )
        )

    def _checked(self, completion: Completion) -> Completion:
        if completion.text.strip():
            return completion
        msg = f"{self.server.place} returned an empty reply of model {self.server.model!r}"
        raise ReplyError(msg)

    def _worth_plain_text(self, error: Exception, *, json_mode: bool) -> bool:
        """Whether to ask again without JSON mode; this chat then never asks for it again."""
        if not json_mode or getattr(error, "status_code", None) not in {400, 415, 422, 501}:
            return False
        self._json_mode = False
        return True

    def _sentence(self, error: Exception) -> str:
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        place, model = self.server.place, self.server.model
        if isinstance(error, APITimeoutError):
            return f"{place} did not answer within {self.server.timeout:g} s, {self._times}"
        if isinstance(error, APIConnectionError):
            return f"no model server answers at {place}; start it, or correct the base URL"
        if isinstance(error, APIStatusError):
            known = _STATUS.get(error.status_code, "the request was refused")
            return f"{place} answered with status {error.status_code}: {known} (model {model!r})"
        return f"{place} answered, but not in OpenAI's chat format"

    @property
    def _times(self) -> str:
        return "tried once" if self.server.tries == 1 else f"tried {self.server.tries} times"


_STATUS: Final = {
    401: "the key is missing or wrong",
    403: "the key may not use this model",
    404: "the model or the path is unknown there; expected a base URL that ends in /v1",
    413: "the request is too long for it",
    429: "too many requests, or the quota is used up",
    500: "it failed on its side",
    502: "it failed on its side",
    503: "it is not ready",
    504: "it took too long",
}


def _messages(request: Request) -> list[ChatCompletionMessageParam]:
    return [
        {"role": "system", "content": request.system},
        {"role": "user", "content": request.user},
    ]


# ---------------------------------------------------------------- what a reply says


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object of a reply, asked for by name and kind; what is missing is empty.

    `cut` says that the text ended before the object did.
    """

    values: tuple[tuple[str, object], ...] = ()
    cut: bool = False

    def has(self, name: str) -> bool:
        """Whether the object holds the name."""
        return any(key == name for key, _ in self.values)

    def text(self, name: str) -> str:
        """The value as text; a list is joined by commas, `null` and "null" are empty."""
        return ", ".join(self.texts(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """The value as texts; one scalar stands for a list of one."""
        value = self._value(name)
        listed = value if isinstance(value, list) else [value]
        texts = (str(v).strip() for v in listed if isinstance(v, str | int | float))
        return tuple(t for t in texts if t and t.casefold() not in _NOTHING)

    def objects(self, name: str) -> tuple[Fields, ...]:
        """The value as objects; one object stands for a list of one."""
        value = self._value(name)
        listed = value if isinstance(value, list) else [value]
        return tuple(_fields(v) for v in listed if isinstance(v, dict))

    def _value(self, name: str) -> object:
        return next((value for key, value in self.values if key == name), None)


_NOTHING: Final = frozenset({"null", "none", "n/a"})
_THOUGHT: Final = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_THOUGHT_END: Final = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL)
_THOUGHT_OPEN: Final = re.compile(r"<(think|thinking|reasoning)>.*\Z", re.DOTALL)


def without_thoughts(text: str) -> str:
    """Return the reply without what the model thought aloud between tags.

    >>> without_thoughts("<think>hm {} </think>{}")
    '{}'
    """
    said = _THOUGHT_END.sub("", _THOUGHT.sub("", text))
    return _THOUGHT_OPEN.sub("", said)


def fields_of(text: str, wanted: str) -> Fields | None:
    r"""Return the last object of a reply that holds the name `wanted`; None if there is none.

    The last one, since a model that thinks aloud may show an example first. A bare list counts as
    an object that holds the list under `wanted`.

    >>> fields_of('Sure: ```json\n{"answer": "Porto", "cited": [1,]}\n```', "answer").text("cited")
    '1'
    """
    found = [f for f in _objects(without_thoughts(text), wanted) if f.has(wanted)]
    return found[-1] if found else None


def _objects(text: str, wanted: str) -> Iterator[Fields]:
    at = 0
    while opening := _OPENING.search(text, at):
        mended, end, cut = _mended(text, opening.start())
        value = _loaded(mended)
        if value is None:
            at = opening.start() + 1
            continue
        at = end
        if isinstance(value, dict):
            yield _fields(value, cut=cut)
        elif isinstance(value, list) and all(isinstance(v, dict) for v in value):
            yield Fields(((wanted, value),), cut)


_OPENING: Final = re.compile(r'[{\[](?=\s*["{}\]])')
_CLOSER: Final = {"{": "}", "[": "]"}


def _fields(value: dict[str, object], *, cut: bool = False) -> Fields:
    return Fields(tuple(value.items()), cut)


def _loaded(mended: tuple[str, ...]) -> object:
    """Return the value of the first version that is JSON, else None."""
    for version in mended:
        try:
            loaded: object = json.loads(version, strict=False)
        except (json.JSONDecodeError, RecursionError):
            continue
        return loaded
    return None


def _mended(text: str, start: int) -> tuple[tuple[str, ...], int, bool]:
    """Return the value at `start` without commas before a bracket, its end, and if it was cut.

    A cut one comes in two versions: closed where the text ends, and closed after its last comma.
    """
    out: list[str] = []
    stack: list[str] = []
    comma: tuple[int, tuple[str, ...]] = (0, ())
    for token in _TOKEN.finditer(text, start):
        piece = token[0]
        if piece in _CLOSER:
            stack.append(_CLOSER[piece])
        elif piece in {"}", "]"}:
            _drop_comma(out)
            if stack.pop() != piece:
                return (), token.end(), False
        elif piece == ",":
            comma = (len(out), tuple(stack))
        out.append(_closed(piece))
        if not stack:
            return ("".join(out),), token.end(), False
    upto, open_then = comma
    shorter = "".join(out[:upto]) + "".join(reversed(open_then))
    _drop_comma(out)
    return ("".join(out) + "".join(reversed(stack)), shorter), len(text), True


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[{}\[\],]|[^"{}\[\],]+', re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"\Z', re.DOTALL)
_BROKEN_ESCAPE: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?\Z")


def _closed(piece: str) -> str:
    """Return a string that the end of the text cut with its closing quote; else the piece."""
    if not piece.startswith('"') or _STRING.match(piece):
        return piece
    return _BROKEN_ESCAPE.sub(r"\1", piece) + '"'


def _drop_comma(out: list[str]) -> None:
    while out and not out[-1].strip():
        out.pop()
    if out and out[-1] == ",":
        out.pop()


def text_so_far(text: str, name: str) -> str:
    """Return what a growing reply holds so far of the text field `name`.

    >>> text_so_far('{"reasoning": "x", "answer": "In Por', "answer")
    'In Por'
    """
    said = without_thoughts(text)
    opening = re.search(rf'(?<!\\)"{re.escape(name)}"\s*:\s*(?=")', said)
    if not opening:
        return ""
    literal = _TOKEN.match(said, opening.end())
    loaded = _loaded((_closed(literal[0]),)) if literal else None
    return loaded if isinstance(loaded, str) else ""
