"""All formats on real exports: nothing is lost, and texts are those that other parsers read."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import contents
from classifier.papers.load import find_reader
from classifier.papers.paper import Paper
from tools.benchmarks.independent import INDEPENDENT, folded
from tools.benchmarks.reading_alike import compare

Records = dict[Path, list[object]]


@pytest.fixture(scope="module")
def counted(shared: Path) -> dict[Path, int]:
    """The real files of formats that are read, and how many records others counted in each."""
    refused = {
        "reporter_python_repr.jsonl", "jabref_html_table.html", "corl2024_no_header.csv",
        "astro_ph_he_pastweek.txt", "arxiv_hepex.xml", "arxiv_oai_dc.xml",
        "nlp_progress.json",
    }  # fmt: skip
    folder = shared / "data" / "inputs"
    with (folder / "MANIFEST.csv").open(encoding="utf-8", newline="") as file:
        counts = {folder / row["file"]: int(row["records"]) for row in csv.DictReader(file)}
    return {path: count for path, count in counts.items() if path.name not in refused}


@pytest.fixture(scope="module")
def records(counted: dict[Path, int]) -> Records:
    """What the reader of each file makes of it."""
    found: Records = {}
    for path in counted:
        (content,) = contents(path, path.name)
        found[path] = list(find_reader(content).read(content))
    return found


def test_records_become_papers_or_are_quarantined(
    counted: dict[Path, int], records: Records
) -> None:
    for path, expected in counted.items():
        found = sum(
            isinstance(r, Paper) or (isinstance(r, Fault) and bool(r.record)) for r in records[path]
        )
        assert found + volumes(records[path]) >= 0.99 * expected, path.name


def volumes(records: list[object]) -> int:
    """Return how many volumes of proceedings a notice says were left out."""
    faults = (record for record in records if isinstance(record, Fault))
    return sum(fault.actual.startswith("a volume") for fault in faults)


def test_a_record_of_bibtex_stands_where_its_line_says(records: Records) -> None:
    files = {path: read for path, read in records.items() if path.suffix == ".bib"}
    assert len(files) > 5
    for path, read in files.items():
        (content,) = contents(path, path.name)
        lines = content.text().split("\n")
        for record in read:
            if isinstance(record, Paper) or (isinstance(record, Fault) and record.record):
                line = record.sources[0].line if isinstance(record, Paper) else record.line
                assert lines[line - 1].lstrip().startswith("@"), (path.name, line)


def test_titles_and_abstracts_are_those_of_other_parsers(
    records: Records,
) -> None:
    for path, read in records.items():
        (content,) = contents(path, path.name)
        reader = find_reader(content)
        if reader.name not in INDEPENDENT or path.stat().st_size > 400_000:
            continue  # folding long files takes long; the benchmark reads them, too
        papers = [record for record in read if isinstance(record, Paper)]
        likeness = compare(papers, list(INDEPENDENT[reader.name](content)))
        equal = likeness.equal_titles + volumes(read)
        assert equal >= 0.97 * likeness.titles, likeness.differences
        # What differs was looked at: a repeated heading, a copyright line, letters repaired.
        missed = likeness.abstracts - likeness.equal_abstracts
        assert missed <= max(1, 0.1 * likeness.abstracts), likeness.differences


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (r"Caf{\'e} \textit{rye}", "Café rye"),
        ("<b>Rye</b> &amp; salt", "RYE salt"),
        (r"$\alpha$-amylase", "α-Amylase"),
        ("CafÃ©", "Café"),
    ],
)
def test_markup_and_encodings_are_folded(text: str, other: str) -> None:
    assert folded(text) == folded(other)


def test_what_differs_is_shown() -> None:
    papers = [Paper(title="Rye bread", abstract="It rises slowly."), Paper(title="Bees")]
    likeness = compare(papers, [("RYE BREAD", "It rises fast."), ("Wasps", "")])
    assert (likeness.titles, likeness.equal_titles, likeness.equal_abstracts) == (2, 1, 0)
    assert likeness.differences == snapshot(
        [
            "abstract of 'RYE BREAD': ours …itrisesslowly… theirs …itrisesfast…",
            "title: 'Wasps'",
        ]
    )
