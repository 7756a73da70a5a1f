"""A file as RDF statements: no traceback for a broken one, and nothing fetched from the network."""

from __future__ import annotations

import json
import logging
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rdflib import Graph

from classifier.errors import Fault, InputError, UsageError
from classifier.extras.skos.terms import READ_FORMATS
from classifier.files.reading import read_text

# What relative addresses of a file are relative to: the same on every machine.
_BASE = "https://example.org/thesaurus"
_NAMES = {"turtle": "Turtle", "xml": "RDF/XML", "json-ld": "JSON-LD"}


def parse_rdf(path: Path, shown: str = "") -> Graph:
    """Read an RDF file in the format of its ending; `shown` is its name for messages.

    Raises UsageError for an unknown ending; InputError where the file cannot be read, is not in
    the format of its ending, or is JSON-LD whose context lies at an address.
    """
    shown = shown or str(path)
    form = READ_FORMATS.get(path.suffix.lower())
    if form is None:
        endings = ", ".join(READ_FORMATS)
        raise UsageError(f"{shown}: found ending '{path.suffix}'; wanted one of {endings}.")
    text = read_text(path, shown)
    graph = Graph()
    try:
        if form == "json-ld":
            _refuse_addresses(json.loads(text), shown)
        with _silenced():
            graph.parse(data=text, format=form, publicID=_BASE)
    except InputError:
        raise
    except Exception as error:  # rdflib's parsers raise whatever comes to hand
        raise InputError([_syntax_fault(error, form, shown)]) from error
    return graph


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep rdflib from logging, with tracebacks, what it takes for doubtful in a literal.

    Its JSON-LD parser also warns of its own use of what it deprecates.
    """
    logger = logging.getLogger("rdflib")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _refuse_addresses(document: Any, shown: str) -> None:
    """Raise where a JSON-LD context is an address: rdflib would fetch it."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
            contexts = value.get("@context", [])
            contexts = contexts if isinstance(contexts, list) else [contexts]
            named = [each for each in (*contexts, value.get("@import")) if isinstance(each, str)]
            if named:
                found = f"a JSON-LD context at an address, '{named[0]}'"
                cure = "Nothing is fetched: put the context into the file, or convert it to Turtle."
                raise InputError([Fault("error", shown, None, found, "a context inside", cure)])
        elif isinstance(value, list):
            waiting += value


def _syntax_fault(error: Exception, form: str, shown: str) -> Fault:
    line = None
    match error:
        case json.JSONDecodeError():
            line, reason = error.lineno, error.msg
        case SyntaxError():  # of rdflib's Turtle parser, which counts lines from 0
            line = getattr(error, "lines", -1) + 1 or None
            reason = str(getattr(error, "_why", error))
        case _:
            line = error.getLineNumber() if hasattr(error, "getLineNumber") else None
            reason = str(getattr(error, "getMessage", lambda: error)())
    reason = textwrap.shorten(reason, 120, placeholder="…") or type(error).__name__
    name = _NAMES[form]
    cure = "Correct that place, or let the tool that wrote the file write it anew."
    return Fault("error", shown, line, f"no {name} ({reason})", f"a thesaurus in {name}", cure)
