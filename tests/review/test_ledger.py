"""Decisions are written and read unchanged, and the newest one is current."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.review.ledger import COLUMNS, Entry, Ledger, ledger_bytes, read_ledger
from classifier.review.ledger_check import ledger_faults
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions
from tests.review.bakery import BAKERY

PAPER = "arxiv:2401.10230"
PAPERS = (Paper("Rye at Night", id=PAPER),)
HEADER = "id,title,facet,value,primary,reviewer,reviewed_on,drawn_by,taxonomy_digest,note"


def entry(value: str, *, facet: str = "topic", primary: bool = False, **other: str) -> Entry:
    """Return an entry, by default of Ada on one paper."""
    return replace(
        Entry(
            id=PAPER,
            title="Rye at Night",
            facet=facet,
            value=value,
            primary=primary,
            reviewer="Ada",
            reviewed_on="2025-03-01",
            drawn_by="queue",
            taxonomy_digest="0123456789ab",
            note="",
        ),
        **other,  # type: ignore[arg-type]
    )


def read(folder: Path, text: str) -> Ledger:
    path = folder / "reviews.csv"
    path.write_text(text, encoding="utf-8")
    return read_ledger(path, "taxonomy/reviews.csv")


def decision(taxonomy: Taxonomy, *entries: Entry, facet: str = "topic") -> Decision | None:
    return Ledger(entries).decisions(taxonomy, {}).get(PAPER, {}).get(facet)


def test_a_missing_ledger_is_empty(tmp_path: Path) -> None:
    assert read_ledger(tmp_path / "reviews.csv", "taxonomy/reviews.csv") == Ledger()


def test_the_text_of_a_ledger() -> None:
    rows = [
        entry("taste", note="=sour"),
        entry("dough", primary=True),
        entry("ovens", id="arxiv:2312.00001", primary=True),
    ]
    assert ledger_bytes(Ledger(tuple(rows))).decode() == (
        snapshot(
            "id,title,facet,value,primary,reviewer,reviewed_on,drawn_by,taxonomy_digest,note\n"
            "arxiv:2312.00001,Rye at Night,topic,ovens,yes,Ada,2025-03-01,queue,0123456789ab,\n"
            "arxiv:2401.10230,Rye at Night,topic,dough,yes,Ada,2025-03-01,queue,0123456789ab,\n"
            "arxiv:2401.10230,Rye at Night,topic,taste,,Ada,2025-03-01,queue,0123456789ab,'=sour\n"
        )
    )


def test_the_order_of_entries_does_not_change_the_file() -> None:
    rows = [
        entry("taste"),
        entry("dough", primary=True),
        entry("trial", facet="kind"),
        entry("dough", reviewer="Bo"),
        entry("dough", reviewed_on="2024-01-01"),
        entry("taste", note="sour"),
    ]
    assert {ledger_bytes(Ledger(tuple(order))) for order in permutations(rows)} == {
        ledger_bytes(Ledger(tuple(rows)))
    }


TEXTS = st.text(alphabet="aB;=,'\"\n –").map(str.strip)


@given(st.lists(st.tuples(TEXTS.filter(bool), TEXTS, TEXTS, st.booleans()), max_size=4))
def test_a_written_file_is_read_unchanged(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str, bool]]
) -> None:
    entries = [
        entry(value, title=title, note=note, primary=primary)
        for value, title, note, primary in rows
    ]
    entries = list(dict.fromkeys(entries))  # the same row twice is one
    path = tmp_path_factory.getbasetemp() / "round_trip.csv"
    path.write_bytes(ledger_bytes(Ledger(tuple(entries))))
    read_again = read_ledger(path, "reviews.csv")
    assert sorted(map(repr, (replace(e, line=0) for e in read_again.entries))) == sorted(
        map(repr, entries)
    )
    assert ledger_bytes(read_again) == path.read_bytes()


def test_a_repeated_row_counts_once(tmp_path: Path) -> None:
    row = f"{PAPER},Rye at Night,topic,taste,,Ada,2025-03-01,queue,,"
    ledger = read(tmp_path, f"{HEADER},mood\n{row},glad\n{row},glad\n{row},sad\n")
    assert [(each.line, each.further) for each in ledger.entries] == [(2, ("glad",)), (4, ("sad",))]


def test_rows_of_several_values_are_one_decision(taxonomy: Taxonomy) -> None:
    assert decision(taxonomy, entry("taste"), entry("dough", primary=True)) == Decision(
        ("dough", "taste"), "dough", "Ada", "2025-03-01", "queue", "0123456789ab"
    )


def test_a_child_implies_its_parent(taxonomy: Taxonomy) -> None:
    found = decision(taxonomy, entry("dough/rye", primary=True), entry("taste"))
    assert found is not None
    assert (found.values, found.primary) == (("dough", "dough/rye", "taste"), "dough")


def test_names_aliases_and_merged_categories_are_resolved(taxonomy: Taxonomy) -> None:
    for value in ("ovens", "OVENS", "heat", "stoves"):
        found = decision(taxonomy, entry(value))
        assert found is not None
        assert found.values == ("ovens",), value
    found = decision(taxonomy, entry("Dough & Starter"))
    assert found is not None
    assert found.values == ("dough",)


def test_without_a_primary_the_first_category_in_the_taxonomy_is_the_primary(
    taxonomy: Taxonomy,
) -> None:
    found = decision(taxonomy, entry("taste"), entry("ovens"))
    assert found is not None
    assert found.primary == "ovens"


def test_the_newest_decision_replaces_all_earlier_values(taxonomy: Taxonomy) -> None:
    found = decision(
        taxonomy,
        entry("dough", primary=True, reviewed_on="2025-03-01"),
        entry("ovens", reviewed_on="2025-03-01"),
        entry("taste", primary=True, reviewed_on="2025-03-02", reviewer="Bo"),
        entry("dough/rye", primary=True, reviewed_on="2024-12-31", reviewer="Cy"),
    )
    assert found is not None
    assert (found.values, found.reviewer) == (("taste",), "Bo")


def test_if_two_reviewers_differ_on_one_day_the_earlier_decision_stays(taxonomy: Taxonomy) -> None:
    rows = (
        entry("dough", primary=True, reviewed_on="2025-03-02", reviewer="Zoe"),
        entry("ovens", primary=True, reviewed_on="2025-03-02", reviewer="Ada"),
    )
    before = entry("taste", primary=True, reviewed_on="2025-03-01", reviewer="Bo")
    after = entry("dough", primary=True, reviewed_on="2025-03-01", reviewer="adjudicated")
    assert decision(taxonomy, *rows) is None
    assert getattr(decision(taxonomy, *rows, before), "values", ()) == ("taste",)
    assert getattr(decision(taxonomy, *rows, before, after), "values", ()) == ("dough",)
    agreed = decision(taxonomy, rows[0], replace(rows[1], value="dough"), before)
    assert getattr(agreed, "values", ()) == ("dough",)


def test_the_order_of_rows_does_not_matter(taxonomy: Taxonomy) -> None:
    rows = (
        entry("dough", primary=True, note="b"),
        entry("taste", primary=True, note="a"),
        entry("ovens", reviewer="Bo", primary=True),
        entry("taste", reviewer="Bo", primary=True),
        entry("trial", facet="kind"),
        entry("guide", facet="kind", note="either"),
    )
    found = [Ledger(order).decisions(taxonomy, {}) for order in permutations(rows)]
    assert all(decisions == found[0] for decisions in found)


def test_each_facet_has_its_own_decision(taxonomy: Taxonomy) -> None:
    rows = entry("dough"), entry("guide", facet="kind", reviewed_on="2020-01-01")
    found = Ledger(rows).decisions(taxonomy, {})
    assert {facet: given.values for facet, given in found[PAPER].items()} == {
        "topic": ("dough",),
        "kind": ("guide",),
    }
    assert found[PAPER]["kind"].primary == "guide"


def test_a_decision_with_an_old_id_counts_for_the_paper(taxonomy: Taxonomy) -> None:
    rows = (
        entry("dough", id="p-0123456789", reviewed_on="2025-03-01"),
        entry("taste", reviewed_on="2025-02-01"),
    )
    found = Ledger(rows).decisions(taxonomy, {"p-0123456789": PAPER})
    assert list(found) == [PAPER]
    assert found[PAPER]["topic"].values == ("dough",)


def test_unknown_facets_and_values_are_reported_and_not_used(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    rows = [
        entry("cake"),
        entry("dough"),
        entry("hot", facet="weather"),
        entry("no bread", facet="exclude"),
    ]
    ledger = read(tmp_path, ledger_bytes(Ledger(tuple(rows))).decode())
    shown = "taxonomy/reviews.csv"
    assert [str(fault) for fault in ledger_faults(ledger, taxonomy, PAPERS, {}, shown)] == [
        f"{shown}:3: warning: found value 'cake'; expected a category of facet topic. The row is "
        "kept and not used; list the old id under `aliases` of the category that replaced it.",
        f"{shown}:5: warning: found facet 'weather'; expected one of topic, kind, exclude, remark, "
        "key, note.",
    ]
    found = ledger.decisions(taxonomy, {})[PAPER]
    assert list(found) == ["topic"]
    assert found["topic"].values == ("dough",)


def test_a_removed_value_is_reported_once(tmp_path: Path, taxonomy: Taxonomy) -> None:
    rows = [entry("cake", reviewer=who) for who in ("Ada", "Bo", "Cy")]
    ledger = read(tmp_path, ledger_bytes(Ledger(tuple(rows))).decode())
    assert [
        str(fault) for fault in ledger_faults(ledger, taxonomy, PAPERS, {}, "reviews.csv")
    ] == snapshot(
        [
            "reviews.csv:2: warning: found value 'cake' in 3 rows; expected a category of facet topic. The rows are kept and not used; list the old id under `aliases` of the category that replaced it."
        ]
    )


OLD, OLDER = "0123456789ab", "ba9876543210"
VERSIONS = Versions({
    (OLD, "topic"): frozenset({"dough", "stoves", "taste"}),
    (OLDER, "topic"): frozenset({"dough", "ovens"}),
})  # fmt: skip
"""Taxonomies of bread without rye, and one without taste."""


def unknown(taxonomy: Taxonomy, *entries: Entry) -> tuple[str, ...]:
    return Ledger(entries).decisions(taxonomy, {}, VERSIONS)[PAPER]["topic"].unknown


def test_categories_added_after_a_decision_are_unknown_to_it(taxonomy: Taxonomy) -> None:
    assert unknown(taxonomy, entry("taste")) == ("dough/rye",)
    assert unknown(taxonomy, entry("dough", taxonomy_digest=OLDER)) == ("dough/rye", "taste")
    assert unknown(taxonomy, entry("dough", taxonomy_digest="")) == ()
    assert unknown(taxonomy, entry("dough", taxonomy_digest="f" * 12)) == ()


def test_a_category_in_a_decision_is_known_to_it(taxonomy: Taxonomy) -> None:
    assert unknown(taxonomy, entry("taste", taxonomy_digest=OLDER)) == ("dough/rye",)


def test_a_category_known_to_one_row_is_known_to_the_decision(taxonomy: Taxonomy) -> None:
    rows = entry("ovens", taxonomy_digest=OLDER), entry("dough", taxonomy_digest=OLD)
    assert unknown(taxonomy, *rows) == ("dough/rye",)


def test_papers_reviewed_again_after_a_category_was_added_are_counted(taxonomy: Taxonomy) -> None:
    before = entry("dough", taxonomy_digest=OLDER)
    since = entry("dough", taxonomy_digest=OLD, reviewed_on="2025-04-01")
    counts = [
        Ledger(rows).count_reviewed_again(taxonomy, {}, VERSIONS)["topic", "taste"]
        for rows in ((before,), (since,), (before, since))
    ]
    assert counts == [0, 0, 1]


def test_removed_values_of_current_decisions(taxonomy: Taxonomy) -> None:
    """A removed value of a decision that is not current needs no review."""
    overruled = entry("cake", reviewed_on="2024-01-01")
    rows = (overruled, entry("biscuit"), entry("dough"), entry("spring", facet="season"))
    gone = Ledger(rows).removed_values(taxonomy, {})
    assert [(paper_id, row.value) for paper_id, row in gone] == [(PAPER, "biscuit")]


def test_a_conflict_on_one_day_has_no_removed_value(taxonomy: Taxonomy) -> None:
    before = entry("biscuit", reviewed_on="2024-01-01")
    ada = entry("cake", reviewer="ada", reviewed_on="2025-01-01")
    bo = entry("dough", reviewer="bo", reviewed_on="2025-01-01")
    gone = Ledger((before, ada, bo)).removed_values(taxonomy, {})
    assert [row.value for _, row in gone] == ["biscuit"]


def test_two_spellings_of_a_category_are_the_same_answer(taxonomy: Taxonomy) -> None:
    """No decision is current: one reviewer lists the category without making it the primary."""
    before = entry("biscuit", reviewed_on="2024-01-01")
    ada = entry("dough", reviewer="ada", reviewed_on="2025-01-01")
    bo = replace(entry("dough", reviewer="bo", reviewed_on="2025-01-01"), primary="")
    assert not list(Ledger((before, ada, bo)).removed_values(taxonomy, {}))


def test_an_unrecorded_digest_is_reported_once(tmp_path: Path, taxonomy: Taxonomy) -> None:
    rows = (
        entry("dough", primary=True, taxonomy_digest="f" * 12),
        entry("taste", taxonomy_digest="f" * 12),
        entry("trial", facet="kind", taxonomy_digest="f" * 12),
        entry("taste", reviewer="Bo", taxonomy_digest=OLD),
        entry("taste", reviewer="Cy", taxonomy_digest=""),
    )
    ledger = read(tmp_path, ledger_bytes(Ledger(rows)).decode())
    found = ledger_faults(ledger, taxonomy, PAPERS, {}, "reviews.csv", VERSIONS)
    assert [str(fault) for fault in found if "digest" in fault.actual] == snapshot(
        [
            "reviews.csv:2: warning: found taxonomy_digest 'ffffffffffff' on 2 decisions; expected a digest in taxonomy/versions.csv. Categories added since then count as rejected. Restore the digest's rows in taxonomy/versions.csv, or empty the cells."
        ]
    )


def test_a_decision_with_only_unknown_values_is_ignored(taxonomy: Taxonomy) -> None:
    assert decision(taxonomy, entry("cake")) is None


def test_an_editorial_act_is_current_until_it_is_withdrawn() -> None:
    rows = (
        entry("off topic", facet="exclude", id="p-1", reviewed_on="2025-01-01"),
        entry("", facet="exclude", id="p-1", reviewed_on="2025-01-02"),
        entry("a talk", facet="exclude", id="p-old", reviewed_on="2025-01-01"),
        entry("read this", facet="remark", id="p-1"),
    )
    aliases = {"p-old": "p-new"}

    def acts(act: str, *given: Entry) -> dict[str, str]:
        found = Ledger(given).editorial(act, aliases)
        return {paper_id: entry.value for paper_id, entry in found.items()}

    assert acts("exclude", *rows) == {"p-new": "a talk"}
    assert acts("exclude", *rows[:1]) == {"p-1": "off topic"}
    assert acts("remark", *rows) == {"p-1": "read this"}
    assert acts("key", *rows) == {}


def test_an_adjudicated_decision_wins_over_later_ones(taxonomy: Taxonomy) -> None:
    rows = (
        entry("dough", primary=True, reviewer="adjudicated", reviewed_on="2025-03-01"),
        entry("taste", primary=True, reviewer="Bo", reviewed_on="2025-03-09"),
    )
    found = decision(taxonomy, *rows)
    assert found is not None
    assert found.values == ("dough",)


def test_a_correction_on_the_day_of_the_import_wins(taxonomy: Taxonomy) -> None:
    """`new` dates imported decisions with today, so a correction may have the same date."""
    rows = (
        entry("dough", primary=True, reviewer="imported", drawn_by="imported"),
        entry("taste", primary=True, reviewer="ada", drawn_by="volunteer"),
    )
    found = decision(taxonomy, *rows)
    assert found is not None
    assert (found.values, found.reviewer, found.drawn_by) == (("taste",), "ada", "imported")


def test_decisions_of_several_reviewers_are_all_kept(taxonomy: Taxonomy) -> None:
    rows = (
        entry("dough", reviewed_on="2025-01-01"),
        entry("ovens", reviewed_on="2025-01-02"),
        entry("taste", reviewer="Bo"),
    )
    found = Ledger(rows).by_reviewer(taxonomy, {})
    assert {who: papers[PAPER]["topic"].values for who, papers in found.items()} == {
        "Ada": ("ovens",),
        "Bo": ("taste",),
    }


def test_unknown_columns_are_written_back(tmp_path: Path) -> None:
    text = f"{HEADER},room\n{PAPER},Rye at Night,topic,dough,yes,Ada,2025-03-01,queue,,,3\n"
    assert ledger_bytes(read(tmp_path, text)).decode() == text


def test_an_unknown_column_keeps_its_name(tmp_path: Path) -> None:
    text = f"{HEADER},Reading Room\n"
    row = f"{PAPER},Rye at Night,topic,dough,yes,Ada,2025-03-01,queue,,,3\n"
    for saved in (text, text + row):
        assert ledger_bytes(read(tmp_path, saved)).decode() == saved


def test_lone_carriage_returns_do_not_change_the_text(tmp_path: Path) -> None:
    text = f"{HEADER}\n{PAPER},Rye at Night,topic,dough,yes,Ada,2025-03-01,queue,,\n"
    path = tmp_path / "reviews.csv"
    path.write_bytes(text.replace("\n", "\r").encode())
    assert ledger_bytes(read_ledger(path, "reviews.csv")).decode() == text


def test_a_cell_in_a_column_without_a_name_is_a_fault(tmp_path: Path) -> None:
    row = f"{PAPER},Rye at Night,topic,dough,yes,Ada,2025-03-01,queue,,,"
    assert len(read(tmp_path, f"{HEADER},\n{row}\n").entries) == 1
    with pytest.raises(InputError, match="found 'ask Bo' after the last column; expected 10 cells"):
        read(tmp_path, f"{HEADER},\n{row}ask Bo\n")


def test_missing_columns_are_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, "id,title,facet,primary,reviewer,reviewed_on,note\np-1,T,topic,,,,\n")
    assert str(caught.value) == (
        snapshot(
            "taxonomy/reviews.csv:1: error: found no column value, drawn_by, taxonomy_digest; expected id, title, facet, value, primary, reviewer, reviewed_on, drawn_by, taxonomy_digest, note. The first line is 'id,title,facet,primary,reviewer,reviewed_on,note'."
        )
    )


def test_a_ledger_without_a_header_is_a_fault(tmp_path: Path) -> None:
    row = f"{PAPER},Rye at Night,topic,dough,yes,Ada,2025-03-01,audit,,\n"
    for rows in (row, 2 * row):
        with pytest.raises(InputError) as caught:
            read(tmp_path, rows)
        assert str(caught.value) == (
            f"taxonomy/reviews.csv:1: error: found no column {', '.join(COLUMNS)}; expected "
            f"{', '.join(COLUMNS)}. The first line is '{row[:80].strip()}'."
        )


def test_column_names_are_read_in_any_case(tmp_path: Path) -> None:
    row = f"{PAPER},Rye at Night,topic,dough,yes,Ada,2025-03-01,queue,0123456789ab,\n"
    for header in (HEADER.upper(), HEADER.title()):
        assert read(tmp_path, f"{header}\n{row}").entries == (entry("dough", primary=True),)
        assert read(tmp_path, f"{header}\n") == Ledger()


def test_every_invalid_row_is_reported(tmp_path: Path) -> None:
    rows = (
        "p-1,Rye, at Night,topic,dough,yes,Ada,2025-03-01,audit,,note",
        "p-2,T,topic,dough,maybe,Ada,1.3.2025,,,",
        "p-3,T,topic,dough,No,Ada,20250301,,,",
        "p-4,T,topic,dough,,Ada,2025-02-30,,,",
    )
    with pytest.raises(InputError) as caught:
        read(tmp_path, "\n".join((HEADER, *rows)))
    dated = "expected a date such as 2025-06-01."
    assert str(caught.value).splitlines() == [
        "taxonomy/reviews.csv:2: error: found 'note' after the last column; expected 10 cells. "
        "Quote a cell that contains a comma.",
        "taxonomy/reviews.csv:3: error: found primary 'maybe'; expected yes or an empty cell.",
        f"taxonomy/reviews.csv:3: error: found reviewed_on '1.3.2025'; {dated}",
        f"taxonomy/reviews.csv:4: error: found reviewed_on '20250301'; {dated}",
        f"taxonomy/reviews.csv:5: error: found reviewed_on '2025-02-30'; {dated}",
    ]


def test_every_required_cell_that_is_empty_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, f"{HEADER}\n,T,,dough\np-1,T,topic,dough\np-2,T, ,dough\n")
    assert str(caught.value).splitlines() == snapshot(
        [
            "taxonomy/reviews.csv:2: error: found an empty id; expected a value in id.",
            "taxonomy/reviews.csv:2: error: found an empty facet; expected a value in facet.",
            "taxonomy/reviews.csv:4: error: found an empty facet; expected a value in facet.",
        ]
    )


def test_cells_are_trimmed_and_yes_is_read_in_any_case(tmp_path: Path) -> None:
    ledger = read(tmp_path, f"{HEADER}\n p-1 , T ,topic, dough , YES \np-2,T,topic,dough,no\n")
    assert [(e.id, e.title, e.value, e.primary) for e in ledger.entries] == [
        ("p-1", "T", "dough", True),
        ("p-2", "T", "dough", False),
    ]


def test_a_header_alone_is_an_empty_ledger(tmp_path: Path) -> None:
    assert read(tmp_path, f"{HEADER}\n") == Ledger()


def test_a_second_look_keeps_a_paper_in_the_audit(taxonomy: Taxonomy) -> None:
    found = decision(
        taxonomy,
        entry("dough", primary=True, drawn_by="audit"),
        entry("taste", primary=True, drawn_by="queue", reviewed_on="2025-03-02"),
    )
    assert found is not None
    assert (found.primary, found.drawn_by) == ("taste", "audit")


def test_the_order_of_a_further_facet_is_kept_and_is_not_a_conflict(taxonomy: Taxonomy) -> None:
    """Ada approved two flours as shown; Bo listed them in the other order."""
    rows = [("wheat", "", "ada"), ("spelt", "yes", "ada")]
    rows += [("wheat", "yes", "bo"), ("spelt", "", "bo")]
    entries = tuple(
        Entry("p-1", "", "flour", value, bool(yes), who, "2025-03-01", "", "", "")
        for value, yes, who in rows
    )
    decided = Ledger(entries[:2]).decisions(BAKERY, {})["p-1"]["flour"]
    assert decided.primary == "spelt"
    assert Ledger(entries).decisions(BAKERY, {})["p-1"]["flour"].values == ("spelt", "wheat")
