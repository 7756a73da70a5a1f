"""A web service and its manners; what is asked for, and how its pages answer."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from classifier.errors import Fault, InputError, UsageError
from classifier.files.content import STANDARD_INPUT, contents
from classifier.papers.paper import clean_doi

_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")

Fields = dict[str, object]
"""Fields of one paper, as `papers.fields.read_fields` takes them."""


class UnreadableError(ValueError):
    """An answer that is not what it should be: cut off, of another format, or empty too early."""


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


@dataclass(frozen=True, slots=True)
class Query:
    """What a person asks for."""

    text: str = ""
    """In the language of the service."""
    since: str = ""
    """First day, ISO, or ""."""
    until: str = ""
    """Last day, ISO, or ""."""
    limit: int | None = None
    """At most so many papers."""
    filter: str = ""
    """OpenAlex's filter, or ""."""
    dois: tuple[str, ...] = ()

    def told(self) -> dict[str, object]:
        """Return what was asked for, without what was not."""
        return {name: value for name, value in asdict(self).items() if value not in ("", None, ())}


@dataclass(frozen=True, slots=True)
class Page:
    """What one answer holds."""

    records: tuple[Fields, ...]
    following: str = ""
    """The address of the next page; "" on the last."""
    total: int | None = None
    """How many papers the service says that there are."""
    missing: tuple[str, ...] = ()
    """What was asked for by name and is not there."""


@dataclass(frozen=True, slots=True)
class Source:
    """How a query becomes pages of a service."""

    service: Service
    first: Callable[[Query], str]
    """The address of the first page; raises UsageError for what no page answers."""
    read: Callable[[bytes | None, str, Query], Page]
    """What an answer to an address holds (None: nothing is there); raises UnreadableError."""
    titled: Callable[[str, int], str] | None = None
    """The address of papers of a title, at most so many; None where it cannot be asked for one."""

    def reading(self, url: str, query: Query) -> Callable[[bytes | None], Page]:
        """Return `read` for one address."""
        return lambda body: self.read(body, url, query)


def read_dois(given: Iterable[str]) -> tuple[str, ...]:
    """Return the DOIs in what was given, none twice, in order.

    given: DOIs, their addresses, and files that hold some (`-`: standard input). Raises UsageError
    for what is neither, InputError for a file that holds none.
    """
    found: list[str] = []
    for text in given:
        path = Path(text)
        if path == STANDARD_INPUT or path.is_file():
            for content in contents(path, str(path)):
                words = (word for line in content.lines() for word in re.split(r"[\s,;|]+", line))
                dois = [known for word in words if (known := clean_doi(word))]
                if not dois:
                    fault = Fault("error", content.name, None, "no DOI", "DOIs, one a line")
                    raise InputError([fault])
                found += dois
        elif doi := clean_doi(text):
            found.append(doi)
        else:
            raise UsageError(f"{text}: is neither a file nor a DOI; expected such as 10.1000/182.")
    return tuple(dict.fromkeys(found))


def json_object(body: bytes | None) -> Mapping[str, object]:
    """Return an answer as a JSON object; raises UnreadableError where it is none."""
    value = json_value(body)
    if not isinstance(value, dict):
        raise UnreadableError("an answer that is no JSON object")
    return value


def json_value(body: bytes | None) -> object:
    """Return an answer as JSON; raises UnreadableError where it is none, or nothing is there."""
    if body is None:
        raise UnreadableError("no such page")
    try:
        return cast(object, json.loads(body))
    except (ValueError, RecursionError) as error:
        raise UnreadableError("an answer that is no whole JSON") from error


def json_objects(value: object) -> Sequence[Mapping[str, object]]:
    """Return the objects of a list; raises UnreadableError where it is no list."""
    if not isinstance(value, list):
        raise UnreadableError("an answer without a list of papers")
    return [item for item in value if isinstance(item, dict)]


def count_in(value: object) -> int | None:
    """Return a count where there is one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def parameter(url: str, name: str) -> str:
    """Return a parameter of an address, or ""."""
    return dict(parse_qsl(urlsplit(url).query)).get(name, "")


def with_parameters(url: str, **changed: str) -> str:
    """Return an address with other values of some parameters.

    >>> with_parameters("http://x.org/a?start=0&q=b+c", start="5")
    'http://x.org/a?start=5&q=b+c'
    """
    parts = urlsplit(url)
    query = urlencode({**dict(parse_qsl(parts.query)), **changed})
    return urlunsplit(parts._replace(query=query))
