from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.evaluation.gold import GoldRow, match_gold, read_gold
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

Read = Callable[[str], tuple[GoldRow, ...]]


@pytest.fixture
def read(tmp_path: Path, taxonomy: Taxonomy) -> Read:
    """Return a function that reads a gold file of that text."""

    def read(text: str) -> tuple[GoldRow, ...]:
        path = tmp_path / "gold.csv"
        path.write_text(text, encoding="utf-8")
        return read_gold(path, taxonomy, "gold.csv")

    return read


def faults_of(read: Read, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [str(fault) for fault in caught.value.faults]


def test_a_row_is_the_truth_in_each_facet(read: Read) -> None:
    (row,) = read("title,primary,topics,kind\nRain in Pots,water,tools; water,guide\n")
    assert (row.line, row.title) == (2, "Rain in Pots")
    assert row.decisions == {
        "topic": Decision(("tools", "water"), "water"),
        "kind": Decision(("guide",), "guide"),
    }


def test_a_child_stands_for_its_parent_too(read: Read) -> None:
    (row,) = read("title,primary,topics\nDeep Beds,soil/worms,soil/worms\n")
    assert row.decisions["topic"] == Decision(("soil", "soil/worms"), "soil")


@pytest.mark.parametrize("spelling", ["soil", "SOIL", "Soil & compost", " soil &  compost "])
def test_ids_names_and_aliases_are_understood(read: Read, spelling: str) -> None:
    (row,) = read(f"title,primary,topics\nDeep Beds,{spelling},{spelling}; gear\n")
    assert row.decisions["topic"] == Decision(("soil", "tools"), "soil")


def test_an_empty_cell_of_a_further_facet_says_nothing(read: Read) -> None:
    (row,) = read("title,primary,topics,kind\nDeep Beds,soil,soil,\n")
    assert list(row.decisions) == ["topic"]


def test_columns_of_no_facet_are_passed_over(read: Read) -> None:
    (row,) = read("agreement,title,primary,topics\n3/3,Deep Beds,soil,soil\n")
    assert list(row.decisions) == ["topic"]


def test_missing_columns(read: Read) -> None:
    assert faults_of(read, "title,kind\nDeep Beds,guide\n") == snapshot(
        [
            "gold.csv:1: error: found no column primary, topics; "
            "expected the columns title, primary, topics."
        ]
    )


def test_a_header_alone(read: Read) -> None:
    assert faults_of(read, "title,primary,topics\n") == snapshot(
        ["gold.csv: error: found no rows below the header; expected one row per paper."]
    )


def test_a_missing_file(tmp_path: Path, taxonomy: Taxonomy) -> None:
    with pytest.raises(InputError, match=r"^gold\.csv: error: found no such file"):
        read_gold(tmp_path / "gold.csv", taxonomy, "gold.csv")


def test_every_fault_at_once(read: Read) -> None:
    text = (
        "title,primary,topics,kind\n"
        "Deep Beds,soil,soil; watr,trial\n"
        "Rain in Pots,water,soil,guid\n"
        ",tools,tools,guide\n"
        "deep beds!,soil,soil,trial; guide\n"
        "Spades,,tools,guide\n"
        "Rakes,tools; soil,tools; soil,guide\n"
        "Hoes,zzz,,guide\n"
    )
    assert faults_of(read, text) == snapshot(
        [
            'gold.csv:2: error: found the unknown category "watr" in "topics"; '
            "expected a category of the facet topic. Did you mean 'water'?",
            'gold.csv:3: error: found the primary "water", which is not among the topics; expected a primary that is one of the topics. Add "water" to topics.',
            'gold.csv:3: error: found the unknown category "guid" in "kind"; '
            "expected a category of the facet kind. Did you mean 'guide'?",
            "gold.csv:4: error: found an empty title; expected the paper's title.",
            'gold.csv:5: error: found 2 categories in "kind"; expected one category.',
            'gold.csv:5: error: found the title "deep beds!" a second time (first on line 2); '
            "expected each paper once. Delete one of the two rows.",
            "gold.csv:6: error: found an empty primary; expected a category of the facet topic.",
            'gold.csv:7: error: found 2 categories in "primary"; expected one category.',
            'gold.csv:8: error: found the unknown category "zzz" in "primary"; '
            "expected a category of the facet topic.",
        ]
    )


def test_empty_topics_do_not_hold_the_primary(read: Read) -> None:
    assert faults_of(read, "title,primary,topics\nDeep Beds,soil,\n") == snapshot(
        [
            'gold.csv:2: error: found the primary "soil", which is not among the topics; expected a primary that is one of the topics. Add "soil" to topics.'
        ]
    )


def test_a_single_valued_first_facet_needs_no_topics(tmp_path: Path, taxonomy: Taxonomy) -> None:
    single = taxonomy.model_copy(update={"facets": {"kind": taxonomy.facet("kind")}})
    path = tmp_path / "gold.csv"
    path.write_text("title,primary\nDeep Beds,guide\n", encoding="utf-8")
    (row,) = read_gold(path, single, "gold.csv")
    assert row.decisions == {"kind": Decision(("guide",), "guide")}


def test_rows_are_matched_by_title_whatever_its_spelling(
    read: Read, paper: Callable[..., Paper]
) -> None:
    rows = read("title,primary,topics\nDeep-Beds?,soil,soil\nNobody's Paper,water,water\n")
    papers = [paper("p-1", "Something else"), paper("p-2", "Deep beds"), paper("p-3", "DEEP BEDS")]
    truth, unmatched = match_gold(rows, papers)
    assert truth == {"p-2": rows[0].decisions}
    assert unmatched == (rows[1],)
