"""What stands in a JSON record, as the type that is wanted, whatever it is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from classifier.papers.identifiers import arxiv_id_in as arxiv_id_in
from classifier.papers.identifiers import doi_and_url as doi_and_url
from classifier.papers.identifiers import url_of as url_of
from classifier.papers.identifiers import venue_of as venue_of
from classifier.papers.names import sorted_name as sorted_name

Object = Mapping[str, object]
"""A JSON object."""

_PREPRINT_SERVER = re.compile(r"arxiv\b|corr\b|computing research repository", re.IGNORECASE)
_TWICE_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_TWICE_ESCAPED = re.compile(r"\\u(?![dD][89a-fA-F])([0-9a-fA-F]{4})")
# https://shortdoi.org
_SHORT_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10/[a-z0-9]+)", re.IGNORECASE)
_EXTRA = re.compile(r"^(DOI|PMID|PMCID|Publisher|Place|Citation Key):[ \t]*(\S.*)$", re.MULTILINE)
_ARXIV_PLACE = re.compile(r"arxiv|alphaxiv|huggingface\.co/papers/", re.IGNORECASE)


def text_of(value: object) -> str:
    """Return a string or a number as text, the first one of a list, else "".

    >>> text_of(" Bread\\n "), text_of(12), text_of(["", "Bread"]), text_of({}), text_of(True)
    ('Bread', '12', 'Bread', '', '')
    """
    match value:
        case str():
            return (_unescaped(value) if "\\u" in value else value).strip()
        case bool():
            return ""
        case int() if abs(value) < 10**15:
            return str(value)
        case float() if value == value and abs(value) < 10**15:
            return str(int(value)) if value.is_integer() else str(value)
        case list():
            return next((found for item in value if (found := _scalar(item))), "")
    return ""


def line_of(value: object) -> str:
    """Return a text as one line: of a hard-wrapped title, say.

    >>> line_of("Bread and\\n  butter")
    'Bread and butter'
    """
    return " ".join(text_of(value).split()) if value else ""


def texts_of(value: object) -> list[str]:
    """Return the texts of a list, or the one text.

    >>> texts_of(["a", None, 3]), texts_of("a"), texts_of(None)
    (['a', '3'], ['a'], [])
    """
    items = value if isinstance(value, list | tuple) else [value]
    return [found for item in items if (found := _scalar(item))]


def object_of(value: object) -> Object:
    """Return an object as it is, anything else as an empty one."""
    return value if isinstance(value, (dict, Mapping)) else {}  # the first is told faster


def objects_of(value: object) -> list[Object]:
    """Return the objects of a list, or the one object."""
    items = value if isinstance(value, list | tuple) else [value]
    return [item for item in items if isinstance(item, dict)]


def first_of(record: Object, *names: str) -> str:
    """Return the first of these fields that says something, as text."""
    return next((found for name in names if (found := text_of(record.get(name)))), "")


def filled(**values: str) -> dict[str, str]:
    """Return CSL variables that say something; `_` in a name stands for a hyphen.

    >>> filled(volume="3", issue="", publisher_place="Rome")
    {'volume': '3', 'publisher-place': 'Rome'}
    """
    return {name.replace("_", "-"): value for name, value in values.items() if value}


def extra_of(text: str) -> dict[str, str]:
    """Return what the lines of Zotero's field `extra` name, by name in lower case.

    >>> extra_of("Citation Key: cruz2020\\nPMID: 123\\nread twice")
    {'citation key': 'cruz2020', 'pmid': '123'}
    """
    return {name.lower(): value for name, value in _EXTRA.findall(text)} if ":" in text else {}


def _unescaped(text: str) -> str:
    """Return a text that was escaped twice as it was meant; a half pair stays escaped."""
    text = _TWICE_PAIR.sub(lambda pair: pair[0].encode().decode("unicode_escape"), text)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return _TWICE_ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), text)


def _scalar(value: object) -> str:
    return "" if isinstance(value, list) else text_of(value)
