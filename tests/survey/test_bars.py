"""What the shipped survey promises of its sentences, papers, tables and exports.

One build in memory for all tests. They read the files that it publishes, as another program would,
and count again what these say (`tests.survey.recount`).
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.survey.document import Figure, Table
from tests.survey.recount import Recount, names_in, numbers_in

STRUCTURE = re.compile(r"#|\||<a id=|!\[|\*\*(?:Table|Figure)\b|\*\*\d+\.\*\*")
OF_CATEGORIES = re.compile(r"papers-|facet-")
"""Ids of the tables that exist per category or facet."""
HOLLOW = re.compile(r"\b(?:novel|best|significant)\b", re.IGNORECASE)
DENIED = re.compile(r"\b(?:not stated|none states?|states no|do(?:es)? not say)\b", re.IGNORECASE)
"""Words that deny a statement; a text may state it even if it was not found."""
NOT_COMPUTED = ("Q", "P", "H", "D")
"""Kinds of sentences that are not computed: quotes, paraphrases, editors' text, definitions."""


@pytest.fixture(scope="module")
def survey(root: Path) -> BuildResult:
    """The shipped survey."""
    return compute(Project(root))


@pytest.fixture(scope="module")
def files(survey: BuildResult) -> Mapping[str, bytes]:
    return survey.files


@pytest.fixture(scope="module")
def text(files: Mapping[str, bytes]) -> str:
    return files["survey.md"].decode("utf-8")


