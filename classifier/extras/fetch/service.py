"""A web service: its address, its terms, and how long to wait for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlencode, urlsplit


@dataclass(frozen=True, slots=True)
class Service:
    """One interface on the network."""

    name: str
    """As commands and files name it: `arxiv`."""
    label: str
    """As people name it."""
    home: str
    """What every address of it begins with, without a slash at the end."""
    interval: float
    """Seconds between two requests at least."""
    api: str
    """Which interface, and its version, for the record of where papers came from."""
    terms: str
    """Under which terms the metadata is given away."""
    mailto: str = ""
    """The parameter that takes a mail address; "" where the User-Agent is enough."""
    key_variable: str = ""
    """The environment variable that may hold a key of the user's."""
    key_header: str = ""
    key_parameter: str = ""

    @property
    def url_variable(self) -> str:
        """The environment variable that names a mirror."""
        return f"FIELDGUIDE_{self.name.replace('-', '_').upper()}_URL"

    @property
    def base(self) -> str:
        """What addresses begin with: the mirror that the environment names, or `home`."""
        return os.environ.get(self.url_variable, "").rstrip("/") or self.home

    def url(self, path: str, parameters: Mapping[str, str] | None = None) -> str:
        """Return the address of a page; parameters that are "" are left out."""
        given = {name: value for name, value in (parameters or {}).items() if value}
        return f"{self.base}{path}" + (f"?{urlencode(given)}" if given else "")

    @property
    def pause(self) -> float:
        """Seconds between two requests; none to a mirror on this very machine."""
        return 0.0 if urlsplit(self.base).hostname in _THIS_MACHINE else self.interval

    def key_headers(self) -> dict[str, str]:
        """Return the header that carries the user's key, if there is one."""
        return {self.key_header: self.key} if self.key_header and self.key else {}

    def key_parameters(self) -> dict[str, str]:
        """Return the parameter that carries the user's key, if there is one; it is kept nowhere."""
        return {self.key_parameter: self.key} if self.key_parameter and self.key else {}

    @property
    def has_key(self) -> bool:
        """Whether the environment holds a key of the user's."""
        return bool(self.key)

    @property
    def key(self) -> str:
        """A key of the user's, from the environment, or ""."""
        return os.environ.get(self.key_variable, "").strip() if self.key_variable else ""


_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")

ARXIV = Service(
    "arxiv",
    "arXiv",
    "https://export.arxiv.org",
    interval=3.0,  # https://info.arxiv.org/help/api/tou.html
    api="arXiv API, Atom",
    terms="CC0 1.0",
)
OPENALEX = Service(
    "openalex",
    "OpenAlex",
    "https://api.openalex.org",
    interval=0.2,
    api="OpenAlex works",
    terms="CC0 1.0",
    mailto="mailto",
    key_variable="OPENALEX_API_KEY",
    key_parameter="api_key",
)
SEMANTIC_SCHOLAR = Service(
    "semanticscholar",
    "Semantic Scholar",
    "https://api.semanticscholar.org",
    interval=1.1,
    api="Semantic Scholar Academic Graph v1",
    terms="ODC-BY 1.0",
    key_variable="SEMANTIC_SCHOLAR_API_KEY",
    key_header="x-api-key",
)
HUGGING_FACE = Service(
    "hf-daily",
    "Hugging Face",
    "https://huggingface.co",
    interval=1.0,
    api="Hugging Face daily papers",
    terms="terms of huggingface.co",
)
CROSSREF = Service(
    "crossref",
    "Crossref",
    "https://api.crossref.org",
    interval=0.5,
    api="Crossref REST v1",
    terms="facts, free to use; abstracts belong to their publishers",
    mailto="mailto",
)
KEY_HEADERS = tuple(
    service.key_header
    for service in (ARXIV, OPENALEX, SEMANTIC_SCHOLAR, HUGGING_FACE, CROSSREF)
    if service.key_header
)
"""Headers in which a key may stand."""


def seconds_to_wait(header: str | None, now: datetime) -> float | None:
    """Return how long a server asks to wait, 0 or more; None where it says nothing we understand.

    now: with its time zone.

    >>> seconds_to_wait("120", datetime(2026, 1, 1, tzinfo=UTC))
    120.0
    >>> seconds_to_wait("Thu, 01 Jan 2026 00:01:00 GMT", datetime(2026, 1, 1, tzinfo=UTC))
    60.0
    """
    text = (header or "").strip()
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
