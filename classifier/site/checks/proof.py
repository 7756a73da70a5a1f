"""Proof of a finished survey: its quotes occur in their papers, its numbers are facts.

And the prose of survey.md, whose template may be a project's own, is made of its sentences.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

from classifier.errors import Fault
from classifier.site.blocks import byline, title_text
from classifier.site.markup import without_foreign_parts
from classifier.survey.document import Document, Sentence, Table
from classifier.survey.quotation import says, unmarked
from classifier.survey.survey import Survey
from classifier.survey.wording import escape_cell
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
# Names and quoted words are in marks: titles, terms, code.
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
    """Return a sentence without citations, addresses and text in marks."""
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


_MAX_VALUES = 30


def prove(survey: Survey) -> list[Fault]:
    """Return what is not proven of a survey.

    - Every quote and paraphrase stands in its paper, where its span says.
    - Every number of a computed sentence is a value of its source (or the difference of two, or how
      many are not zero).
    """
    reader = NumberReader(survey.taxonomy)
    problems = (
        (sentence, problem)
        for sentence in survey.document.sentences
        for problem in chain(_quote(sentence, survey), _numbers(sentence, survey, reader))
    )
    return [
        Fault("error", "survey.md", None, f"sentence '{sentence.id}': {found}", expected)
        for sentence, (found, expected) in problems
    ]


def _quote(sentence: Sentence, survey: Survey) -> Iterator[tuple[str, str]]:
    """Yield what a quote or paraphrase says that does not stand at its span; what else may differ
    is listed in `classifier.survey.quotation`."""
    if sentence.kind not in "QP":
        return
    entry = survey.paper(sentence.source.partition(": ")[2])
    if entry is None:
        yield f"the source '{sentence.source}'", "the id of a paper of the survey"
        return
    paper = entry.paper
    words = paper.abstract_display[slice(*sentence.span)] if sentence.span else ""
    if not words:
        yield "no span", f"where the text of {paper.id} says it"
    elif (paper.abstract_kind == "digest") != (sentence.kind == "P"):
        yield f"kind {sentence.kind}", "P for a digest, Q for an abstract"
    elif not (
        says(sentence.text, words)
        if sentence.kind == "P"
        # Character for character.
        else f"“{' '.join(words.split())}”" in unmarked(sentence.text)
    ):
        yield f"“{sentence.text}”", f"what {paper.id} says, “{words}”"


def _numbers(sentence: Sentence, survey: Survey, reader: NumberReader) -> Iterator[tuple[str, str]]:
    """Yield a source that does not exist, or a number that none of a sentence's sources gives."""
    kind, _, named = sentence.source.partition(": ")
    if kind not in ("facts", "metrics"):
        return
    ids = named.split(", ")
    allowed, unknown = allowed_by(kind, ids, survey.fact_values, survey.metrics, reader.outside)
    if unknown:
        yield f"the source '{unknown}'", f"a key of {kind}.json"
    elif wrong := reader.wrong(sentence.text, allowed):
        expected = f"a value of its source: {', '.join(sorted(allowed)[:_MAX_VALUES])}"
        yield f"the number {wrong[0]} in “{sentence.text}”", expected


_ANCHOR = r'<a id="[^"]+"></a>'
_STRUCTURE = re.compile(
    rf"#{{1,6}} [^\n]+|(?:\|[^\n]*\n?)+|{_ANCHOR}"
    rf"|(?:{_ANCHOR})?(?:!\[|\*\*(?:Table|Figure)\b[^*\n]*\*\* |\*\*\d+\.\*\* )[^\n]*"
)
"""Headings, tables, anchors, pictures, captions and references: a line each, but for tables."""
_LINKED = re.compile(r"!?\[(?:\\.|\[[^\]]*\]|[^\[\]\\])*\]\([^()\s]*\)")
_HINT = (
    "Templates print only what has a source: say it in taxonomy.yaml, as `scope` or as a claim, "
    "where it is signed."
)
_PRINTED = 80


def prose_faults(survey: str, document: Document) -> Iterator[Fault]:
    """Yield prose of survey.md that is no sentence of the survey, and missing sentences."""
    sentences = [
        (sentence.id, text)
        for sentence in document.sentences
        for part in without_foreign_parts(sentence.text).split("\n\n")
        if (text := _folded(part))
    ]
    in_tables = {
        cell.id
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Table)
        for row in block.rows
        for cell in row
        if isinstance(cell, Sentence)
    }
    title = {_folded(f"*{title_text(document.subtitle)}*")}
    title.add(_folded(without_foreign_parts(byline(document))))
    met = 0
    line = 1
    for block in survey.split("\n\n"):
        text = _folded(block)
        begins = met < len(sentences) and text.startswith(sentences[met][1])
        is_structure = not begins and (
            text in title
            or bool(_STRUCTURE.fullmatch(block.strip()))
            or not re.search(r"\w", _LINKED.sub("", text))
        )
        is_table = block.lstrip().startswith("|")
        while (
            met < len(sentences)
            and sentences[met][1] in text
            # A cell may repeat a definition; it holds a sentence only if the document says so.
            and (sentences[met][0] in in_tables if is_table else not is_structure)
        ):
            text = _folded(text.replace(sentences[met][1], " ", 1))
            met += 1
        if re.search(r"\w", text) and not is_structure:
            found = f"prose that no sentence stands behind, “{text[:_PRINTED]}”"
            expected = f"sentence '{sentences[met][0]}'" if met < len(sentences) else "nothing more"
            yield Fault("error", "survey.md", line, found, expected, _HINT)
        line += block.count("\n") + 2
    if met < len(sentences):
        found, expected = f"no trace of sentence '{sentences[met][0]}'", "every sentence, in order"
        yield Fault("error", "survey.md", None, found, expected)


def _folded(text: str) -> str:
    return " ".join(text.split())
