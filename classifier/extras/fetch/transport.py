"""Asking a server: politely, patiently, and never twice at once.

Between two requests to a service lies its interval. What may pass (429, 5xx, a lost or silent
connection, a body that is cut off or is not what it should be) is asked again after 2, 4, 8, 16
and 32 seconds, or after what the server asks for; without chance, so that a run can be repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from classifier import __version__
from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.service import Service, seconds_to_wait
from classifier.text.normalise import display

if TYPE_CHECKING:
    import requests

TRIES = 6
FIRST_PAUSE = 2.0
"""Seconds before the second try; each further pause is twice as long."""
LONGEST_PAUSE = 600.0
"""Seconds; who is asked to wait longer had better come back."""
MOST_BYTES = 2**26
"""Of one answer."""
SLOWEST = 300.0
"""Seconds that one answer may take."""
_BLOCK = 2**16

Answer = TypeVar("Answer")


class UnreadableError(ValueError):
    """An answer that is not what it should be: cut off, of another format, or empty too early."""


class _PassingError(Exception):
    """A failure that may pass: what was found, and how long the server asks to wait."""

    def __init__(self, found: str, wait: float | None = None) -> None:
        super().__init__(found)
        self.found = found
        self.wait = wait


def check_installed() -> None:
    """Raise UsageError, with the cure, where the extra `fetch` is not installed."""
    if find_spec("requests") is None:
        raise UsageError(
            "fetch needs the package requests, which is not installed: "
            "pip install 'fieldguide[fetch]'."
        )


_OFFLINE = "the name of the server is not known (is this machine online?)"
_OFFLINE_TRIES = 3
"""A machine without a network is not worth a minute of tries."""


class Transport:
    """One session of asking."""

    def __init__(
        self,
        mailto: str = "",
        *,
        timeout: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        """mailto: an address under which a server's owner reaches the user.

        timeout: seconds without a byte; sleep, clock: the machine's, or a test's; notice: is told
        of every pause that is longer than the polite one.
        """
        check_installed()
        if not _is_sendable(mailto):
            raise UsageError(
                f"--mailto {mailto!r}: holds a sign that no request can carry; wanted an address "
                "such as ada@example.org."
            )
        self._mailto = mailto
        self._timeout = timeout
        self._sleep = sleep
        self._clock = clock
        self._notice = notice
        self._asked: dict[str, float] = {}
        self._session: requests.Session | None = None

    def ask(
        self, service: Service, url: str, read: Callable[[bytes | None], Answer]
    ) -> tuple[Answer, bytes | None]:
        """Return what `read` makes of the answer, and its bytes; None where nothing is there.

        `read` gets the body, or None for 404 and 410, and raises UnreadableError for what should be
        asked again. Raises FetchError where the server refuses, or all tries fail.
        """
        for attempt in range(1, TRIES + 1):
            try:
                body = self._download(service, url)
                return read(body), body
            except (_PassingError, UnreadableError) as error:
                wait = error.wait if isinstance(error, _PassingError) else None
                self._pause(service, str(error), wait, attempt)
        raise AssertionError("the last pause raises")

    def _pause(self, service: Service, found: str, wait: float | None, attempt: int) -> None:
        """Wait for the next try; raises FetchError where there is none."""
        host = _host(service)
        again = "Run the same command again later: it goes on where it was."
        tries = _OFFLINE_TRIES if found == _OFFLINE else TRIES
        if attempt == tries:
            raise FetchError(f"{host}: {found}, {tries} times. {again}{_key_helps(service, found)}")
        if wait is not None and wait > LONGEST_PAUSE:
            raise FetchError(f"{host}: {found}, and asks to wait for {wait / 60:,.0f} min. {again}")
        pause = wait or FIRST_PAUSE * 2 ** (attempt - 1)
        self._notice(f"{host}: {found}; waiting {pause:.0f} s (try {attempt} of {tries}).")
        self._sleep(pause)

    def _download(self, service: Service, url: str) -> bytes | None:
        import requests

        if not _is_sendable(service.key):
            cure = f"Correct {service.key_variable}."
            raise self._refused(service, "its key holds a sign that no request can carry", cure)
        self._keep_distance(service)
        try:
            with self._opened().get(
                url,
                params=self._parameters(service),
                headers=service.key_headers(),
                timeout=self._timeout,
                stream=True,
            ) as response:
                return self._body(response, service)
        except requests.TooManyRedirects as error:
            raise self._refused(service, "redirects in a circle") from error
        except requests.exceptions.SSLError as error:
            cure = "Name your organisation's certificates in REQUESTS_CA_BUNDLE."
            raise self._refused(service, "its certificate cannot be checked", cure) from error
        except requests.exceptions.InvalidProxyURL as error:
            cure = "Correct HTTPS_PROXY or HTTP_PROXY."
            raise self._refused(service, "the proxy before it has no address", cure) from error
        except (
            requests.exceptions.InvalidURL,
            requests.exceptions.InvalidSchema,
            requests.exceptions.MissingSchema,
        ) as error:
            cure = f"Correct {service.url_variable}."
            raise self._refused(service, "is no address", cure) from error
        except requests.Timeout as error:
            raise _PassingError(f"no answer within {self._timeout:g} s") from error
        except requests.RequestException as error:
            raise _PassingError(_lost(error)) from error

    def _body(self, response: requests.Response, service: Service) -> bytes | None:
        status = response.status_code
        if status in (404, 410):
            return None
        if status == 429 or status == 408 or status >= 500:
            wait = seconds_to_wait(response.headers.get("Retry-After"), datetime.now(UTC))
            raise _PassingError(f"answers {status} {response.reason or ''}".rstrip(), wait)
        body = self._read(response)
        if status == 200:
            return body
        said = display(body[:2000].decode("utf-8", "replace"))[:300]
        raise self._refused(service, f"answers {status}: {said}", _cure(status, service))

    def _read(self, response: requests.Response) -> bytes:
        begun = self._clock()
        blocks: list[bytes] = []
        size = 0
        for block in response.iter_content(_BLOCK):
            blocks.append(block)
            size += len(block)
            if size > MOST_BYTES:
                raise _PassingError(f"more than {MOST_BYTES // 2**20} MB in one answer")
            if self._clock() - begun > SLOWEST:
                raise _PassingError(f"an answer that takes more than {SLOWEST:.0f} s")
        return b"".join(blocks)

    def _refused(self, service: Service, found: str, cure: str = "") -> FetchError:
        return FetchError(f"{_host(service)}: {found}. {cure}".rstrip())

    def _parameters(self, service: Service) -> dict[str, str]:
        mailto = {service.mailto: self._mailto} if service.mailto and self._mailto else {}
        return {**mailto, **service.key_parameters()}

    def _keep_distance(self, service: Service) -> None:
        """Wait until the service may be asked again."""
        last = self._asked.get(service.name)
        if last is not None and (pause := last + service.pause - self._clock()) > 0:
            self._sleep(pause)
        self._asked[service.name] = self._clock()

    def _opened(self) -> requests.Session:
        if self._session is None:
            from classifier.extras.fetch.session import KeySession  # late: it needs requests

            self._session = KeySession()
            contact = f" (mailto:{self._mailto})" if self._mailto else ""
            self._session.headers["User-Agent"] = f"fieldguide/{__version__}{contact}"
        return self._session


def _is_sendable(text: str) -> bool:
    """Return whether a text may stand in a header."""
    return text.isascii() and text.isprintable()


def _host(service: Service) -> str:
    try:
        return urlsplit(service.base).netloc or service.base
    except ValueError:  # brackets that are none of IPv6
        return service.base


def _lost(error: Exception) -> str:
    """Return in words how a connection failed."""
    text = str(error)
    if "IncompleteRead" in text:
        return "an answer that is cut off"
    if "NameResolution" in text or "getaddrinfo" in text:
        return _OFFLINE
    if "Read timed out" in text:
        return "an answer that stops"
    return "a lost connection"


def _key_helps(service: Service, found: str) -> str:
    """Return the cure for a rate that users without a key share."""
    if "429" not in found or not service.key_variable or service.has_key:
        return ""
    return f" A key of {service.label} in {service.key_variable} has a rate of its own."


def _cure(status: int, service: Service) -> str:
    if status in (401, 403) and service.key_variable:
        return f"Put a key of {service.label} into the environment variable {service.key_variable}."
    return "Correct the query." if status in (400, 414, 422) else ""
