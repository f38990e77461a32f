"""A real local HTTP server that speaks OpenAI's chat format well and badly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Said:
    """One HTTP reply: a status and a body; `hangs` keeps the line open and says nothing."""

    body: str
    status: int = 200
    kind: str = "application/json"
    hangs: bool = False


@dataclass
class Peer:
    """A server that is up: its address and all request bodies it got, in order."""

    base_url: str
    requests: list[dict] = field(default_factory=list)


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


def without_json_mode(said: Said) -> Answering:
    """A server that knows no `response_format`."""
    return lambda request: (
        refusal(400, "response_format is not supported") if "response_format" in request else said
    )


def in_turn(*replies: Said) -> Answering:
    """A server that gives one reply after the other, the last one for ever."""
    left = list(replies)
    return lambda _request: left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def serving(answering: Answering | Said) -> Iterator[Peer]:
    """A server on a free port of this computer."""
    done = threading.Event()
    answer = (lambda _request: answering) if isinstance(answering, Said) else answering

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            peer.requests.append(request)
            said = answer(request)
            if said.hangs:
                done.wait(20)
                return
            body = said.body.encode()
            self.send_response(said.status)
            self.send_header("Content-Type", said.kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
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
