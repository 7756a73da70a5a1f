"""The pages of a query, each kept the moment it came.

What was kept less than a day ago is not asked for again. Of a query that was cut off nothing is
that was good enough when it began, for a week: killing a command loses at most the page on its way.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from classifier.extras.fetch.service import Service
from classifier.extras.fetch.transport import Transport, UnreadableError
from classifier.files.built_folder import digest
from classifier.files.cache import Cache

FRESH = timedelta(days=1)
RESUMED = timedelta(days=7)
"""How old a query may be that was cut off to be gone on with."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer, and when it came."""

    at: datetime
    body: bytes | None


class Pages:
    """Asks for pages through a transport and a cache."""

    def __init__(
        self,
        transport: Transport,
        cache: Cache,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        anew: bool = False,
    ) -> None:
        """anew: ask for pages again though they were kept today, and go on with no earlier run."""
        self._transport = transport
        self._cache = cache
        self._now = now
        self._anew = anew
        self._oldest = now() - (timedelta() if anew else FRESH)
        self.asked = 0
        """How many pages came over the network."""

    @contextmanager
    def run(self, *parts: str) -> Iterator[bool]:
        """Mark a query as begun, go on with it where it was cut off, and mark its good end.

        Gives whether it goes on with one that was cut off.
        """
        name = f"run-{digest(json.dumps(parts).encode())}"
        now = self._now()
        oldest = None if self._anew else _moment(self._cache.recall(name))
        is_resumed = oldest is not None and oldest >= now - RESUMED
        if oldest is None or not is_resumed:
            oldest = now - (timedelta() if self._anew else FRESH)
            self._cache.forget_older((now - RESUMED).timestamp())
            self._cache.keep(name, oldest.isoformat().encode())
        self._oldest = oldest
        yield is_resumed
        self._cache.forget(name)

    def ask(self, service: Service, url: str, read: Callable[[bytes | None], Answer]) -> Answer:
        """Return what `read` makes of a page, kept or fetched; see `Transport.ask`."""
        name = f"page-{digest(url.encode())}"
        kept = self._recall(name)
        if kept is not None and kept.at >= self._oldest:
            try:
                return read(kept.body)
            except UnreadableError:  # kept by another version
                self._cache.forget(name)
        answer, body = self._transport.ask(service, url, read)
        self._cache.keep(name, _packed(Kept(self._now(), body)))
        self.asked += 1
        return answer

    def _recall(self, name: str) -> Kept | None:
        data = self._cache.recall(name)
        return _unpacked(data) if data is not None else None


def _packed(kept: Kept) -> bytes:
    body = b"" if kept.body is None else b"=" + zlib.compress(kept.body)
    return kept.at.isoformat().encode() + b"\n" + body


def _unpacked(data: bytes) -> Kept | None:
    moment, _, body = data.partition(b"\n")
    at = _moment(moment)
    try:
        return Kept(at, zlib.decompress(body[1:]) if body else None) if at else None
    except zlib.error:
        return None


def _moment(data: bytes | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat((data or b"").decode())
    except ValueError:
        return None
    return moment if moment.tzinfo else None
