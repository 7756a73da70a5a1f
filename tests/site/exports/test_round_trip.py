"""What other tools read out of the exports is what went into them, field by field.

The readers are those that people use: bibtexparser, pybtex, rispy and citeproc-py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from classifier.papers.load import load_papers
from classifier.papers.paper import Paper, Published
from classifier.site.exports.citation import cite_keys, make_citation
from classifier.site.exports.reference_files import bibtex_entry, csl_item, ris_record

bibtexparser = pytest.importorskip("bibtexparser", reason="needs bibtexparser 2")
rispy = pytest.importorskip("rispy", reason="needs rispy")
pybtex = pytest.importorskip("pybtex.database", reason="needs pybtex")
citeproc = pytest.importorskip("citeproc.source.json", reason="needs citeproc-py")
latex = pytest.importorskip("pylatexenc.latex2text", reason="needs pylatexenc")

Fields = dict[str, object]
_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec".split()
MONTHS = {name: number for number, name in enumerate(_NAMES, start=1)}
_DECODER = latex.LatexNodes2Text(keep_braced_groups=False)


def written(
    one: Callable[[Paper, str], str], papers: Iterable[Paper], keys: Mapping[str, str]
) -> str:
    """Return what a format writes of all papers."""
    return "\n".join(one(paper, keys[paper.id]) for paper in papers)


def stated(paper: Paper) -> Fields:
    """Return what a reference should say of a paper."""
    cited = make_citation(paper)
    fields: Fields = {
        "title": cited.title,
        "authors": [str(name) for name in cited.authors],
        "organisation": cited.organisation,
        "date": cited.date,
        "venue": cited.venue,
        "arxiv": cited.arxiv_id,
        "doi": cited.doi,
        "url": cited.url,
        "note": cited.note,
    }
    return {name: value for name, value in fields.items() if value}


def decoded(text: str) -> str:
    """Return what LaTeX would print; this decoder takes the accent for the sign."""
    return _DECODER.latex_to_text(text).replace("ˆ", "^")  # type: ignore[no-any-return]


def bibtex_fields(raw: Mapping[str, str], authors: list[str], has_more: bool) -> Fields:
    month = raw.get("month", "")[:3].lower()
    date = "-".join(
        f"{int(part):02}"
        for part in (raw.get("year", ""), MONTHS.get(month, ""), raw.get("day", ""))
        if part
    )
    fields = {
        "title": decoded(raw["title"]),
        "authors": authors,
        "organisation": decoded(raw.get("organization", "")),
        "date": date,
        "venue": decoded(raw.get("howpublished", "")),
        "arxiv": raw.get("eprint", ""),
        "doi": raw.get("doi", ""),
        "url": raw.get("url", ""),
        "note": raw.get("note", ""),
    }
    some_missing = re.search(r"of \d+ authors|not all authors", str(fields["note"]))
    assert has_more == bool(some_missing and authors)
    return {name: value for name, value in fields.items() if value}


def joined(last: Iterable[str], first: Iterable[str]) -> str:
    """Return a name as `Family, Given`, a group without its braces."""
    family, given = decoded(" ".join(last)), decoded(" ".join(first))
    return f"{family}, {given}" if given else family


def by_bibtexparser(papers: list[Paper], keys: Mapping[str, str]) -> dict[str, Fields]:
    middlewares = bibtexparser.middlewares
    library = bibtexparser.parse_string(
        written(bibtex_entry, papers, keys),
        append_middleware=[middlewares.SeparateCoAuthors(), middlewares.SplitNameParts()],
    )
    assert library.failed_blocks == []
    found = {}
    for entry in library.entries:
        raw: dict[str, Any] = {field.key: field.value for field in entry.fields}
        names = [joined([*n.von, *n.last], [*n.first, *n.jr]) for n in raw.pop("author", [])]
        has_more = names[-1:] == ["others"]
        found[entry.key] = bibtex_fields(raw, names[:-1] if has_more else names, has_more)
    return found


def by_pybtex(papers: list[Paper], keys: Mapping[str, str]) -> dict[str, Fields]:
    found = {}
    for key, entry in pybtex.parse_string(
        written(bibtex_entry, papers, keys), "bibtex"
    ).entries.items():
        names = [
            joined(
                [*person.prelast_names, *person.last_names],
                [*person.first_names, *person.middle_names, *person.lineage_names],
            )
            for person in entry.persons.get("author", [])
        ]
        has_more = names[-1:] == ["others"]
        names = names[:-1] if has_more else names
        found[key] = bibtex_fields(dict(entry.fields), names, has_more)
    return found


def by_rispy(papers: list[Paper], keys: Mapping[str, str]) -> dict[str, Fields]:
    found = {}
    records = rispy.loads(written(ris_record, papers, keys))
    assert len(records) == len(papers)
    for record in records:
        date = record.get("date", "").rstrip("/").replace("/", "-")
        assert date[:4] == record.get("year", "")
        fields = {
            "title": record["title"],
            "authors": record.get("authors", []),
            "organisation": record.get("publisher", ""),
            "date": date,
            "venue": record.get("secondary_title", ""),
            "arxiv": record.get("accession_number", "").removeprefix("arXiv:"),
            "doi": record.get("doi", ""),
            "url": "".join(record.get("urls", [])),
            "note": "".join(record.get("notes", [])),
        }
        found[record["id"]] = {name: value for name, value in fields.items() if value}
    return found


def by_citeproc(papers: list[Paper], keys: Mapping[str, str]) -> dict[str, Fields]:
    items = [csl_item(paper, keys[paper.id]) for paper in papers]
    assert len(items) == len(papers)
    source = citeproc.CiteProcJSON(items)
    found = {}
    for key, item in source.items():
        issued = item.get("issued", {})
        names = [
            joined_plain(name.get("family", name.get("literal", "")), name.get("given", ""))
            for name in item.get("author", [])
        ]
        fields = {
            "title": text_of(item["title"]),
            "authors": names,
            "organisation": text_of(item.get("publisher")),
            "date": "-".join(
                f"{issued[part]:02}" for part in ("year", "month", "day") if part in issued
            ),
            "venue": text_of(item.get("container_title")),
            "arxiv": text_of(item.get("number")).removeprefix("arXiv:"),
            "doi": text_of(item.get("DOI")),
            "url": text_of(item.get("URL")),
            "note": text_of(item.get("note")),
        }
        found[key] = {name: value for name, value in fields.items() if value}
    return found


def joined_plain(family: str, given: str) -> str:
    return f"{family}, {given}" if given else family


def text_of(value: object) -> str:
    """Return the text of a value of citeproc-py, which keeps formatted text in parts."""
    return "" if value is None else str(value)


READERS = [by_bibtexparser, by_pybtex, by_rispy, by_citeproc]
Reader = Callable[[list[Paper], Mapping[str, str]], dict[str, Fields]]


@pytest.fixture(scope="module")
def shipped(root: Path) -> list[Paper]:
    """The papers of the shipped survey, with their ids."""
    return list(load_papers([root / "papers" / "agentic-ai.jsonl"], root).papers)


@pytest.mark.parametrize("reader", READERS)
def test_every_shipped_paper_is_read_back_as_it_was_written(
    shipped: list[Paper], reader: Reader
) -> None:
    assert len(shipped) == 364
    keys = cite_keys(shipped)
    assert reader(shipped, keys) == {keys[paper.id]: stated(paper) for paper in shipped}


NASTY = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("{}$&#%_^~\\<>|-'`\",;:!?.@=/()[]*+ ")),
        st.sampled_from(list("abcXYZ019éßøŁ乌鸦न“”’–…😀αℓ")),
    ),
    min_size=1,
    max_size=30,
)
DATES = st.sampled_from(["", "2024", "2024-03", "2024-12-05"])
PAPERS = st.builds(
    Paper,
    title=NASTY.map("A".__add__),
    authors=st.lists(NASTY, max_size=3).map(tuple),
    author_count=st.sampled_from([None, 0, 2, 5]),
    organisation=NASTY,
    published=DATES.map(Published),
    venue=NASTY,
    arxiv_id=st.sampled_from(["", "2401.10230", "cs/0112017"]),
    doi=st.sampled_from(["", "10.1000/a_b(c)%2", "10.1000/182"]),
    url=st.sampled_from(["", "https://example.org/~a_b?x=1&y=%20#z", "javascript:alert(1)"]),
)
HARD = Paper(
    "@misc{a, title = {b}} ER  - --- ``q'' <b> {\\'e} \\ {} }{",
    authors=("others", "hooks, bell", "A, B, C", "Ada de la Cruz", "R&D Team, North", "Plato {"),
    organisation="and",
    venue="Proc. of 50% {, a--b, c---d, ``e'', ''f, !`g, ,,h",
)


@pytest.mark.parametrize("reader", READERS)
def test_no_sign_of_a_title_or_a_name_is_lost(reader: Reader) -> None:
    @settings(suppress_health_check=list(HealthCheck))
    @given(paper=PAPERS)
    @example(paper=HARD)
    def holds(paper: Paper) -> None:
        papers = [replace(paper, id="p-0123456789"), Paper("Another", id="p-1")]
        keys = cite_keys(papers)
        assert reader(papers, keys) == {keys[p.id]: stated(p) for p in papers}

    holds()
