"""Whether every number of a computed sentence is a value of the facts that it names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from classifier.errors import Fault
from classifier.survey.escape import escape_cell
from classifier.survey.quotation import unmarked
from classifier.taxonomy.model import Taxonomy

_SHOWN = 30
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


def number_faults(
    sentences: Sequence[Mapping[str, Any]],
    facts: Mapping[str, Mapping[str, Any]],
    metrics: Mapping[str, Any],
    reader: NumberReader,
) -> Iterator[Fault]:
    """Yield sources that do not exist, and numbers that none of a sentence's sources gives."""
    for sentence in sentences:
        source, _, named = sentence["source"].partition(": ")
        if source not in ("facts", "metrics"):
            continue
        ids = named.split(", ")
        unknown = [
            name
            for name in ids
            if (name not in facts if source == "facts" else _at(metrics, name) is None)
        ]
        if unknown:
            wanted = f"a key of {source}.json"
            yield _fault(sentence, f"the source '{unknown[0]}'", wanted)
            continue
        if source == "metrics":
            allowed = _of_metrics(metrics, ids)
        else:
            allowed = _of_facts(facts, ids, reader.outside)
        wrong = reader.wrong(sentence["text"], allowed)
        if wrong:
            found = f"the number {wrong[0]} in “{sentence['text']}”"
            wanted = f"a value of its source: {', '.join(sorted(allowed)[:_SHOWN])}"
            yield _fault(sentence, found, wanted)


def _of_facts(facts: Mapping[str, Mapping[str, Any]], ids: Sequence[str], outside: str) -> set[str]:
    """Return the values, their differences, how many are not zero, and the numbers of queries."""
    values = [facts[name]["value"] for name in ids]
    counts = [value for value in values if isinstance(value, int)]
    allowed = {str(count) for count in counts}
    allowed |= {str(abs(one - other)) for one, other in combinations(counts, 2)}
    held = [name for name in ids if "=" in name and facts[name]["value"]]
    allowed |= {str(len(held)), str(sum(name != outside for name in held))}
    dates = [value for value in values if isinstance(value, str)]
    for text in (*dates, *ids):
        allowed |= {part.lstrip("0") or "0" for part in re.findall(r"\d+", text)}
    return allowed


def _of_metrics(metrics: Mapping[str, Any], ids: Sequence[str]) -> set[str]:
    """Return every way in which the figures may be written: a share, two digits, a count."""
    allowed: set[str] = set()
    for name in ids:
        value = _at(metrics, name)
        for figure in value if isinstance(value, list) else [value]:
            if isinstance(figure, int | float):
                allowed |= {str(figure), f"{figure:.2f}", f"{100 * figure:.0f}"}
    return allowed


def _at(metrics: Mapping[str, Any], path: str) -> Any:
    """Return the figure at a path such as `topic.categories.safety.f1`, or None."""
    if path in metrics:
        return metrics[path]
    value: Any = metrics.get("facets", {})
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _fault(sentence: Mapping[str, Any], found: str, wanted: str) -> Fault:
    return Fault("error", "survey.md", None, f"sentence '{sentence['id']}': {found}", wanted)
