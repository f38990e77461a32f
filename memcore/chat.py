"""The one client of OpenAI-compatible servers, shared by extractor and reader.

Chosen: the `openai` package with a base URL; its own bounded retries with back-off; JSON mode where
the server has it and plain text where it has not. A field that a server refuses is left out from
then on, since each knows others. What a reply says is read in `replies`. Turned down: a strict
JSON schema, which most local servers refuse, and showing the server's own error text, which may
repeat the key; for the same reason a key that a reply repeats is blotted out before it is stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from memcore.errors import LateError, ReplyError, ServerError, TooLongError
from memcore.replies import fields_of

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import (
        ChatCompletion,
        ChatCompletionChunk,
        ChatCompletionMessageParam,
    )


DEFAULT_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Server:
    """Where a model is served. Times are in seconds; `tries` counts the first one too."""

    base_url: str
    model: str
    key: str = field(default="", repr=False, compare=False)
    timeout: float = DEFAULT_SECONDS
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
        self._refused: frozenset[str] = frozenset()

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

    def key(self, request: Request) -> str:
        """Return what stands for a request: two of one key may share a reply.

        Prompt, model, server and all that shapes the reply are in it; the API key is not.
        """
        server, said = self.server, (request.system, request.user)
        asked = (server.place, server.model, server.answer_tokens, request.attempt, *said)
        return blake2b(json.dumps(asked).encode(), digest_size=16).hexdigest()

    @property
    def json_mode(self) -> bool:
        """Whether JSON is asked for by the server's own mode; False once it refused that."""
        return "response_format" not in self._refused

    def complete(self, request: Request) -> Completion:
        """Return the whole reply, asked for as JSON where the server has a mode for it.

        Raises:
            LateError: if the server does not answer in time.
            TooLongError: if the request is longer than the model can read.
            ReplyError: if it says nothing.
            ServerError: if it is absent, unwilling, or speaks another format.
        """
        from openai import OpenAIError, omit

        tried, limit = self._refused, self.server.answer_tokens
        try:
            reply = self._client.chat.completions.create(
                model=self.server.model,
                messages=_messages(request),
                temperature=omit if "temperature" in tried else request.temperature,
                seed=omit if "seed" in tried else request.attempt,
                max_tokens=omit if "max_tokens" in tried else limit,
                max_completion_tokens=limit if "max_tokens" in tried else omit,
                response_format=omit if "response_format" in tried else {"type": "json_object"},
            )
        except (OpenAIError, *_UNREADABLE) as error:
            if self._gave_way(error, tried):
                return self.complete(request)
            raise self._trouble(error) from None
        return self._read(reply)

    def stream(self, request: Request) -> Iterator[str | Completion]:
        """Yield the reply piece by piece, then the whole of it.

        Raises:
            ServerError: as `complete`.
        """
        from openai import OpenAIError, omit

        tried, limit = self._refused, self.server.answer_tokens
        try:
            chunks = self._client.chat.completions.create(
                model=self.server.model,
                messages=_messages(request),
                temperature=omit if "temperature" in tried else request.temperature,
                seed=omit if "seed" in tried else request.attempt,
                max_tokens=omit if "max_tokens" in tried else limit,
                max_completion_tokens=limit if "max_tokens" in tried else omit,
                response_format=omit if "response_format" in tried else {"type": "json_object"},
                stream=True,
                stream_options=omit if "stream_options" in tried else {"include_usage": True},
            )
            yield from self._pieces(chunks, request)
        except (OpenAIError, *_UNREADABLE) as error:
            if not self._gave_way(error, tried):
                raise self._trouble(error) from None
            yield from self.stream(request)

    def models(self) -> tuple[str, ...]:
        """Return the names of the models that the server lists, sorted; none where it has no list.

        Raises:
            ServerError: if it is absent or unwilling.
        """
        from openai import OpenAIError

        try:
            listed = self._client.models.list()
        except (OpenAIError, *_UNREADABLE) as error:
            raise self._trouble(error) from None
        names = (getattr(model, "id", None) for model in getattr(listed, "data", None) or ())
        return tuple(sorted(self._without_key(n) for n in names if isinstance(n, str)))

    def _pieces(
        self, chunks: Iterable[ChatCompletionChunk], request: Request
    ) -> Iterator[str | Completion]:
        pieces: list[str] = []
        sent, got, cut, any_came = 0, 0, False, False
        for chunk in chunks:
            any_came = True
            if chunk.usage:
                sent, got = _spent(chunk.usage)
            choice = chunk.choices[0] if chunk.choices else None
            if choice is None:
                continue
            cut = cut or choice.finish_reason == "length"
            piece = _text(choice.delta.content) or _arguments(choice.delta.tool_calls)
            if piece:
                pieces.append(piece)
                yield piece
        if any_came:
            yield self._checked(Completion("".join(pieces), sent, got, cut))
        else:  # a server that cannot stream sends the whole, which the client reads as nothing
            yield self.complete(request)

    def _read(self, reply: ChatCompletion) -> Completion:
        # the client hands through whatever came: a page of HTML arrives as a string
        choices = getattr(reply, "choices", None)
        message = getattr(choices[0], "message", None) if choices else None
        if choices is None or message is None:
            msg = f"{self.server.place} answered, but not in OpenAI's chat format"
            raise ServerError(msg)
        return self._checked(
            Completion(
                _text(message.content) or _arguments(message.tool_calls),
                *_spent(reply.usage),
                choices[0].finish_reason == "length",
            )
        )

    def _checked(self, completion: Completion) -> Completion:
        if completion.text.strip():
            return replace(completion, text=self._without_key(_whole(completion.text)))
        msg = f"{self.server.place} returned an empty reply of model {self.server.model!r}"
        raise ReplyError(msg)

    def _without_key(self, text: str) -> str:
        """Return a reply without the key, which some servers repeat; what follows is stored."""
        key = self.server.key
        return text.replace(key, "[key]") if len(key) >= _KEY_LENGTH else text

    def _gave_way(self, error: Exception, tried: frozenset[str]) -> bool:
        """Whether to ask again without what the server refuses; this chat then never sends it."""
        status = getattr(error, "status_code", None)
        said = _said(error)
        if status not in {400, 415, 422, 501} or _TOO_LONG.search(said):
            return False
        named = frozenset(name for name in _OPTIONAL if name in said) - tried
        refused = named or frozenset({"response_format"}) - tried
        self._refused |= refused
        return bool(refused)

    def _trouble(self, error: Exception) -> ServerError:
        """Return our own error for one of the client; never with the server's own words."""
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        place, model = self.server.place, self.server.model
        if isinstance(error, APITimeoutError):
            msg = f"{place} did not answer within {self.server.timeout:g} s, {self._times}"
            return LateError(msg)
        if isinstance(error, APIConnectionError):
            return ServerError(
                f"no model server answers at {place}; start it, or correct the base URL"
            )
        if isinstance(error, APIStatusError) and (
            error.status_code == 413 or (error.status_code < 500 and _TOO_LONG.search(_said(error)))
        ):
            msg = f"the request is too long for model {model!r} at {place}; lower the budget"
            return TooLongError(msg)
        if isinstance(error, APIStatusError):
            known = _STATUS.get(error.status_code, "the request was refused")
            msg = f"{place} answered with status {error.status_code}: {known} (model {model!r})"
            return ServerError(msg)
        return ServerError(f"{place} answered, but not in OpenAI's chat format")

    @property
    def _times(self) -> str:
        return "tried once" if self.server.tries == 1 else f"tried {self.server.tries} times"


