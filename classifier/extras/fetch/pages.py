"""Pages of services: asked for politely and patiently, and kept the moment they come.

Between two requests to a service lies its interval. What may pass (429, 5xx, a lost or silent
connection, a body that is cut off or is not what it should be) is asked again after 2, 4, 8, 16
and 32 seconds, or after what the server asks for; without chance, so that a run can be repeated.
A page that came within a day is not asked for again: killing a command loses at most the one on
its way.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import requests
from requests import PreparedRequest, Response, Session, exceptions
from urllib3.exceptions import InvalidHeader
from urllib3.util import Retry

from classifier import __version__
from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.source import Service, UnreadableError
from classifier.extras.fetch.sources import SEMANTIC_SCHOLAR
from classifier.files.built_folder import digest
from classifier.files.cache import Cache
from classifier.text.normalise import display

TRIES = 6
FRESH = timedelta(days=1)
MAX_PAUSE = 600.0
"""Seconds; who is asked to wait longer had better come back."""
MAX_BYTES = 2**26
"""Of one answer."""
_AGAIN = "Run the same command again later: it goes on where it was."
_BLOCK = 2**16
_LASTING = (exceptions.TooManyRedirects, exceptions.SSLError, ValueError)
"""Failures that another try does not mend; what is no address is a ValueError."""

Answer = TypeVar("Answer")


class _PassingError(Exception):
    """A failure that may pass: what was found, and how long to wait."""

    def __init__(self, found: str, wait: float | None = None) -> None:
        super().__init__(found)
        self.wait = wait


class _KeySession(Session):
    """A session in which a redirect to another server takes no key along."""

    def rebuild_auth(self, prepared_request: PreparedRequest, response: Response) -> None:
        """Take the key off, too: of itself requests holds back the header Authorization alone."""
        super().rebuild_auth(prepared_request, response)
        if self.should_strip_auth(response.request.url or "", prepared_request.url or ""):
            prepared_request.headers.pop(SEMANTIC_SCHOLAR.key_header, None)


class Pages:
    """One session of asking."""

    def __init__(
        self,
        mailto: str = "",
        cache: Cache | None = None,
        *,
        anew: bool = False,
        timeout: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        """mailto: an address under which a server's owner reaches the user.

        anew: ask for pages again though they were kept today. timeout: seconds without a byte;
        sleep, now: the machine's, or a test's; notice: is told of every pause that is longer than
        the polite one.
        """
        if not _is_sendable(mailto):
            raise UsageError(
                f"--mailto {mailto!r}: holds a sign that no request can carry; expected an address "
                "such as ada@example.org."
            )
        self._mailto, self._timeout = mailto, timeout
        self._sleep, self._now, self._notice = sleep, now, notice
        self._cache, self._anew = cache or Cache(None), anew
        self._cache.forget_older((now() - FRESH).timestamp())
        self._last: dict[str, datetime] = {}
        self._session = _KeySession()
        contact = f" (mailto:{mailto})" if mailto else ""
        self._session.headers["User-Agent"] = f"fieldguide/{__version__}{contact}"
        self.asked = 0
        """How many pages came over the network."""

    def ask(self, service: Service, url: str, read: Callable[[bytes | None], Answer]) -> Answer:
        """Return what `read` makes of a page, kept or asked for.

        `read` gets the body, or None for 404 and 410, and raises UnreadableError for what should be
        asked again. Raises FetchError where the server refuses, or all tries fail.
        """
        name = f"page-{digest(url.encode())}"
        if not self._anew and (kept := self._cache.recall(name)) is not None:
            moment, _, body = kept.partition(b"\n")
            try:
                if datetime.fromisoformat(moment.decode()) >= self._now() - FRESH:
                    return read(zlib.decompress(body) if body else None)
            except (ValueError, TypeError, zlib.error):  # of another version
                pass
        answer, received = self._asked(service, url, read)
        packed = b"" if received is None else zlib.compress(received)
        self._cache.keep(name, self._now().isoformat().encode() + b"\n" + packed)
        self.asked += 1
        return answer

    def _asked(
        self, service: Service, url: str, read: Callable[[bytes | None], Answer]
    ) -> tuple[Answer, bytes | None]:
        """Return what `read` makes of the answer, and its bytes."""
        attempt = 0
        while True:
            attempt += 1
            try:
                body = self._download(service, url)
                return read(body), body
            except UnreadableError as error:
                self._pause(service, _PassingError(str(error)), attempt)
            except _PassingError as error:
                self._pause(service, error, attempt)

    def _pause(self, service: Service, error: _PassingError, attempt: int) -> None:
        """Wait for the next try; raises FetchError where there is none."""
        found = f"{service.host}: {error}"
        if attempt == TRIES:
            helps = "429" in found and service.key_variable and not service.key
            key = f" A key of {service.label} in {service.key_variable} has a rate of its own."
            raise FetchError(f"{found}, {TRIES} times. {_AGAIN}{key if helps else ''}")
        if error.wait is not None and error.wait > MAX_PAUSE:
            raise FetchError(f"{found}, and asks to wait for {error.wait / 60:,.0f} min. {_AGAIN}")
        pause = error.wait or 2.0**attempt
        self._notice(f"{found}; waiting {pause:.0f} s (try {attempt} of {TRIES}).")
        self._sleep(pause)

    def _download(self, service: Service, url: str) -> bytes | None:
        key = service.key
        if not _is_sendable(key):
            found, hint = "its key holds a sign that no request can carry", service.key_variable
            raise FetchError(f"{service.host}: {found}. Correct {hint}.")
        given = {service.mailto: self._mailto, service.key_parameter: key}
        try:
            self._keep_distance(service)
            with self._session.get(
                url,
                params={name: value for name, value in given.items() if name and value},
                headers={service.key_header: key} if service.key_header and key else {},
                timeout=self._timeout,
                stream=True,
            ) as response:
                return self._body(response, service)
        except requests.Timeout as error:
            raise _PassingError(f"no answer within {self._timeout:g} s") from error
        except _LASTING as error:
            hint = f"See to {service.url_variable}, HTTPS_PROXY and REQUESTS_CA_BUNDLE."
            raise FetchError(f"{service.host}: cannot be asked ({error}). {hint}") from error
        except requests.RequestException as error:
            raise _PassingError("a lost connection") from error

    def _body(self, response: Response, service: Service) -> bytes | None:
        status = response.status_code
        if status in (404, 410):
            return None
        if status in (408, 429) or status >= 500:
            wait = seconds_to_wait(response.headers.get("Retry-After"))
            raise _PassingError(f"answers {status} {response.reason or ''}".rstrip(), wait=wait)
        body = bytearray()
        for block in response.iter_content(_BLOCK):
            body += block
            if len(body) > MAX_BYTES:
                raise _PassingError(f"more than {MAX_BYTES // 2**20} MB in one answer")
        if status == 200:
            return bytes(body)
        said = display(body[:2000].decode("utf-8", "replace"))[:300]
        hint, variable = (
            "Correct the query." if status in (400, 414, 422) else "",
            service.key_variable,
        )
        if status in (401, 403) and variable:
            hint = f"Put a key of {service.label} into the environment variable {variable}."
        raise FetchError(f"{service.host}: answers {status}: {said}. {hint}".rstrip())

    def _keep_distance(self, service: Service) -> None:
        """Wait until the service may be asked again."""
        if last := self._last.get(service.name):
            pause = service.pause - (self._now() - last).total_seconds()
            if pause > 0:
                self._sleep(pause)
        self._last[service.name] = self._now()


def seconds_to_wait(header: str | None) -> float | None:
    """Return how long a server asks to wait; None where it says nothing we understand.

    >>> seconds_to_wait("120"), seconds_to_wait("soon")
    (120.0, None)
    """
    try:
        return float(Retry().parse_retry_after(header)) if header else None
    except (InvalidHeader, ValueError, OverflowError):
        return None


def _is_sendable(text: str) -> bool:
    """Return whether a text may stand in a header."""
    return text.isascii() and text.isprintable()
