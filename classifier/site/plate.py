"""What a file of the site is printed from, before it is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from classifier.files.manifest import digest


@dataclass(frozen=True, slots=True)
class Plate:
    """A file of the site that can be printed, and need not be where it was printed before."""

    path: str
    """From the top of the site."""
    made_of: str
    """Digest of all that its text is a function of."""
    text: Callable[[], str]
    """Prints it."""


@dataclass(frozen=True, slots=True)
class Blank:
    """A page whose plate takes time to make, and need not be made where `made_of` is known."""

    path: str
    made_of: str
    """Digest of all that the plate is made of."""
    plate: Callable[[], Plate]
    """Makes it."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Files that are all made of the same, and need not even be named where that is known."""

    name: str
    made_of: str
    """Digest of all that they are made of, and which files there are."""
    files: Callable[[], Iterable[File]]
    """Yields them."""


File = tuple[str, str] | tuple[str, bytes] | Plate | Blank | Bundle
"""Path from the top of the site, text or bytes; or how to come by them."""


def texts(files: Iterable[File]) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of files, each printed."""
    for file in files:
        if isinstance(file, Bundle):
            yield from texts(file.files())
        elif isinstance(file, tuple):
            path, text = file
            yield path, text if isinstance(text, str) else text.decode("utf-8")
        else:
            plate = file.plate() if isinstance(file, Blank) else file
            yield plate.path, plate.text()


def digest_of(*parts: object) -> str:
    """Return a digest of records: of all that their `repr` shows.

    Records of plain values show all of what they hold. A value that does not (a function, a set,
    whose order is another in every process) makes a digest that is never met again: what is made
    of it is made anew, and never taken for what it is not.
    """
    return digest(repr(parts).encode("utf-8", "surrogatepass"))
