"""Whether every number of a computed sentence is a value of the facts that it names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

from classifier.survey.escape import escape_cell
from classifier.survey.quotation import unmarked
from classifier.taxonomy.model import Taxonomy

_WORDS = {
    word: str(value)
    for value, word in enumerate("none one two three four five six seven eight nine".split())
}
_DIGITS = r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-]|[.,]\d)"
_NUMBER = re.compile(rf"{_DIGITS}|\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_HAS_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_CITED = re.compile(r"\\\[.*?\\\]")
_LINK = re.compile(r'\]\([^()\s]*(?: "[^"]*")?\)')
# Names and words of others stand in marks: titles, terms, code.
_MARKED = re.compile(r"(?<!\\)(\*\*?)(?:\\.|[^*\\])+\1|`[^`]+`|“[^”]*”")
# Numbers that count nothing.
_IDIOMS = re.compile(
    r"\b(?:(?:more|fewer|less) than one|one another|no (?:one|two)|at least one"
    r"|(?:one|two|three) or more|95% intervals?)\b",
    re.IGNORECASE,
)


class NumberReader:
    """Reads the numbers in a sentence that count something, names of the taxonomy aside."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        names = {facet.name for facet in taxonomy.facets.values()}
        names |= {c.name for facet in taxonomy.facets.values() for c in facet.walk(retired=True)}
        names |= {name for lexicon in taxonomy.lexicons.values() for name in lexicon}
        numbered = sorted((n for n in names if _HAS_NUMBER.search(n)), key=lambda n: (-len(n), n))
        pattern = "|".join(re.escape(_plain(escape_cell(name))) for name in numbered)
        # The look-behind first: most places of a text are within a word.
        self._names = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE) if pattern else None
        outside = taxonomy.first.out_of_scope
        self.outside = f"filed={outside.id}" if outside else ""
        """The query for what is out of scope, which no count of categories takes in."""

    def numbers(self, text: str) -> list[str]:
        """Return the numbers of a sentence as digits, without separators."""
        plain = _plain(text)
        return _read(self._names.sub("", plain) if self._names else plain)

    def wrong(self, text: str, allowed: Collection[str]) -> list[str]:
        """Return the numbers of a sentence that are not allowed.

        Names are looked for only where a number is in doubt: they can but take numbers away.
        """
        if all(number in allowed for number in _read(_plain(text))):
            return []
        return [number for number in self.numbers(text) if number not in allowed]


def _plain(text: str) -> str:
    """Return a sentence without citations, addresses and what stands in marks."""
    # Marks first: a title may hold brackets that look like the beginning of a citation.
    text = _LINK.sub("", _CITED.sub("", _MARKED.sub("", text)))
    return unmarked(text.replace("[", "").replace("]", ""))


def _read(plain: str) -> list[str]:
    found = (match[0].lower() for match in _NUMBER.finditer(_IDIOMS.sub("", plain)))
    return [_WORDS.get(word, word).replace(",", "") for word in found]


def allowed_by(
    kind: str,
    ids: Sequence[str],
    facts: Mapping[str, object],
    metrics: Mapping[str, Any],
    outside: str,
) -> tuple[set[str], str]:
    """Return the numbers that facts or metrics allow, and the first id that is unknown, or "".

    Facts: values, their differences, how many are not zero, and the numbers of queries; `outside`
    is the query for what is out of scope. Metrics: a share, two digits, a count.
    """
    found = [facts.get(name) if kind == "facts" else _at(metrics, name) for name in ids]
    unknown = next((name for name, value in zip(ids, found, strict=True) if value is None), "")
    if kind == "metrics":
        figures = [
            each for value in found for each in (value if isinstance(value, list) else [value])
        ]
        numbers = [figure for figure in figures if isinstance(figure, int | float)]
        shown = (form for n in numbers for form in (str(n), f"{n:.2f}", f"{100 * n:.0f}"))
        return set(shown), unknown
    counts = [value for value in found if isinstance(value, int)]
    allowed = {str(count) for count in counts}
    allowed |= {str(abs(one - other)) for one, other in combinations(counts, 2)}
    held = [name for name, value in zip(ids, found, strict=True) if "=" in name and value]
    allowed |= {str(len(held)), str(sum(name != outside for name in held))}
    for text in (*(value for value in found if isinstance(value, str)), *ids):
        allowed |= {part.lstrip("0") or "0" for part in re.findall(r"\d+", text)}
    return allowed, unknown


def _at(metrics: Mapping[str, Any], path: str) -> Any:
    """Return the figure at a path such as `topic.categories.safety.f1`, or None."""
    if path in metrics:
        return metrics[path]
    value: Any = metrics.get("facets", {})
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
