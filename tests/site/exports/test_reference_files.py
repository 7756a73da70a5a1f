from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from classifier.papers.load import load_papers
from classifier.review.sheet import data_columns, sheet_rows
from classifier.review.sheet_file import sheet_file_bytes
from classifier.site.exports.reference_files import reference_files
from classifier.site.render import render_site
from classifier.survey.entry import slug_of
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Category


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def keys_in(files: Mapping[str, bytes], base: str) -> list[list[str]]:
    """Return the keys that each format holds, in order."""
    return [
        re.findall(r"^@misc\{(.+),$", files[f"{base}.bib"].decode(), re.MULTILINE),
        re.findall(r"^ID  - (.+)$", files[f"{base}.ris"].decode(), re.MULTILINE),
        [item["id"] for item in json.loads(files[f"{base}.json"])],
    ]


@pytest.mark.parametrize(
    ("base", "numbers"),
    [
        ("references", [0, 1, 2]),
        ("c/tools", [0]),
        ("c/tools-filed", [0]),
        ("c/tools/hooks", [0]),
        ("c/song", [0, 1, 2]),
        ("c/song-filed", [1, 2]),
    ],
)
def test_every_format_holds_each_paper_of_the_set_once(
    base: str, numbers: list[int], site: dict[str, bytes]
) -> None:
    expected = [["arxiv-2401.10230", "doi-10.1000-abc", "p-0123456789"][n] for n in numbers]
    assert keys_in(site, base) == [expected] * 3


def test_every_paper_of_the_corpus_stands_once_in_each_whole_export(
    survey: Survey, root: Path
) -> None:
    corpus = load_papers([root / "papers" / "agentic-ai.jsonl"], root)
    first = survey.entries[0]
    entries = tuple(
        replace(first, paper=paper, number=number)
        for number, paper in enumerate(corpus.papers, start=1)
    )
    whole = replace(survey, entries=entries, facts=None)
    written = reference_files(whole, whole.taxonomy.first.categories)
    files = {path: text.encode() for path, text in written}
    keys = [slug_of(paper.id) for paper in corpus.papers]
    assert len(set(keys)) == 364
    assert keys_in(files, "references") == keys_in(files, "c/tools") == [keys] * 3
    assert [row["id"] for row in rows(files["c/tools.csv"])] == [p.id for p in corpus.papers]


def test_the_rows_of_a_category_are_those_of_the_sheet_without_what_people_fill(
    survey: Survey, site: dict[str, bytes]
) -> None:
    labels = [entry.labels for entry in survey.entries]
    made = sheet_rows(survey.taxonomy, [e.paper for e in survey.entries], labels)
    sheet = rows(sheet_file_bytes(survey.taxonomy, made))
    found = rows(site["c/song-filed.csv"])
    assert [row["id"] for row in found] == ["doi:10.1000/abc", "p-0123456789"]
    for row in found:
        (same,) = [other for other in sheet if other["id"] == row["id"]]
        assert row.items() <= same.items()
        assert tuple(row) == (*data_columns(survey.taxonomy), "retracted")


def test_a_category_without_papers_has_no_files(site: dict[str, bytes]) -> None:
    assert [path for path in site if path.startswith("c/flight")] == ["c/flight.html"]


def test_a_category_whose_id_ends_like_our_files_keeps_its_own(survey: Survey) -> None:
    categories = [Category(id="song"), Category(id="song-filed")]
    first, *others = survey.entries
    topic = replace(first.first, categories=("song-filed",), primary="song-filed")
    labels = replace(first.labels, facets={"topic": topic})
    entries = (replace(first, first=topic, labels=labels), *others)
    written = list(reference_files(replace(survey, entries=entries, facts=None), categories))
    assert len(written) == len(dict(written))
    assert "arxiv-2401.10230" in dict(written)["c/song-filed.bib"]


def test_the_box_of_a_paper_holds_its_entry_in_the_references(site: dict[str, bytes]) -> None:
    box = re.search("<code>(@misc.+?)</code>", site["p/doi-10.1000-abc.html"].decode(), re.DOTALL)
    assert box
    assert box.group(1) in site["references.bib"].decode()


def test_other_ids_stand_in_the_files(survey: Survey) -> None:
    first, *others = survey.entries
    entries = (replace(first, aliases=("p-00000000aa",)), *others)
    site = render_site(replace(survey, entries=entries))
    assert b"  ids = {p-00000000aa},\n" in site["references.bib"]
