"""The decisions of a row that shows dough (the primary) and taste, a trial, of wheat."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from tests.review.bakery import BAKERY, apply_sheet, cells, decided, sheet, signed

TAKEN = {
    # what is typed -> what stands in the ledger; `*` is where the paper is filed
    "verdict=ok": "topic: dough*; taste | kind: trial | flour: wheat",
    "verdict=OK.": "topic: dough*; taste | kind: trial | flour: wheat",
    "verdict=ok; review_kind=guide": "topic: dough*; taste | kind: guide | flour: wheat",
    "review_kind=Guide": "kind: guide",
    "review_kind=add guide / drop trial": "kind: guide",
    "review_flour=spelt, wheat": "flour: spelt*; wheat",  # the first is shown first
    "review_topics=taste / dough": "topic: dough; taste*",
    "review_topics=taste / ovens": "topic: ovens; taste*",
    "review_topics=heat": "topic: ovens*",
    "review_topics=dough/rye": "topic: dough*; dough/rye",
    "review_topics=Out of scope": "topic: other*",
    "review_topics=out-of-scope": "topic: other*",
    "review_topics=taste / dough; review_primary=taste": "topic: dough; taste*",
    "review_topics=taste / dough; review_primary=dough/rye": "topic: dough*; dough/rye; taste",
    "review_topics=drop taste": "topic: dough*",
    "review_topics=-taste / +ovens": "topic: dough*; ovens",
    "review_topics=add dough/rye": "topic: dough*; dough/rye; taste",
    "review_topics=drop dough; review_primary=taste": "topic: taste*",
    "review_topics=drop dough / drop taste; review_primary=ovens": "topic: ovens*",
    "review_primary=taste": "topic: dough; taste*",
    "review_primary=dough/rye": "topic: dough*; dough/rye; taste",
    "review_primary=ovens": "topic: dough; ovens*",  # two at most: taste, the weakest, leaves
    "review_primary=ovens; status=reviewed; review_topics=taste / ovens": "topic: ovens*; taste",
    "review_primary=other": "topic: other*",
    "review_topics=ovens; verdict=ok": "topic: ovens* | kind: trial",  # flour is asked of dough
    "verdict=key": "key: yes",
    "verdict=ok. / Key": "topic: dough*; taste | kind: trial | flour: wheat | key: yes",
    "exclude=cakes only; remark=Read on.": "exclude: cakes only | remark: Read on.",
    "note=ask Bob": "note: ask Bob",
    "reviewer=bo": "",
}


def typed(text: str) -> dict[str, str]:
    """Parse cells from `a=x; b=y / z`, in which a slash means a semicolon."""
    filled = (part.partition("=") for part in text.split("; "))
    return {column: cell.replace(" / ", "; ") for column, _, cell in filled}


@pytest.mark.parametrize(("filled", "meant"), TAKEN.items())
def test_a_filled_row_becomes_decisions(filled: str, meant: str) -> None:
    applied = apply_sheet(sheet(cells(**typed(filled))))
    assert applied.refused == ()
    order = [*BAKERY.facets, "exclude", "remark", "key", "note"]
    found = decided(applied)
    assert " | ".join(f"{name}: {found[name]}" for name in order if name in found) == meant


REFUSED = {
    "verdict=x": "verdict: found 'x'; expected ok, key, not key, withdraw, or an empty cell. Write ok to "
    "approve exactly the labels of the row. To correct them, fill the review_ columns and leave verdict empty.",
    "verdict=ok / x": "verdict: found 'ok; x'; expected ok,",
    "verdict=1": "verdict: found '1'; expected ok,",
    "verdict=no": "verdict: found 'no'; expected ok,",
    "verdict=key / not key": "verdict: found 'key; not key'; expected ok, key, not key, withdraw, or an empty "
    "cell. Delete one of the two.",
    "review_topics=tatse": "review_topics: found 'tatse'; expected a category of facet topic. Did "
    "you mean 'taste'?",
    "review_topics=dough / tatse / oevns": "review_topics: found 'tatse', 'oevns'; expected "
    "categories of facet topic. Did you mean 'taste'? Did you mean 'ovens'?",
    "review_topics=#NAME?": "review_topics: found #NAME?, an error of the spreadsheet; expected your answer as text.",
    "review_topics=;": "review_topics: found ';'; expected a category of facet topic.",
    "review_topics=dough / taste / ovens": "review_topics: found 'dough; taste; ovens', 3 top "
    "categories; expected at most 2. Write the right list into review_topics.",
    "review_topics=add ovens":
    "review_topics: found 'dough; taste; ovens', 3 top categories; expected",
    "review_topics=dough / other": "review_topics: found 'dough; other'; expected 'other' alone, for a paper that is out of scope. Delete it, or the others.",
    "review_topics=add taste / ovens": "review_topics: found 'ovens' together with add or drop; expected "
    "either a full list, or changes such as 'add safety; drop benchmarks'.",
    "review_topics=drop dough; review_primary=dough": "review_primary: found 'dough'; expected one "
    "of the topics given (taste).",
    "review_topics=drop ovens": "review_topics: found 'drop ovens'; expected one of the labels shown "
    "(dough; taste).",
    "review_topics=drop dough": "review_topics: found 'drop dough', the primary category; expected a new primary as well. Write the new primary into review_primary.",
    "review_topics=drop dough / drop taste": "review_topics: found changes that leave no label; "
    "expected at least one category.",
    "review_topics=taste; review_primary=dough": "review_primary: found 'dough'; expected one of the "
    "topics given (taste). Add it in review_topics, or file the paper under one of them.",
    "review_primary=ovens; status=reviewed": "review_primary: found 'dough; taste; ovens', 3 top "
    "categories; expected at most 2. Write the right list into review_topics.",
    "review_primary=dough / taste": "review_primary: found 'dough; taste'; expected one category. "
    "The other topics go into review_topics.",
    "review_primary=add taste": "review_primary: found 'add taste'; expected one category.",
    "review_kind=trial / guide":
    "review_kind: found 'trial; guide'; expected one value of facet kind.",
    "review_topics=ovens; review_flour=spelt": "review_flour: found 'spelt'; expected an empty cell: "
    "flour applies to papers on dough. Add one of these topics in review_topics, or empty "
    "review_flour.",
    "exclude=x": "exclude: found 'x'; expected a reason in words, which is published (or withdraw).",
    "exclude=yes": "exclude: found 'yes'; expected a reason in words",
    "exclude=1": "exclude: found '1'; expected a reason in words",
    "exclude=TRUE": "exclude: found 'TRUE'; expected a reason in words",
    "remark=?": "remark: found '?'; expected a remark in words",
    "exclude=no": "exclude: found 'no'; expected a reason. This paper is not excluded; empty the "
    "cell.",
    "exclude=undo": "exclude: found 'undo'; expected a reason. This paper is not excluded; empty",
    "exclude=withdrawl": "exclude: found 'withdrawl'; expected a reason in words, which is published "
    "(or withdraw). Write withdraw",
    "review_topics=taste and ovens": "review_topics: found 'taste and ovens'; expected a category of "
    "facet topic. Did you mean",
    "review_topics=xyzzy": "review_topics: found 'xyzzy'; expected a category of facet topic. Categories: dough, ovens, taste, other.",
    "reviewer=ada / bo; verdict=ok": "reviewer: found 'ada; bo'; expected one name, without ; or",
    "verdict=not key": "verdict: found 'not key'; expected a paper with a key mark, but this one has none. Empty the cell.",
    "review_colour=red": "review_colour: found 'red'; expected an empty cell: the taxonomy has no "
    "facet colour. Empty it, or delete the column.",
}  # fmt: skip


@pytest.mark.parametrize(("filled", "message"), REFUSED.items())
def test_an_invalid_answer_is_a_fault_with_column_and_hint(filled: str, message: str) -> None:
    applied = apply_sheet(sheet(cells(**typed(filled))))
    assert (applied.answers, applied.ledger.entries) == ((), ())
    (cell,) = applied.refused
    assert str(cell).startswith(f"out/labels.csv: row 2, {message}")


def test_a_row_with_faults_is_not_applied_and_all_faults_are_reported() -> None:
    filled = {"verdict": "x", "review_topics": "tatse", "review_kind": "guide", "exclude": "1"}
    applied = apply_sheet(sheet(cells(**filled)))
    assert [cell.column for cell in applied.refused] == [
        "verdict",
        "review_topics",
        "exclude",
    ]
    assert applied.ledger.entries == ()


def test_ok_in_a_row_without_labels_is_a_fault() -> None:
    bare = dict.fromkeys(cells(), "") | {"id": cells()["id"], "verdict": "ok"}
    (cell,) = apply_sheet(sheet(bare)).refused
    assert (
        str(cell)
        .partition(", ")[2]
        .startswith("verdict: found 'ok' in a row whose labels or taxonomy were changed")
    )


def test_a_new_primary_replaces_out_of_scope() -> None:
    row = signed(cells() | {"primary": "other", "topics": "other", "flour": ""})
    applied = apply_sheet(sheet(row | {"review_primary": "taste"}))
    assert decided(applied)["topic"] == "taste*"
    assert str(applied.answers[0]).endswith("(was: other; without other)")


def test_approved_labels_are_reported_as_shown_in_any_order() -> None:
    """The sheet lists the likelier topic first, a decision uses the taxonomy's order."""
    row = signed(cells() | {"topics": "dough; taste; dough/rye"})
    applied = apply_sheet(sheet(row | {"verdict": "ok"}))
    found = str(applied.answers[0])
    assert found.endswith("topic: dough; dough/rye; taste → decided by ada (as shown)")


