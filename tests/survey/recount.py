"""Counts the facts of a survey again, from what its files publish of each paper.

Nothing of the code that counts is used: labels and dates are read from papers.json; whether a text
states a result, releases code or names something from the terms of search-index.js, by which the
browse page finds papers. The hand-written rules of `facts/test_counted_again.py` check those.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

Paper = Mapping[str, Any]
Term = tuple[str, str]

WORDS = "none one two three four five six seven eight nine".split()
_CITED = re.compile(r"\\\[.*?\\\]")
_TARGET = re.compile(r"\]\([^()\s]*\)")
# Titles and quoted words are not ours.
_MARKED = re.compile(r"(?<!\\)\*\*?(?:\\.|[^*\\])+\*\*?|“[^”]*”|`[^`]+`")
_IDIOM = re.compile(
    r"\b(?:more|fewer|less) than one\b|\b(?:one another|no one|no two|at least one)\b"
    r"|\b(?:one|two|three) or more\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"(?<![\w.-])\d[\d,]*(?![\w-])|\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)
_WITH_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)


class Recount:
    """The papers of a build, each with all its terms."""

    def __init__(self, files: Mapping[str, bytes], known: Mapping[str, int]) -> None:
        """known: the facts that no published file can give, such as files that were read."""
        self.papers: Sequence[Paper] = json.loads(files["papers.json"])
        self.pages = [files[paper["page"]].decode() for paper in self.papers]
        self.taxonomy = json.loads(files["taxonomy.json"])
        self.known = known
        self.first = next(iter(self.taxonomy["facets"]))
        searched = searched_terms(files["search-index.js"])
        self.terms = [
            {*labels_of(paper, self.first), *dates_of(paper), *searched[paper["page"]]}
            for paper in self.papers
        ]
        found: dict[Term, set[int]] = {}
        for position, terms in enumerate(self.terms):
            for term in terms:
                found.setdefault(term, set()).add(position)
        self._holding = found

    def count(self, *terms: Term) -> int:
        """Return the number of papers that have all terms."""
        everything = set(range(len(self.papers)))
        return len(everything.intersection(*(self._holding.get(t, set()) for t in terms)))

    def value(self, fact_id: str) -> object:
        """Return the value of a fact; AssertionError if no rule here counts it."""
        try:
            return self._value(fact_id)
        except (KeyError, ValueError) as error:
            raise AssertionError(
                f"No rule counts the fact '{fact_id}' again. Add one to `Recount._value` in "
                "tests/survey/recount.py, or its start to `FIGURE_FACTS` in test_bars.py."
            ) from error

    def _value(self, fact_id: str) -> object:
        """Return the value of a fact; KeyError or ValueError if no rule here counts it."""
        if fact_id == "all":
            return len(self.papers)
        if "=" in fact_id:
            return self.count(*parse_qsl(fact_id, strict_parsing=True, keep_blank_values=True))
        if fact_id in self.known:
            return self.known[fact_id]
        whose, _, which = fact_id.partition(".")
        if which in ("oldest", "newest"):
            return self._date(whose, which)
        if whose == "path":
            category, _, name = which.rpartition(".")
            return self._date_in_path(category, {"earliest": 0, "newest": -1}[name])
        if whose == "columns":
            return self._of_column(*which.split("."))
        if which.startswith("agreed."):
            votes = which.removeprefix("agreed.").replace("-of-", "/")
            return sum(f": {votes} readers" in page for page in self.pages)
        if whose == "papers":
            return self._of_papers(which)
        return self._of_lexicon(whose, which)

    def _date(self, whose: str, which: str) -> str:
        dates = sorted(
            paper["published"]
            for paper, terms in zip(self.papers, self.terms, strict=True)
            if paper["published"] and (whose == "papers" or ("filed", whose) in terms)
        )
        return dates[-1 if which == "newest" else 0] if dates else ""

    def _date_in_path(self, category: str, place: int) -> str:
        """Return the first or last date; of a month alone the number on arXiv tells where in it."""
        top, is_part, _ = category.partition("/")
        of = {("topic", category), *[("filed", top)] * bool(is_part)}
        filed = [
            paper
            for paper, terms in zip(self.papers, self.terms, strict=True)
            if paper["published"] and of <= set(terms)
        ]

        def numbered(paper: Paper) -> str:
            date, number = paper["published"], paper["arxiv_id"]
            return number if number.startswith(f"{date[2:4]}{date[5:7]}.") else ""

        def when(paper: Paper) -> tuple[str, str]:
            date, number = paper["published"], numbered(paper)
            before = [
                (numbered(other), other["published"])
                for other in filed
                if number and len(other["published"]) == 10 and number[:5] == numbered(other)[:5]
            ]
            if len(date) == 7:
                date = max((pair for pair in before if pair[0] < number), default=("", date))[1]
            return date, number

        return str(sorted(filed, key=when)[place]["published"])

    def _of_column(self, column: str, which: str) -> int:
        filled = [paper["columns"][column] for paper in self.papers if column in paper["columns"]]
        by_hand = sum(values[0]["source"] == "by hand" for values in filled)
        return {"filled": len(filled), "by_hand": by_hand}[which]

    def _of_papers(self, which: str) -> int:
        lengths = [len(paper["published"]) for paper in self.papers]
        counted = {
            "total": len(self.papers),
            "dated": len(lengths) - lengths.count(0),
            "without_authors": sum(not paper["authors"] for paper in self.papers),
            "dated_to_day": lengths.count(10),
            "dated_to_month": lengths.count(7),
            "with_abstract": self.count(("text", "abstract")),
            "with_digest": self.count(("text", "digest")),
            "title_only": self.count(("text", "none")),
            "with_code": self.count(("code", "yes")),
            "with_figure": self.count(("result", "stated")),
            "several_topics": self.count(("several", "yes")),
            "key": self.count(("key", "yes")),
        }
        return counted[which] if which in counted else self.count(("status", which))

    @property
    def in_scope(self) -> list[str]:
        """The top categories of the first facet that are about the field."""
        categories = self.taxonomy["facets"][self.first]["categories"]
        current = [c for c in categories if not c.get("replaced_by")]
        return [category["id"] for category in current if not category.get("out_of_scope")]

    @property
    def outside(self) -> str:
        """The query for what is out of scope, or ""."""
        categories = self.taxonomy["facets"][self.first]["categories"]
        return next((f"filed={c['id']}" for c in categories if c.get("out_of_scope")), "")

    def _of_lexicon(self, lexicon: str, which: str) -> int:
        found = [
            holding
            for (key, name), holding in self._holding.items()
            if key == lexicon and name != "none"
        ]
        return {"distinct": len(found), "stated": len(set().union(*found))}[which]

    def allowed(self, fact_ids: Sequence[str]) -> set[int]:
        """Return the numbers that a sentence of these sources may state.

        The values, the difference of any two, how many of the queries find something, and the
        parts of a date and of a query.
        """
        values = {fact_id: self.value(fact_id) for fact_id in fact_ids}
        counts = [value for value in values.values() if isinstance(value, int)]
        allowed = {*counts, *(abs(one - other) for one in counts for other in counts)}
        held = [fact_id for fact_id, value in values.items() if "=" in fact_id and value]
        allowed |= {len(held), len([fact_id for fact_id in held if fact_id != self.outside])}
        written = [value for value in values.values() if isinstance(value, str)]
        dates = [value for fact_id in fact_ids for value in dates_in(fact_id)]
        dates += [fact_id for fact_id in fact_ids if fact_id.startswith("papers.agreed.")]
        return allowed | {int(n) for text in written + dates for n in re.findall(r"\d+", text)}


def dates_in(query: str) -> list[str]:
    """Return the dates of which a query speaks."""
    return re.findall(r"\b(?:year|quarter|month)=([^&]+)", query)


def searched_terms(script: bytes) -> dict[str, set[Term]]:
    """Return page -> the terms of its paper in search-index.js."""
    index = _index(script)
    terms = [(key["id"], value[0]) for key in index["keys"] for value in key["values"]]
    return {
        f"p/{page}.html": {terms[number] for number in numbers}
        for page, numbers in zip(index["pages"], index["terms"], strict=True)
    }


def _index(script: bytes) -> Any:
    return json.loads(script.decode("utf-8").partition("=")[2].strip().removesuffix(";"))


def labels_of(paper: Paper, first: str) -> set[Term]:
    """Return the terms of a paper's labels in papers.json; first: id of the first facet."""
    labels = paper["labels"]
    return {
        ("filed", labels[first]["primary"]),
        ("status", labels[first]["status"]),
        ("key", "yes" if paper["key"] else "no"),
        ("text", paper["abstract_kind"]),
        *((facet, c) for facet, given in labels.items() for c in given["categories"] or ["none"]),
    }


