"""Which categories the taxonomy had when a decision was made."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.errors import InputError
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.taxonomy.versions import (
    Versions,
    read_versions,
    versions_bytes,
    with_current,
)

OLD, NEW = "0123456789ab", "ba9876543210"
HEADER = "taxonomy_digest,facet,categories\n"
CURE = "The file is written by `fieldguide review apply`; restore the row from version control."


def read(folder: Path, text: str) -> Versions:
    path = folder / "versions.csv"
    path.write_text(text, encoding="utf-8")
    return read_versions(path, "taxonomy/versions.csv")


def topics(*categories: object) -> Facet:
    """A facet of categories, each told as its id or as all of it."""
    told = [{"id": each} if isinstance(each, str) else each for each in categories]
    return Facet.model_validate({"id": "topic", "kind": "multi", "categories": told})


def unknown(former: str, facet: Facet) -> tuple[str, ...]:
    return Versions({(OLD, "topic"): frozenset(former.split())}).unknown_ids(OLD, facet)


def test_a_project_without_the_file_records_nothing(tmp_path: Path) -> None:
    versions = read_versions(tmp_path / "versions.csv")
    assert versions == Versions()
    assert versions.categories(OLD, "topic") is None
    assert not versions.has_version(OLD)


def test_the_current_taxonomy_is_recorded_with_children_and_retired_categories() -> None:
    dough = {"id": "dough", "children": [{"id": "dough/rye"}]}
    retired = {"id": "stoves", "replaced_by": "ovens"}
    taxonomy = Taxonomy.model_validate(
        {
            "survey": {"title": "Bread"},
            "facets": {
                "topic": {
                    "kind": "multi",
                    "categories": [dough, {"id": "ovens"}, retired, {"id": "taste"}],
                },
                "kind": {"kind": "single", "categories": [{"id": "trial"}]},
            },
        }
    )
    versions = with_current(Versions({(OLD, "topic"): frozenset({"dough"})}), taxonomy)
    assert versions_bytes(versions).decode() == (
        f"{HEADER}"
        f"{OLD},topic,dough\n"
        f"{taxonomy.digest},kind,trial\n"
        f"{taxonomy.digest},topic,dough; dough/rye; ovens; stoves; taste\n"
    )
    assert versions.has_version(taxonomy.digest)
    assert versions.unknown_ids(taxonomy.digest, taxonomy.first) == ()
    assert with_current(versions, taxonomy) == versions


@given(
    st.dictionaries(
        st.tuples(st.from_regex(r"[0-9a-f]{12}", fullmatch=True), st.sampled_from(["a", "b_c"])),
        st.frozensets(st.from_regex(r"[a-z0-9]{1,4}(/[a-z0-9]{1,3})?", fullmatch=True), min_size=1),
    )
)
def test_a_record_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, known: dict[tuple[str, str], frozenset[str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "versions.csv"
    path.write_bytes(versions_bytes(Versions(known)))
    assert read_versions(path) == Versions(known)


def test_the_same_row_twice_is_one_row(tmp_path: Path) -> None:
    row = f"{OLD},topic,dough; taste\n"
    again = f"{OLD},topic,taste;dough\n"
    assert read(tmp_path, HEADER + row + again) == read(tmp_path, HEADER + row)


def test_all_faults_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(
            tmp_path,
            HEADER + f"<<<<<<< ours,topic,dough\n{OLD},,dough\n{OLD},topic,\n{OLD},topic,dough\n"
            f"{NEW},topic,Dough & starter; taste\n{NEW},kind,trial,guide\n",
        )
    file = "taxonomy/versions.csv"
    assert [str(fault) for fault in caught.value.faults] == [
        f"{file}:2: error: found taxonomy_digest '<<<<<<< ours'; expected twelve hex digits. {CURE}",
        f"{file}:3: error: found an empty facet; expected the id of a facet. {CURE}",
        f"{file}:4: error: found empty categories; expected ids joined by '; '. {CURE}",
        f"{file}:5: error: found categories of {OLD} and facet topic that differ from line 4; "
        f"expected one row per digest and facet. {CURE}",
        f"{file}:6: error: found category 'Dough & starter'; expected the id of a category; ids are "
        f"joined by '; '. {CURE}",
        f"{file}:7: error: found 'guide' after the last column; expected 3 cells. {CURE}",
    ]


def test_missing_columns_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no column facet, categories"):
        read(tmp_path, f"taxonomy_digest,topics\n{OLD},x\n")


def test_a_category_that_was_added_is_unknown() -> None:
    assert unknown("dough taste", topics("dough", "taste", "ovens")) == ("ovens",)


def test_a_child_that_was_added_is_unknown_and_its_parent_is_not() -> None:
    facet = topics({"id": "dough", "children": [{"id": "dough/rye"}]}, "taste")
    assert unknown("dough taste", facet) == ("dough/rye",)


def test_a_renamed_category_is_known_by_its_alias() -> None:
    assert unknown("doughs taste", topics({"id": "dough", "aliases": ["Doughs"]}, "taste")) == ()


def test_a_category_is_known_by_what_it_replaced() -> None:
    facet = topics(
        "heat",
        {"id": "ovens", "replaced_by": "heat", "aliases": ["furnaces"]},
        {"id": "stoves", "replaced_by": "ovens"},
    )
    assert unknown("stoves", facet) == ()
    assert unknown("furnaces", facet) == ()
    assert unknown("dough", facet) == ("heat",)


def test_a_category_is_known_by_the_children_of_what_it_replaced() -> None:
    stoves = {"id": "stoves", "replaced_by": "ovens", "children": [{"id": "stoves/gas"}]}
    facet = topics("ovens", stoves)
    assert unknown("stoves/gas", facet) == ()
    assert facet.resolve("stoves/gas") == facet.get("ovens")


def test_the_parts_of_a_split_category_are_unknown() -> None:
    assert unknown("dough taste", topics("rye", "wheat", "taste")) == ("rye", "wheat")


def test_an_out_of_scope_category_is_ruled_out_by_any_other() -> None:
    assert unknown("dough", topics("dough", {"id": "cake", "out_of_scope": True})) == ()


def test_a_dropped_category_leaves_none_unknown() -> None:
    assert unknown("dough taste", topics("dough")) == ()


def test_an_unrecorded_or_empty_digest_leaves_none_unknown() -> None:
    versions = Versions({(OLD, "topic"): frozenset({"dough"})})
    facet = topics("dough", "ovens")
    assert versions.unknown_ids(NEW, facet) == versions.unknown_ids("", facet) == ()
    assert versions.unknown_ids(OLD, facet) == ("ovens",)
