"""HTTP requests to the services, with identification, delays and retries."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from classifier import __version__
from classifier.errors import FetchError, UsageError

RETRIES = Retry(
    total=5,
    backoff_factor=2,
    status_forcelist=(408, 429, 500, 502, 503, 504),
    raise_on_status=False,
    retry_after_max=600,
)


@dataclass(frozen=True, slots=True)
class Service:
    """A web service that provides metadata of papers."""

    name: str
    """Name in commands and files: `arxiv`."""
    label: str
    """Name in messages: `arXiv`."""
    home: str
    """Start of every address, without a slash at the end."""
    interval: float
    """Minimum delay between two requests, in seconds."""
    mailto: str = ""
    """Parameter for the user's mail address; "" if the User-Agent header is enough."""
    key_variable: str = ""
    """Environment variable with the user's key."""
    key_parameter: str = "api_key"
    """Parameter for the key."""

    @property
    def base(self) -> str:
        """Start of addresses: `home`, or the mirror in FIELDGUIDE_<NAME>_URL."""
        variable = f"FIELDGUIDE_{self.name.replace('-', '_').upper()}_URL"
        return os.environ.get(variable, "").rstrip("/") or self.home


class Client:
    """A session with the services."""

    def __init__(self, mailto: str = "", *, timeout: float = 60.0) -> None:
        """Create a session.

        mailto: address at which services can reach the user.
        """
        if not (mailto.isascii() and mailto.isprintable()):
            raise UsageError(f"--mailto {mailto!r}: expected an address such as ada@example.org.")
        self._mailto, self._timeout = mailto, timeout
        self._last_request: dict[str, float] = {}
        self._session = requests.Session()
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, HTTPAdapter(max_retries=RETRIES))
        contact = f" (mailto:{mailto})" if mailto else ""
        self._session.headers["User-Agent"] = f"fieldguide/{__version__}{contact}"

    def get(self, service: Service, path: str, parameters: Mapping[str, object]) -> bytes:
        """Return the body of a response; b"" for the status codes 404 and 410.

        Empty parameters are omitted. Raises FetchError if the service refuses the request, or
        cannot be reached after all retries.
        """
        key = os.environ.get(service.key_variable, "").strip() if service.key_variable else ""
        sent = {name: str(value) for name, value in parameters.items() if value not in ("", None)}
        if key:
            sent[service.key_parameter] = key
        if service.mailto and self._mailto:
            sent[service.mailto] = self._mailto
        host = urlsplit(service.base).netloc
        self._throttle(service)
        try:
            response = self._session.get(service.base + path, params=sent, timeout=self._timeout)
        except (requests.RequestException, OSError) as error:
            reason = type(error).__name__ if key else error  # Its text may hold the key.
            raise FetchError(
                f"{host}: no answer ({reason}). Run the command again later."
            ) from None
        status = response.status_code
        if status in (404, 410):
            return b""
        if status != 200:
            hint = "Run the command again later."
            if status in (400, 414, 422):
                hint = "Correct the query."
            elif status in (401, 403) and service.key_variable:
                variable = service.key_variable
                hint = f"Set the environment variable {variable} to a key of {service.label}."
            raise FetchError(
                f"{host}: returned status {status}: {response.text[:300].strip()}. {hint}"
            )
        return response.content

    def get_json(self, service: Service, path: str, parameters: Mapping[str, object]) -> Any:
        """Return the JSON value of a response; None for the status codes 404 and 410."""
        body = self.get(service, path, parameters)
        try:
            return json.loads(body or b"null")
        except (ValueError, RecursionError):
            raise FetchError(
                f"{service.label}: the response is not JSON. Run the command again later."
            ) from None

    def _throttle(self, service: Service) -> None:
        """Wait until the next request is allowed; a mirror on this machine needs no delay."""
        is_local = urlsplit(service.base).hostname in ("127.0.0.1", "localhost", "::1")
        last = self._last_request.get(service.name)
        if last is not None and not is_local:
            time.sleep(max(0.0, last + service.interval - time.monotonic()))
        self._last_request[service.name] = time.monotonic()