@pytest.fixture(scope="module")
def papers(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads(files["papers.json"])
    return read


@pytest.fixture(scope="module")
def sentences(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files["sentences.jsonl"].splitlines()]


@pytest.fixture(scope="module")
def recount(survey: BuildResult, root: Path) -> Recount:
    """The counter, with the values that are not in a published file."""
    read = [path.read_bytes() for path in sorted((root / "papers").glob("*.jsonl"))]
    known = {
        "files.read": len(read),
        "records.read": sum(content.count(b"\n") for content in read),
        "records.quarantined": len(rows(survey.files, "quarantine.csv")),
        "papers.left_out": len(rows(survey.files, "excluded.csv")),
        "papers.left_out_reviewed": 0,
    }
    known["papers.distinct"] = len(survey.survey.entries) + known["papers.left_out"]
    shared = [key for key in survey.survey.fact_values if key.startswith("emerging.")]
    known |= {fact_id: sharing(survey, fact_id) for fact_id in shared}
    for column in survey.survey.taxonomy.columns.values():
        applicable = [
            e for e in survey.survey.entries if column.applies_to_topics(e.first.categories)
        ]
        known[f"columns.{column.id}.asked"] = len(applicable)
    tables = {t.id.removeprefix("papers-"): len(t.rows) for t in tables_of(survey)}
    known |= {f"{category}.in_table": rows for category, rows in tables.items()}
    return Recount(survey.files, known)


FIGURE_FACTS = ("claims.", "levels.", "matrix.", "months.")
"""Prefixes of facts of figures that do not count papers by terms."""
CHOSEN = (".survey", ".referred", ".introducing", ".argued-1", ".argued-2", ".odd")
"""Suffixes of facts that state which paper was chosen."""


def rows(files: Mapping[str, bytes], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(files[name].decode("utf-8-sig").splitlines()))


def sharing(survey: BuildResult, fact_id: str) -> int:
    """Return how many papers share the words of `emerging.WORDS`, or `….provisional`."""
    words, _, which = fact_id.removeprefix("emerging.").partition(".")
    pair = re.compile(rf"\b{words.replace('-', '[^a-z0-9]+')}\b")
    return sum(
        any(pair.search(text.lower()) for text in (entry.paper.title_display, entry.contribution))
        for entry in survey.survey.entries
        if which == "" or entry.first.status == which
    )


def tables_of(survey: BuildResult) -> list[Table]:
    blocks = [block for section in survey.survey.document.sections for block in section.blocks]
    return [block for block in blocks if isinstance(block, Table)]


def prose(text: str) -> list[str]:
    """Return the paragraphs of survey.md between contents and references."""
    body = text.partition("\n## Abstract\n")[2].partition('<a id="reference-list"></a>')[0]
    blocks = [block.strip() for block in body.split("\n\n")]
    return [block for block in blocks if block and not STRUCTURE.match(block)]


def test_every_sentence_of_the_prose_is_listed_with_kind_and_source(
    text: str, sentences: list[dict[str, Any]], survey: BuildResult
) -> None:
    cells = [cell for table in tables_of(survey) for row in table.rows for cell in row]
    in_tables = {cell.id for cell in cells if not isinstance(cell, str)}
    assert len(in_tables) > 50
    assert " ".join(" ".join(prose(text)).split()) == " ".join(
        " ".join(each["text"].split()) for each in sentences if each["id"] not in in_tables
    )
    assert len({sentence["id"] for sentence in sentences}) == len(sentences) > 300
    for sentence in sentences:
        assert sentence["kind"] in "QPCTHD"
        assert re.match(
            r"(facts|metrics|paper|taxonomy|reviews\.csv|fieldguide): \S", sentence["source"]
        )


def test_every_quotation_is_at_its_span(
    papers: list[dict[str, Any]], sentences: list[dict[str, Any]]
) -> None:
    by_id = {paper["id"]: paper for paper in papers}
    quotations = [sentence for sentence in sentences if sentence["kind"] in "QP"]
    assert len(quotations) > 50
    for sentence in quotations:
        paper = by_id[sentence["source"].removeprefix("paper: ")]
        start, end = sentence["span"]
        words = paper["abstract"][start:end].removesuffix(".")
        printed = re.sub(r"\\(?=[^\w\s])", "", sentence["text"])
        assert len(words) > 20, sentence
        assert words in printed or (sentence["kind"] == "P" and words[1:] in printed), sentence
        assert (paper["abstract_kind"] == "digest") == (sentence["kind"] == "P"), sentence


def test_every_fact_matches_the_published_papers(
    files: Mapping[str, bytes], recount: Recount
) -> None:
    facts = {key: fact["value"] for key, fact in json.loads(files["facts.json"]).items()}
    assert len(facts) > 300
    # Facts on a chosen paper are not counts.
    facts = {
        key: value
        for key, value in facts.items()
        if not key.endswith(CHOSEN) and not key.startswith(FIGURE_FACTS)
    }
    assert {key: recount.value(key) for key in facts} == facts


def test_every_number_in_a_computed_sentence_is_counted_again(
    files: Mapping[str, bytes], sentences: list[dict[str, Any]], recount: Recount
) -> None:
    names = names_in(files["search-index.js"])
    checked = 0
    for sentence in sentences:
        kind, _, ids = sentence["source"].partition(": ")
        if sentence["kind"] in "CT" and kind == "facts":
            found = numbers_in(sentence["text"], names)
            if ids.endswith(CHOSEN):
                continue
            allowed = recount.allowed(ids.split(", "))
            assert set(found) <= allowed, (sentence, set(found) - allowed)
            checked += len(found)
    assert checked > 10


def test_a_number_equals_the_papers_on_its_browse_page(text: str, recount: Recount) -> None:
    linked = re.findall(r"\[(?:all )?([\d,]+|[a-z]+)\]\(browse\.html\?([^()\s]+)\)", text)
    counted = [(numbers_in(number, ()), query) for number, query in linked]
    assert all(numbers in ([], [recount.value(query)]) for numbers, query in counted)


def test_a_metric_in_a_sentence_is_in_metrics_json(
    files: Mapping[str, bytes], sentences: list[dict[str, Any]]
) -> None:
    metrics = json.loads(files["metrics.json"])
    stated = [s for s in sentences if s["source"].startswith("metrics: ")]
    assert stated
    for sentence in stated:
        for path in sentence["source"].removeprefix("metrics: ").split(", "):
            figure = metrics if path in metrics else metrics["facets"]
            for key in path.split("."):
                assert key in figure, sentence
                figure = figure[key]


def test_a_name_is_found_only_where_one_of_its_spellings_occurs(
    survey: BuildResult, recount: Recount
) -> None:
    """Read without the signs between words, in which spellings may differ, and without `'s`."""
    for paper, terms in zip(recount.papers, recount.terms, strict=True):
        held = letters(f"{paper['title_display']} {paper['abstract']}")
        for lexicon, names in survey.survey.taxonomy.lexicons.items():
            found = {name for key, name in terms if key == lexicon and name != "none"}
            for name in found:
                forms = [form.split("_") for form in (name, *names[name])]  # open words of a cue
                said = (all(letters(part) in held for part in parts) for parts in forms)
                assert any(said), (paper, name)


def letters(text: str) -> str:
    return "".join(sign for sign in re.sub(r"['’]s\b", "", text.casefold()) if sign.isalnum())


def test_every_citation_has_a_reference(text: str, papers: list[dict[str, Any]]) -> None:
    anchors = Counter(re.findall(r'<a id="([^"]+)">', text))
    assert set(anchors.values()) == {1}
    assert set(re.findall(r"\]\(#([^)\s]+)\)", text)) <= set(anchors)
    references = [name for name in anchors if name.startswith("ref-")]
    assert sorted(references) == sorted(f"ref-{n}" for n in range(1, len(papers) + 1))


def test_every_paper_is_once_in_the_document(text: str, papers: list[dict[str, Any]]) -> None:
    """In one row of the sections' tables, and in one reference."""
    body, _, references = text.partition('<a id="reference-list"></a>')
    tables = re.split(r'(?=<a id="table-)', body)
    body = "".join(part for part in tables if not part.startswith('<a id="table-designs-'))
    in_rows = Counter(re.findall(r"^\| \[(\d+)\]\(#ref-\1\) \|", body, re.MULTILINE))
    everyone = {str(number): 1 for number in range(1, len(papers) + 1)}
    assert in_rows == everyone
    pages = Counter(re.findall(r"\[Page\]\((p/[^)\s]+)\)", references))
    assert pages == {paper["page"]: 1 for paper in papers}


def test_every_paper_has_one_page_and_one_index_entry(
    files: Mapping[str, bytes], papers: list[dict[str, Any]]
) -> None:
    pages = {paper["page"] for paper in papers}
    assert len(pages) == len(papers)
    assert pages == {
        name
        for name, content in files.items()
        if re.fullmatch(r"p/[^/]+\.html", name) and b'http-equiv="refresh"' not in content
    }
    terms = Recount(files, {}).terms
    assert len(terms) == len(papers)


def test_every_paper_is_once_in_every_export(
    files: Mapping[str, bytes], papers: list[dict[str, Any]]
) -> None:
    keys = Counter({paper["cite_key"]: 1 for paper in papers})
    assert len(keys) == len(papers)
    bibtex, ris = (files[f"references.{kind}"].decode("utf-8") for kind in ("bib", "ris"))
    assert Counter(re.findall(r"^@\w+\{([^,\s]+),", bibtex, re.MULTILINE)) == keys
    assert Counter(re.findall(r"^ID  - (\S+)$", ris, re.MULTILINE)) == keys
    assert Counter(item["id"] for item in json.loads(files["references.json"])) == keys
    assert Counter(row["id"] for row in rows(files, "labels.csv")) == Counter(
        paper["id"] for paper in papers
    )


def test_every_record_that_was_dropped_is_listed_with_a_reason(
    survey: BuildResult, files: Mapping[str, bytes], root: Path
) -> None:
    """What was read is a paper's, of which every one names its records, or is in quarantine."""
    dropped = rows(files, "quarantine.csv") + rows(files, "excluded.csv")
    assert all(row["reason"] for row in dropped)
    places = [place for paper in survey.corpus.papers for place in paper.sources]
    read = sum(p.read_bytes().count(b"\n") for p in (root / "papers").glob("*.jsonl"))
    assert len(places) + len(rows(files, "quarantine.csv")) == read


def test_figures_and_global_tables_have_captions_and_rows(survey: BuildResult) -> None:
    blocks = [block for section in survey.survey.document.sections for block in section.blocks]
    figures = [block for block in blocks if isinstance(block, Figure)]
    everywhere = [t for t in tables_of(survey) if not OF_CATEGORIES.match(t.id)]
    assert len(figures) >= 3
    assert len(everywhere) >= 5
    assert all("; n\u00a0=\u00a0" in figure.caption for figure in figures)
    for block in tables_of(survey):
        is_evidence = "-claim-" in block.id  # its claim is printed above it
        assert is_evidence or block.caption, block.id
        assert block.rows, block.id


def test_every_category_of_three_papers_has_a_comparison_table(
    survey: BuildResult, papers: list[dict[str, Any]]
) -> None:
    filed = Counter(paper["labels"]["topic"]["primary"] for paper in papers)
    tables = {table.id: table for table in tables_of(survey)}
    for category, number in filed.items():
        if number >= 3:
            table = tables[f"papers-{category}"]
            assert len(table.rows) == number
            assert len(table.columns) >= 5


def test_computed_prose_has_no_hollow_words(sentences: list[dict[str, Any]]) -> None:
    for sentence in sentences:
        if sentence["kind"] not in NOT_COMPUTED:
            ours = re.sub(r"“[^”]*”|\*[^*]+\*", "", sentence["text"])
            assert not HOLLOW.search(ours), sentence
            assert not DENIED.search(ours), sentence


def test_the_readme_shows_a_sentence_of_this_survey(root: Path, files: Mapping[str, bytes]) -> None:
    readme = (root / "README.md").read_text("utf-8")
    shown = re.findall(r"^\{\"id\".*\}$", readme, re.MULTILINE)
    assert shown
    assert set(shown) <= set(files["sentences.jsonl"].decode("utf-8").splitlines())


def test_a_figure_is_small_in_light_and_dark_and_legible(files: Mapping[str, bytes]) -> None:
    pictures = {path: files[path] for path in files if path.startswith("figures/")}
    for path, picture in pictures.items():
        if path.endswith(".csv"):
            continue
        assert b"prefers-color-scheme:dark" in picture
        # The claims have a dot per placement, about 300 in all; the months have a panel per category.
        max_size = {"claims": 30_000, "months": 13_000}.get(
            Path(path).stem.partition("-")[0], 7_000
        )
        assert 1_500 < len(picture) < max_size, (path, len(picture))
        root = ElementTree.fromstring(picture)
        assert int(root.get("width", "0")) == (328 if "-narrow" in path else 672), path
        sizes = [int(size) for size in re.findall(rb"font(?:-size)?:(\d+)px", picture)]
        assert min(sizes) >= 11


def test_the_readme_shows_the_output_of_a_build(root: Path, papers: list[dict[str, Any]]) -> None:
    status = Counter(paper["labels"]["topic"]["status"] for paper in papers)
    readme = (root / "README.md").read_text("utf-8")
    assert f"Survey of {len(papers)} papers in " in readme
    assert (
        f"{status['reviewed']} labels are reviewed, {status['confident']} confident, "
        f"{status['provisional']} wait for review: out/labels.csv"
    ) in readme
