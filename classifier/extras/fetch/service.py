"""A web service: its address, its terms, and how long to wait for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


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

    @property
    def host(self) -> str:
        """The name of the server, for messages."""
        try:
            return urlsplit(self.base).netloc or self.base
        except ValueError:  # brackets that are none of IPv6
            return self.base

    @property
    def pause(self) -> float:
        """Seconds between two requests; none to a mirror on this very machine."""
        return 0.0 if urlsplit(self.base).hostname in _THIS_MACHINE else self.interval

    @property
    def key(self) -> str:
        """A key of the user's, from the environment, or ""."""
        return os.environ.get(self.key_variable, "").strip() if self.key_variable else ""

    def url(self, path: str, parameters: Mapping[str, str] | None = None) -> str:
        """Return the address of a page; parameters that are "" are left out."""
        given = {name: value for name, value in (parameters or {}).items() if value}
        return f"{self.base}{path}" + (f"?{urlencode(given)}" if given else "")


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
