"""The current editorial acts, with their ids and sources."""

from __future__ import annotations

from classifier.review.acts import Act, EditorialActs, editorial_acts
from classifier.review.ledger import Entry, Ledger

ALIASES = {"p-old": "p-new"}


def row(paper_id: str, facet: str, value: str, on: str = "2025-06-03", by: str = "ada") -> Entry:
    return Entry(paper_id, "", facet, value, False, by, on, "volunteer", "", "")


def acts(*rows: Entry) -> EditorialActs:
    return editorial_acts(Ledger(rows), ALIASES)


def test_an_act_has_text_reviewer_date_and_ledger_id() -> None:
    found = acts(row("p-1", "exclude", "a talk"), row("p-2", "remark", "read it", by="bo"))
    assert found.excluded == {"p-1": Act("a talk", "ada", "2025-06-03", "p-1")}
    assert found.remarks["p-2"].by == "bo"
    assert found.remarks["p-2"].source == "reviews.csv: p-2"
    assert found.keys == {}


def test_an_act_with_an_old_id_counts_and_its_source_is_the_old_id() -> None:
    found = acts(row("p-old", "exclude", "a talk"))
    assert list(found.excluded) == ["p-new"]
    assert found.excluded["p-new"].source == "reviews.csv: p-old"


def test_only_yes_marks_a_key_paper_and_a_newer_row_withdraws_it() -> None:
    assert list(acts(row("p-1", "key", "YES"), row("p-2", "key", "maybe")).keys) == ["p-1"]
    for later in ("", "no"):
        assert acts(row("p-1", "key", "yes"), row("p-1", "key", later, "2025-06-04")).keys == {}


def test_the_acts_on_one_paper() -> None:
    found = acts(row("p-1", "exclude", "a talk"), row("p-1", "key", "yes"), row("p-2", "key", "no"))
    assert {facet: act.text for facet, act in found.of("p-1").items()} == {
        "exclude": "a talk",
        "key": "yes",
    }
    assert found.of("p-2") == {}
