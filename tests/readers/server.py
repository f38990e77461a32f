"""A real local HTTP server that speaks OpenAI's chat format well and badly."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Said:
    """One HTTP reply: a status and a body; `hangs` keeps the line open and says nothing.

    One that `stalls` sends the first `share` of the body and then hangs; one that `breaks` closes
    the line there.
    """

    body: str
    status: int = 200
    kind: str = "application/json"
    hangs: bool = False
    stalls: bool = False
    breaks: bool = False
    share: float = 0.5
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class Peer:
    """A server that is up: its address, all request bodies it got, in order, and how it was busy.

    `most` is the greatest number of requests that it was answering at once.
    """

    base_url: str
    requests: list[dict] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    busy: int = 0
    most: int = 0


Answering = Callable[[dict], Said]


def chat(content: str | None, *, cut: bool = False, usage: tuple[int, int] = (11, 7)) -> Said:
    """A whole reply in the chat format."""
    return Said(
        json.dumps(
            {
                "id": "c1",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [
                    {
                        "index": 0,
                        "message": {"role": "assistant", "content": content},
                        "finish_reason": "length" if cut else "stop",
                    }
                ],
                "usage": {
                    "prompt_tokens": usage[0],
                    "completion_tokens": usage[1],
                    "total_tokens": sum(usage),
                },
            }
        )
    )


def streamed(*pieces: str, usage: tuple[int, int] = (11, 7)) -> Said:
    """The same as server-sent events."""

    def event(**more: object) -> str:
        head = {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        return f"data: {json.dumps(head | more)}\n\n"

    events = [
        event(choices=[{"index": 0, "delta": {"content": p}, "finish_reason": None}])
        for p in pieces
    ]
    events.append(event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]))
    sent, got = usage
    counted = {"prompt_tokens": sent, "completion_tokens": got, "total_tokens": sent + got}
    events.append(event(choices=[], usage=counted))
    return Said("".join(events) + "data: [DONE]\n\n", kind="text/event-stream")


def refusal(status: int, message: str = "no") -> Said:
    """An error in the chat format."""
    return Said(json.dumps({"error": {"message": message, "type": "e"}}), status)


def rate_limited() -> Said:
    """A refusal that says when to come back: after a millisecond."""
    return Said(refusal(429).body, 429, headers=(("Retry-After-Ms", "1"),))


def tool_call(arguments: str) -> Said:
    """A whole reply that calls a tool with the text, and says nothing itself."""
    body = json.loads(chat(None).body)
    function = {"name": "reply", "arguments": arguments}
    call = {"id": "t1", "type": "function", "function": function}
    body["choices"][0] |= {"finish_reason": "tool_calls"}
    body["choices"][0]["message"]["tool_calls"] = [call]
    return Said(json.dumps(body))


def without(name: str, said: Said) -> Answering:
    """A server that refuses a field of the request by its name."""
    return lambda request: (
        refusal(400, f"Unsupported parameter: '{name}'") if name in request else said
    )


def without_json_mode(said: Said) -> Answering:
    """A server that knows no `response_format`."""
    return lambda request: (
        refusal(400, "response_format is not supported") if "response_format" in request else said
    )


def in_turn(*replies: Said) -> Answering:
    """A server that gives one reply after the other, the last one for ever."""
    left = list(replies)
    return lambda _request: left.pop(0) if len(left) > 1 else left[0]


def lines_of(request: dict) -> list[str]:
    """The turns that a request for facts quotes, without their labels."""
    dialogue = request["messages"][1]["content"].split("Dialogue:\n")[1]
    return re.findall(r"^\[\d+\] (.*)$", dialogue, re.MULTILINE)


def echoing(request: dict) -> Said:
    """A model that makes each turn a fact, in its own words."""
    facts = [{"fact": line, "turns": [n]} for n, line in enumerate(lines_of(request), 1)]
    return chat(json.dumps({"facts": facts}))


@contextmanager
def serving(answering: Answering | Said, models: tuple[str, ...] = ("m",)) -> Iterator[Peer]:
    """A server on a free port of this computer."""
    done, lock = threading.Event(), threading.Lock()
    answer = (lambda _request: answering) if isinstance(answering, Said) else answering

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send(Said(json.dumps({"object": "list", "data": [{"id": m} for m in models]})))

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                peer.requests.append(request)
                peer.keys.append(self.headers["Authorization"] or "")
                peer.busy += 1
                peer.most = max(peer.most, peer.busy)
            try:
                said = answer(request)
            finally:
                with lock:
                    peer.busy -= 1
            if said.hangs:
                done.wait(20)
                return
            self.send(said)

        def send(self, said: Said) -> None:
            body = said.body.encode()
            self.send_response(said.status)
            self.send_header("Content-Type", said.kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in said.headers:
                self.send_header(name, value)
            self.end_headers()
            if said.stalls or said.breaks:
                self.wfile.write(body[: int(len(body) * said.share)])
                self.wfile.flush()
                done.wait(20 if said.stalls else 0)
                self.close_connection = True
                return
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

    with Quiet(("127.0.0.1", 0), Handler) as server:
        peer = Peer(f"http://127.0.0.1:{server.server_address[1]}/v1")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield peer
        finally:
            done.set()
            server.shutdown()
            thread.join()


def nobody() -> str:
    """An address at which nobody listens."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        return f"http://127.0.0.1:{server.server_address[1]}/v1"
