"""What people's files hold, as a terminal or the log of a CI service may be shown it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO, cast

from classifier.text.acting_signs import ACTS

# Lines by which a program gives orders to GitHub Actions and Azure Pipelines.
_ORDER = re.compile(r"^([^\S\n]*:)(?=:)|(#)(?=#(?:vso)?\[)", re.MULTILINE)


def harmless(text: str) -> str:
    """Return a text as it may be printed: signs that act are shown, orders to CI taken apart.

    >>> harmless("red" + chr(27) + "[31m"), harmless("::add-mask::x")
    ('red\\\\x1b[31m', ': :add-mask::x')
    >>> harmless(chr(160) + "::error::x, ##[error]x")  # a service passes over any blank
    '\\xa0: :error::x, # #[error]x'
    """
    text = ACTS.sub(lambda sign: ascii(sign[0])[1:-1], text).replace("\r", "\\r")
    return _ORDER.sub(lambda order: f"{order[0]} ", text)


class _Harmless:
    """A stream that prints what is harmless; all but writing is left to the stream below."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text as it may be printed."""
        self._stream.write(harmless(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def give_order(line: str) -> None:
    """Print a line of our own that a CI service is to obey; what it holds is escaped already."""
    stream = sys.stdout
    print(line, file=stream._stream if isinstance(stream, _Harmless) else stream)


@contextmanager
def harmless_output() -> Iterator[None]:
    """Have everything that is printed inside the block be harmless."""
    with redirect_stdout(cast("TextIO", _Harmless(sys.stdout))):
        yield
