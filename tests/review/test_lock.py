"""The lock is written and read, also after changes of the taxonomy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.review.lock import (
    COLUMNS,
    Lock,
    LockedPaper,
    current_categories,
    lock_bytes,
    read_lock,
)
from classifier.taxonomy.model import Taxonomy

HEADER = "id,title,primary,topics,kind,status,reviewed,text_digest,cue_digest,taxonomy_digest"


def taxonomy_of(*categories: dict[str, Any], **facet: Any) -> Taxonomy:
    """A taxonomy of a multi facet `topic` and a single one `kind`."""
    return Taxonomy.model_validate(
        {
            "survey": {"title": "Ponds"},
            "facets": {
                "topic": {"kind": "multi", "categories": categories, **facet},
                "kind": {"kind": "single", "categories": [{"id": "trial"}, {"id": "essay"}]},
            },
        }
    )


FROGS, NEWTS, REEDS = {"id": "frogs"}, {"id": "newts"}, {"id": "reeds"}
OTHER = {"id": "other", "out_of_scope": True}


def row(paper_id: str = "p-0000000001", **facets: tuple[str, ...]) -> LockedPaper:
    return LockedPaper(paper_id, "A Pond", facets, "confident", frozenset(), "t1", "c1", "d1")


def read(folder: Path, *lines: str, header: str = HEADER) -> Lock:
    path = folder / "labels.lock.csv"
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return read_lock(path, "topic", "taxonomy/labels.lock.csv")


def test_a_row_has_the_first_facet_in_two_columns(tmp_path: Path) -> None:
    lock = read(tmp_path, "p-1,A Pond,frogs,frogs; frogs/tree; reeds,,reviewed,topic,t1,c1,d1")
    assert lock.facets == ("topic", "kind")
    (paper,) = lock.papers
    assert paper.facets == {"topic": ("frogs", "frogs/tree", "reeds")}
    assert (paper.status, paper.reviewed) == ("reviewed", frozenset({"topic"}))
    assert (paper.text_digest, paper.cue_digest, paper.taxonomy_digest) == ("t1", "c1", "d1")


NAMES = st.sampled_from(["frogs", "newts", "reeds", "reeds/tall"])
PAPERS = st.builds(
    LockedPaper,
    id=st.from_regex(r"p-[0-9a-f]{10}", fullmatch=True),
    title=st.text(st.characters(exclude_categories=["Cs", "Cc"])),
    facets=st.fixed_dictionaries(
        {"topic": st.lists(NAMES, min_size=1, unique=True).map(tuple)},
        optional={"kind": st.sampled_from(["trial", "essay"]).map(lambda value: (value,))},
    ),
    status=st.sampled_from(["reviewed", "confident", "provisional"]),
    reviewed=st.frozensets(st.sampled_from(["topic", "kind"])),
    text_digest=st.just("t1"),
    cue_digest=st.just("c1"),
    taxonomy_digest=st.just("d1"),
)


@given(st.lists(PAPERS, min_size=1, unique_by=lambda paper: paper.id))
def test_a_written_file_is_read_unchanged(
    tmp_path_factory: pytest.TempPathFactory, papers: list[LockedPaper]
) -> None:
    lock = Lock(tuple(sorted(papers, key=lambda paper: paper.id)), ("topic", "kind"))
    path = tmp_path_factory.getbasetemp() / "labels.lock.csv"
    path.write_bytes(lock_bytes(lock))
    assert read_lock(path, "topic") == lock


RESTORE = (
    "Restore the file from version control, or move it away and run `fieldguide lock --update`."
)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (",A Pond,frogs,frogs,,confident,,t,c,d", "an empty id; expected a value in id"),
        ("p-1,A Pond,,frogs,,confident,,t,c,d", "an empty primary; expected a value in primary"),
        (
            "p-1,A Pond,newts,frogs; reeds,,confident,,t,c,d",
            "primary 'newts'; expected one of the topics ('frogs; reeds')",
        ),
        (
            "p-1,A Pond,frogs,frogs,,sure,,t,c,d",
            "status 'sure'; expected one of reviewed, imported, confident, provisional",
        ),
        (
            "p-1,A Pond,frogs,frogs,,confident,,t,c,d,x,y",
            "'x, y' after the last column; expected 10 cells",
        ),
        (
            "p-0,B,frogs,frogs,,confident,,t,c,d",
            "id 'p-0' a second time (first on line 2); expected one row per paper",
        ),
    ],
)
def test_an_invalid_row_is_an_error(line: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read(tmp_path, "p-0,A,frogs,frogs,,confident,,t,c,d", line)
    assert str(error.value) == f"taxonomy/labels.lock.csv:3: error: found {found}. {RESTORE}"


def test_missing_columns_are_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read(tmp_path, "p-1,A,frogs", header="id,title,primary")
    assert str(error.value).startswith(
        "taxonomy/labels.lock.csv:1: error: found no column topics, status, reviewed, text_digest, "
    )
    assert ", ".join(COLUMNS) in str(error.value)


def test_conflict_markers_of_git_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"csv:2: error: found an empty primary"):
        read(tmp_path, "<<<<<<< HEAD", "p-1,A,frogs,frogs,,confident,,t,c,d")


@pytest.mark.parametrize(
    ("categories", "now", "kept"),
    [
        ((FROGS, REEDS), ("frogs", "reeds"), ("frogs", "reeds")),
        (({"id": "toads", "aliases": ["frogs"]}, REEDS), ("frogs", "reeds"), ("toads", "reeds")),
        ((NEWTS, {"id": "frogs", "replaced_by": "newts"}), ("frogs", "newts"), ("newts",)),
        ((FROGS,), ("frogs", "reeds"), ("frogs",)),
        ((REEDS,), ("frogs", "reeds"), ()),
        ((FROGS, OTHER), ("other",), ("other",)),
        (({"id": "other", "out_of_scope": True, "aliases": ["frogs"]}, REEDS),
         ("frogs", "reeds"), ()),
        (({"id": "frogs", "children": [{"id": "frogs/newts", "aliases": ["newts"]}]},),
         ("newts",), ("frogs", "frogs/newts")),
    ],
    ids=["as is", "renamed", "merged", "one gone", "primary gone", "alone", "no longer together",
         "now a child"],
)  # fmt: skip
def test_renamed_and_merged_categories_get_their_current_ids(
    categories: tuple[dict[str, Any], ...], now: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    assert current_categories(taxonomy_of(*categories).first, now) == kept


def test_a_facet_with_too_many_categories_is_not_locked() -> None:
    facet = taxonomy_of(FROGS, NEWTS, REEDS, at_most=2).first
    assert current_categories(facet, ("frogs", "newts")) == ("frogs", "newts")
    assert current_categories(facet, ("frogs", "newts", "reeds")) == ()


def test_labels_are_found_by_the_current_id_of_the_paper() -> None:
    old, new = row("p-1", topic=("frogs",)), row("p-2", topic=("newts",))
    taxonomy = taxonomy_of(FROGS, NEWTS)
    alone = Lock((old,), ("topic",)).labels(taxonomy, {"p-1": "p-2"})
    assert alone == {"p-2": {"topic": ("frogs",)}}
    both = Lock((old, new), ("topic",)).labels(taxonomy, {"p-1": "p-2"})
    assert both == {"p-2": {"topic": ("newts",)}}


def test_each_removed_facet_and_category_is_reported_once() -> None:
    rows = tuple(row(f"p-{n}", topic=("frogs", "reeds"), pond=("deep",)) for n in range(3))
    faults = Lock(rows, ("topic", "pond")).faults(taxonomy_of(FROGS), "taxonomy/labels.lock.csv")
    assert [fault.severity for fault in faults] == ["warning", "warning"]
    assert [fault.actual for fault in faults] == snapshot(
        [
            "topic 'reeds' in 3 rows",
            "column 'pond', which is not a facet",
        ]
    )
