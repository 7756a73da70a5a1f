"""A server on loopback that answers as it is told, faults and all, and notes what was asked."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server gives once."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    """cut: the body ends before its length; reset: no answer; silent: none, for a long time."""

    @classmethod
    def of_json(cls, value: object) -> Answer:
        return cls(json.dumps(value).encode(), headers={"Content-Type": "application/json"})


@dataclass(frozen=True, slots=True)
class Asked:
    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]


Answering = Callable[[Asked], Answer]


class Replay:
    """The running server; `answering` may be exchanged at any time."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[Asked] = []
        self.answering: Answering = lambda asked: Answer(status=404)
        self.released = threading.Event()

    def script(self, *answers: Answer) -> None:
        """Give these answers one after the other, the last one for ever."""
        left = list(answers)
        self.answering = lambda asked: left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def running_server() -> Iterator[Replay]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            asked = Asked(parts.path, dict(parse_qsl(parts.query)), dict(self.headers))
            replay.asked.append(asked)
            answer = replay.answering(asked)
            if answer.fault == "silent":
                replay.released.wait(20)
                self.close_connection = True
                return
            if answer.fault == "reset":
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            length = len(answer.body) + (100 if answer.fault == "cut" else 0)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(answer.body)
            self.close_connection = answer.fault == "cut"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    replay = Replay(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield replay
    finally:
        replay.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
