"""A sheet of many papers holds what a sheet made paper by paper holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.files.table import text_frame
from classifier.labelling.decided import with_decisions
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper, Published
from classifier.review.bulk_sheet import sheet_columns
from classifier.review.seal import seal, seals
from classifier.review.sheet import columns, sheet_rows
from classifier.taxonomy.model import Taxonomy
from tests.labelling.conftest import bread_decisions, bread_papers, bread_taxonomy


@pytest.fixture(scope="module")
def bread() -> Taxonomy:
    return bread_taxonomy()


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    """Papers of all kinds: with cues and without, of a year and of none, one with odd blanks."""
    found = bread_papers(60)
    found[3] = replace(found[3], id=" p-3 ", title="=Rye,\n\tat “night” ", abstract="")
    found[4] = replace(found[4], published=Published("2024-05"), url="https://bread.example/4")
    found[52] = replace(found[52], title=f"Rye: {found[52].title}")
    return found


@pytest.fixture(scope="module")
def classifier(bread: Taxonomy, papers: list[Paper]) -> TaxonomyClassifier:
    """Taught by a baker who errs, so that there are candidates."""
    slips = {paper.id: {"topic": Decision(("ovens",), "ovens")} for paper in papers[:40:3]}
    return TaxonomyClassifier(bread).fit(papers, bread_decisions(papers) | slips)


def test_the_cells_are_those_of_the_rows(
    bread: Taxonomy, classifier: TaxonomyClassifier, papers: list[Paper]
) -> None:
    labels = classifier.predict_bulk(papers, explain="primary")
    rows = sheet_rows(bread, papers, classifier.predict(papers))
    wanted = text_frame(columns(bread), rows).to_dict("list")
    found = sheet_columns(bread, papers, labels)
    assert found == wanted
    assert list(found) == list(wanted)
    assert {"confident", "provisional"} == set(found["status"])
    assert any("; one of: " in cell for cell in found["why"])
    assert any("dough/rye" in cell for cell in found["topics"])


def test_what_people_decided_stands_in_place_of_what_the_machine_says(
    bread: Taxonomy, classifier: TaxonomyClassifier, papers: list[Paper]
) -> None:
    given = {
        papers[1].id: {"topic": Decision(("taste",), "taste", "Ada"), "fuel": Decision((), "")},
        papers[7].id: {"kind": Decision(("guide",), "guide")},
    }
    machine = classifier.predict(papers)
    labels = with_decisions(bread, machine, given)
    decided = {each.paper_id: each for each in labels if each.paper_id in given}
    bulk = classifier.predict_bulk(papers, explain="primary")
    rows = sheet_rows(bread, papers, labels)
    wanted = text_frame(columns(bread), rows).to_dict("list")
    assert sheet_columns(bread, papers, bulk, decided) == wanted


def test_a_sheet_of_no_paper_has_its_columns(
    bread: Taxonomy, classifier: TaxonomyClassifier
) -> None:
    labels = classifier.predict_bulk([], explain="primary")
    assert sheet_columns(bread, [], labels) == {name: [] for name in columns(bread)}


CELLS = st.text(max_size=8)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5), CELLS)
def test_rows_are_sealed_alike_one_by_one_and_together(
    rows: list[tuple[str, str, str]], digest: str
) -> None:
    ids, primaries, topics = ([row[place] for row in rows] for place in range(3))
    together = seals(ids, {"primary": primaries, "topics": topics}, digest)
    names = ("id", "primary", "topics")
    cells = [dict(zip(names, row, strict=True)) for row in rows]
    assert together == [seal(row, names[1:], digest) for row in cells]
