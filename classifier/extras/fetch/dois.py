"""DOIs as people hand them in: typed, or in text files of any kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from classifier.errors import Fault, InputError, UsageError
from classifier.files.content import STANDARD_INPUT, contents
from classifier.papers.paper import clean_doi

_SEPARATOR = re.compile(r"[\s,;|]+")


def read_dois(given: Iterable[str]) -> tuple[str, ...]:
    """Return the DOIs in what was given, none twice, in order.

    given: DOIs, their addresses, and files that hold some (`-`: standard input). Raises UsageError
    for what is neither, InputError for a file that holds none.
    """
    found: list[str] = []
    for text in given:
        path = Path(text)
        if path == STANDARD_INPUT or path.is_file():
            found += _in_file(path)
        elif doi := clean_doi(text):
            found.append(doi)
        else:
            raise UsageError(f"{text}: is neither a file nor a DOI; wanted such as 10.1000/182.")
    return tuple(dict.fromkeys(found))


def _in_file(path: Path) -> list[str]:
    found: list[str] = []
    for content in contents(path, str(path)):
        dois = [doi for line in content.lines() for doi in _in_line(line)]
        if not dois:
            fault = Fault("error", content.name, None, "no DOI", "DOIs, one a line")
            raise InputError([fault])
        found += dois
    return found


def _in_line(line: str) -> Iterator[str]:
    return (doi for word in _SEPARATOR.split(line) if (doi := clean_doi(word)))