def test_the_interpretation_of_a_cell_is_reported() -> None:
    rows = [
        cells(review_topics="taste; dough"),
        cells("p-0123456789", review_topics="ovens; taste"),
        cells("doi:10.9999/bread.1", review_topics="stoves"),
    ]
    found = [str(each) for each in apply_sheet(sheet(*rows)).answers]
    assert found == snapshot(
        [
            "row 2  arxiv:2401.10230  topic: taste; dough → decided by ada (was: dough; taste; "
            "filed under taste, the first given)",
            "row 3  p-0123456789  topic: ovens; taste → decided by ada (was: dough; taste; filed under "
            "ovens, the first given)",
            "row 4  doi:10.9999/bread.1  topic: ovens → decided by ada (was: dough; taste; stoves is "
            "now ovens)",
        ]
    )


@pytest.mark.parametrize(
    ("primary", "expected"),
    [("ovens", "ovens*"), ("dough", "dough*; dough/rye"), ("dough/rye", "dough*; dough/rye")],
)
def test_a_new_primary_replaces_the_topic_if_at_most_is_one(primary: str, expected: str) -> None:
    """A taxonomy made from headings has `at_most: 1`."""
    one = BAKERY.first.model_copy(update={"at_most": 1})
    taxonomy = BAKERY.model_copy(update={"facets": {**BAKERY.facets, "topic": one}})
    row = signed(cells(taxonomy=taxonomy) | {"topics": "dough; dough/rye"}, taxonomy)
    applied = apply_sheet(sheet(row | {"review_primary": primary}), taxonomy=taxonomy)
    assert (decided(applied), applied.refused) == ({"topic": expected}, ())