def dates_of(paper: Paper) -> set[Term]:
    """Return the terms of a paper's date in papers.json."""
    year, _, rest = paper["published"].partition("-")
    month = rest[:2]
    quarter = f"{year}-Q{-(-int(month) // 3)}" if month else "undated"
    return {
        ("year", year or "undated"),
        ("quarter", quarter),
        ("month", f"{year}-{month}" if month else "undated"),
    }


def names_in(script: bytes) -> list[str]:
    """Return the names of categories, facets and lexicon entries that contain a number."""
    index = _index(script)
    labels = {value[1] for key in index["keys"] for value in key["values"]}
    labels |= {key["name"] for key in index["keys"]}
    return sorted(label for label in labels if _WITH_NUMBER.search(label))


def numbers_in(text: str, names: Sequence[str]) -> list[int]:
    """Return the counts that a sentence states, in digits or words.

    names: of categories and lexicons; a number in one of them counts nothing.
    """
    plain = _MARKED.sub("", _TARGET.sub("", _CITED.sub("", text))).replace("[", "")
    plain = _IDIOM.sub("", re.sub(r"\\(.)", r"\1", plain))
    for name in sorted(names, key=len, reverse=True):
        if name in plain:
            plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", plain)
    found = [number.replace(",", "").lower() for number in _NUMBER.findall(plain)]
    return [int(n) if n.isdigit() else WORDS.index(n) for n in found]
