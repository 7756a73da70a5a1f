"""A server on loopback, in IPv4 and IPv6, for one output folder."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from socketserver import BaseServer
from threading import BoundedSemaphore, Thread
from typing import Any

from classifier.extras.serve.news import News
from classifier.extras.serve.requests import SiteRequest
from classifier.extras.serve.site_folder import SiteFolder

_POLLED = 0.1
"""Seconds within which a server notices that it is to end."""
MOST_CONNECTIONS = 96
MOST_STREAMS = 48
"""Pages that may wait for news at one time."""


class LoopbackServer(ThreadingHTTPServer):
    """Answers at one socket, a thread a connection, none of which keeps the program alive."""

    daemon_threads = True

    def __init__(
        self,
        listening: socket.socket,
        site: SiteFolder,
        news: News,
        streams: BoundedSemaphore,
        log: Callable[[str], None],
        handler: Callable[..., SiteRequest] = SiteRequest,
    ) -> None:
        BaseServer.__init__(self, listening.getsockname()[:2], handler)
        self.socket = listening
        self.server_name, self.server_port = listening.getsockname()[:2]
        self.site, self.news, self.log = site, news, log
        self._streams = streams
        self._connections = BoundedSemaphore(MOST_CONNECTIONS)

    @contextmanager
    def stream(self) -> Iterator[bool]:
        """Take one of the places for pages that wait; False where none is left."""
        is_free = self._streams.acquire(blocking=False)
        try:
            yield is_free
        finally:
            if is_free:
                self._streams.release()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread; beyond the most connections hang up."""
        if self._connections.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and make room for another."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a reader that hangs up in the middle is no fault."""


class Server:
    """Serves a folder at all the sockets that it was given."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        site: SiteFolder,
        news: News,
        log: Callable[[str], None] = lambda line: None,
        handler: Callable[..., SiteRequest] = SiteRequest,
    ) -> None:
        """sockets: as `open_sockets` returns them; log: called with a line a request."""
        streams = BoundedSemaphore(MOST_STREAMS)
        self._servers = [
            LoopbackServer(each, site, news, streams, log, handler) for each in sockets
        ]
        self._threads = [
            Thread(target=each.serve_forever, args=(_POLLED,), daemon=True)
            for each in self._servers
        ]
        self._news = news

    @property
    def address(self) -> str:
        """The address of the front page."""
        return f"http://127.0.0.1:{self._servers[0].server_port}/"

    def start(self) -> None:
        """Answer from now on."""
        for thread in self._threads:
            thread.start()

    def wait(self) -> None:
        """Wait until somebody ends the program."""
        for thread in self._threads:
            thread.join()

    def stop(self) -> None:
        """Answer no more, and give the port back."""
        self._news.end()
        for server, thread in zip(self._servers, self._threads, strict=True):
            if thread.is_alive():
                server.shutdown()
                thread.join()
            server.server_close()
