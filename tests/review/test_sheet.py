"""The sheet has machine columns first, then the columns of the reviewer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.files.table import parse_table
from classifier.labelling.labels import FacetLabels, PaperLabels, Reason, Status
from classifier.papers.paper import Paper, Published
from classifier.review.acts import Act
from classifier.review.columns import FRONT, MACHINE, Column
from classifier.review.sheet import human_columns, sheet_columns, sheet_rows, why_cell
from classifier.review.sheet_file import sheet_file_bytes
from classifier.taxonomy.model import Taxonomy

PAPERS = [
    Paper(
        "=Rye at Night",
        "p-1",
        "Rye  rests\nat night.",
        published=Published("2025-10"),
        url="https://bread.example/1",
    ),
    Paper("Steam", "arxiv:2401.10230", arxiv_id="2401.10230"),
]
WHY = (
    Reason("dough", "‘rye’ in the title", "cue", 2.04),
    Reason("taste", "“sour”", "term", 1.9),
    Reason("dough", "“oven”", "term", -0.35),
)


def sheet_bytes(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
) -> bytes:
    return sheet_file_bytes(taxonomy, sheet_rows(taxonomy, papers, labels))


def labels_of(
    paper_id: str, *, status: Status = "confident", confidence: float = 0.876
) -> PaperLabels:
    topic = FacetLabels(("dough", "dough/rye", "taste"), "dough", confidence, status, {}, why=WHY)
    kind = FacetLabels(("trial",), "trial", 0.6, "provisional", {})
    return PaperLabels(paper_id, {"topic": topic, "kind": kind})


def write_sheet(path: Path, taxonomy: Taxonomy) -> None:
    path.write_bytes(sheet_bytes(taxonomy, PAPERS, [labels_of(paper.id) for paper in PAPERS]))


def test_the_columns(taxonomy: Taxonomy) -> None:
    """Scripts use the positions of the first columns; new columns come after them."""
    assert ",".join(sheet_columns(taxonomy)).startswith(
        "id,title,year,url,status,confidence,primary,topics,kind,why,"
        "verdict,review_primary,review_topics,review_kind,exclude,remark,reviewer,note,abstract"
    )
    assert ",".join(human_columns(taxonomy)) == (
        "verdict,review_primary,review_topics,review_kind,exclude,remark,reviewer,note"
    )


@given(st.floats(0, 1))
def test_confidence_is_rounded_as_in_papers_json(confidence: float) -> None:
    """A sheet is compared with papers.json: an unchanged row must not differ."""
    bread = Taxonomy.model_validate(
        {"survey": {"title": "B"}, "facets": {"topic": {"kind": "multi", "categories": [
            {"id": "dough"}]}}}
    )  # fmt: skip
    topic = FacetLabels(("dough",), "dough", confidence, "confident", {"dough": confidence})
    (row,) = sheet_rows(bread, PAPERS[:1], [PaperLabels("p-1", {"topic": topic})])
    recorded = json.loads(json.dumps(round(confidence, 4)))
    assert row["confidence"] == f"{recorded:.2f}"


def test_one_row_per_paper_with_empty_reviewer_cells(taxonomy: Taxonomy) -> None:
    labels = [labels_of(paper.id) for paper in PAPERS]
    data = sheet_bytes(taxonomy, PAPERS, labels)
    first, second = parse_table(data.decode(), "labels.csv")
    assert (
        first.cells.items()
        >= {
            "id": "p-1",
            "title": "=Rye at Night",
            "year": "2025",
            "url": "https://bread.example/1",
            "status": "confident",
            "confidence": "0.88",
            "primary": "dough",
            "topics": "dough; dough/rye; taste",
            "kind": "trial",
            "why": "‘rye’ in the title +2.0; “oven” -0.3 [6ac815]",
            **dict.fromkeys(human_columns(taxonomy), ""),
            "abstract": "Rye rests at night.",
        }.items()
    )
    assert second.cells["url"] == "https://arxiv.org/abs/2401.10230"
    assert second.cells["year"] == ""


@pytest.mark.parametrize(
    ("by", "said"), [("ada", "excluded by ada: a talk; "), ("", "excluded: a talk; ")]
)
def test_why_of_an_excluded_paper_starts_with_the_reviewer(
    taxonomy: Taxonomy, by: str, said: str
) -> None:
    acts = {"p-1": Act("a\n talk", by, "2025-06-03", "p-1").exclusion}
    excluded, other = sheet_rows(taxonomy, PAPERS, [labels_of(p.id) for p in PAPERS], acts)
    assert excluded["why"].startswith(f"{said}{why_cell(labels_of('p-1').facets['topic'])}")
    assert other["why"].startswith(why_cell(labels_of("p-1").facets["topic"]))


def test_a_title_is_never_a_formula(taxonomy: Taxonomy) -> None:
    data = sheet_bytes(taxonomy, PAPERS[:1], [labels_of("p-1")])
    assert b"\np-1,'=Rye at Night," in data


def test_a_facet_that_does_not_apply_is_an_empty_cell(taxonomy: Taxonomy) -> None:
    labels = PaperLabels("p-1", {"topic": labels_of("p-1").facets["topic"]})
    (row,) = parse_table(sheet_bytes(taxonomy, PAPERS[:1], [labels]).decode(), "labels.csv")
    assert row.cells["kind"] == ""


def test_why_has_the_strongest_reasons_for_the_primary() -> None:
    many = tuple(Reason("dough", f"“{word}”", "term", 1.0) for word in "abcdefg")
    labels = FacetLabels(("dough",), "dough", 0.9, "confident", {}, why=many)
    assert why_cell(labels, 2) == "“a” +1.0; “b” +1.0"
    assert why_cell(labels).count(";") == 4
    decided = Reason("dough", "decided by Ada", "human", 0.0)
    assert why_cell(FacetLabels(("dough",), "dough", 1, "reviewed", {}, why=(decided,))) == (
        "decided by Ada"
    )
    assert why_cell(FacetLabels(("dough",), "dough", 0.3, "provisional", {})) == (
        snapshot("no cue or known term")
    )


def test_why_merges_the_cues_of_one_place() -> None:
    why = (
        Reason("dough", "‘rye’ in the title", "cue", 2.0, "in the title"),
        Reason("dough", "“sour”", "term", 1.0),
        Reason("dough", "‘dough~’ in the title", "cue", 0.5, "in the title"),
        Reason("dough", "‘knead~’ in the text", "cue", 0.3, "in the text"),
    )
    labels = FacetLabels(("dough",), "dough", 0.9, "confident", {}, why=why)
    assert why_cell(labels) == (
        snapshot("‘rye’, ‘dough~’ in the title +2.5; “sour” +1.0; ‘knead~’ in the text +0.3")
    )


def test_why_does_not_add_votes_to_the_prior_weight_of_a_cue() -> None:
    why = (
        Reason("dough", "‘rye’ in the title", "vote", 4.0, "in the title"),
        Reason("dough", "‘rye’ in the title", "cue", 0.5, "in the title"),
    )
    labels = FacetLabels(("dough",), "dough", 0.9, "confident", {}, why=why)
    assert why_cell(labels) == snapshot("‘rye’ in the title +4.0 votes; ‘rye’ in the title +0.5")


@pytest.mark.parametrize(
    ("status", "candidates", "end"),
    [
        ("provisional", ("dough", "taste"), "; one of: dough, taste (90 %)"),
        ("provisional", ("dough",), ""),
        ("confident", ("dough", "taste"), ""),
    ],
)
def test_why_of_a_provisional_paper_has_the_candidates(
    status: Status, candidates: tuple[str, ...], end: str
) -> None:
    labels = FacetLabels(("dough",), "dough", 0.5, status, {}, why=WHY, candidates=candidates)
    assert why_cell(labels) == f"‘rye’ in the title +2.0; “oven” -0.3{end}"


def test_a_new_column_needs_one_declaration(
    taxonomy: Taxonomy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The header and the cells follow from it."""
    author = Column("lead", lambda paper, _: paper.authors[0])
    for module in ("review.columns", "review.sheet"):
        monkeypatch.setattr(f"classifier.{module}.MACHINE", (*MACHINE, author))
    monkeypatch.setattr("classifier.review.sheet.FRONT", (*FRONT, author))
    paper = Paper("Rye", "p-1", authors=("Ada Loaf", "Bo Crumb"))
    path = tmp_path / "labels.csv"
    path.write_bytes(sheet_bytes(taxonomy, [paper], [labels_of("p-1")]))
    assert b",topics,lead,kind,why," in path.read_bytes()