@dataclass(frozen=True, slots=True)
class Check:
    """What a trial of a server showed: whether it answers, and in one sentence how or why not.

    `models` are the names that it lists, where the one asked for did not answer.
    """

    sentence: str
    works: bool = False
    json_mode: bool = False
    models: tuple[str, ...] = ()


def check(server: Server) -> Check:
    """Ask a server for one short reply and return what that showed; raises nothing.

    It is tried once and left after 20 seconds at most, since somebody waits for it.
    """
    trial = Chat(
        replace(server, tries=1, timeout=min(server.timeout, _TRIAL_SECONDS), answer_tokens=200)
    )
    try:
        reply = trial.complete(_TRIAL)
    except ServerError as error:
        return Check(str(error), models=_listed(trial))
    mode = "in its own JSON mode" if trial.json_mode else "without a JSON mode, in plain words"
    if fields_of(reply.text, "answer") is None:
        mode += "; it did not keep to the form asked for, so expect answers without citations"
    sentence = f"{server.model} answers at {server.place}, {mode}"
    return Check(sentence, works=True, json_mode=trial.json_mode)


def _listed(chat: Chat) -> tuple[str, ...]:
    try:
        return chat.models()[:20]
    except ServerError:
        return ()


_TRIAL: Final = Request(
    "You answer with one JSON object and nothing else.",
    'Answer exactly with {"answer": "ok"}',
)
_TRIAL_SECONDS: Final = 20.0
_KEY_LENGTH: Final = 8
"""A shorter key is a word such as "none" or "key", which a reply may well hold."""

_MOST_TOKENS: Final = 10**9
"""No reply is longer; a larger count is none."""
_UNREADABLE: Final = (json.JSONDecodeError, UnicodeDecodeError, RecursionError)
"""What the client raises for a body that is not, or not sensibly, JSON."""

_OPTIONAL: Final = ("response_format", "temperature", "seed", "max_tokens", "stream_options")
"""What a request can do without; `max_tokens` then goes by its newer name."""

_TOO_LONG: Final = re.compile(
    r"context[ _-]?(length|size|window)|maximum context|too[ _](long|many[ _]tokens)|too large",
    re.IGNORECASE,
)


def _said(error: Exception) -> str:
    """Return what the server said of an error, to search in and not to show."""
    return f"{getattr(error, 'body', '')} {error}"


def _text(said: object) -> str:
    """Return what a message says; a content that is no text says nothing."""
    return _whole(said) if isinstance(said, str) else ""


def _whole(text: str) -> str:
    """Return a text that can be stored: half a character of two becomes a mark of its loss."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _spent(usage: object) -> tuple[int, int]:
    """Return the tokens sent and received; what is no count, which some servers send, is 0."""
    return _count(getattr(usage, "prompt_tokens", 0)), _count(
        getattr(usage, "completion_tokens", 0)
    )


def _count(value: object) -> int:
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
    return int(str(value)) if known else 0


def _arguments(calls: Sequence[object] | None) -> str:
    """Return the arguments of the tool calls: some servers send the JSON asked for as one."""
    functions = (getattr(call, "function", None) for call in calls or ())
    return "".join(str(getattr(f, "arguments", None) or "") for f in functions)


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
