"""Each row of any sheet is applied or refused; no answer is lost or invented."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.files.table import Row
from classifier.review.apply import LedgerEditor, pending_edits
from classifier.review.ledger_check import ledger_faults
from classifier.review.sheet import human_columns
from classifier.review.sheet_file import SheetFile
from classifier.taxonomy.versions import Versions
from tests.review.bakery import (
    ALIASES,
    BAKERY,
    CLAY,
    PENDING_READER,
    RYE,
    TASTES,
    apply_sheet,
    cells,
    decided,
    sheet,
)


def test_contradicting_rows_of_one_reviewer_are_all_refused() -> None:
    labels = sheet(cells(RYE, review_kind="trial"), cells(CLAY, verdict="ok"))
    drawn = sheet(cells(RYE, review_kind="guide", review_topics="ovens"), shown="out/next.csv")
    applied = apply_sheet(labels, drawn)
    assert decided(applied, RYE) == {}
    assert decided(applied, CLAY)["kind"] == "trial"
    assert [str(cell) for cell in applied.refused] == snapshot(
        [
            "out/labels.csv: row 2, kind: found 'trial' for kind of arxiv:2401.10230, and 'guide' (row 2 of out/next.csv); expected one answer of ada on each paper. Empty all but one of them.",
            "out/next.csv: row 2, kind: found 'guide' for kind of arxiv:2401.10230, and 'trial' (row 2 of out/labels.csv); expected one answer of ada on each paper. Empty all but one of them.",
        ]
    )


def test_equal_and_complementary_rows_are_merged() -> None:
    rows = [cells(review_kind="guide"), cells(review_kind="Guide"), cells(review_topics="ovens")]
    applied = apply_sheet(sheet(*rows))
    assert decided(applied) == {"kind": "guide", "topic": "ovens*"}
    assert [each.state for each in applied.answers] == ["new", "known", "new"]


def test_an_error_value_of_a_spreadsheet_is_refused() -> None:
    applied = apply_sheet(sheet(cells(RYE, verdict="ok", note="#NAME?"), cells(CLAY, verdict="ok")))
    assert decided(applied, RYE) == {}
    assert decided(applied, CLAY)["kind"] == "trial"
    assert [str(cell) for cell in applied.refused] == snapshot(
        [
            "out/labels.csv: row 2, note: found #NAME?, an error of the spreadsheet; expected your answer as text. The spreadsheet read it as a formula: type it again with ' before it."
        ]
    )


def test_reviewers_may_differ() -> None:
    rows = [cells(review_kind="guide"), cells(review_kind="trial", reviewer="bo")]
    assert decided(apply_sheet(sheet(*rows))) == {"kind": "guide; trial"}


def test_applied_answers_are_reported_line_by_line() -> None:
    rows = [cells(note="ask Bob"), cells(CLAY, exclude="cakes only"), cells(TASTES, verdict="key")]
    assert [str(each) for each in apply_sheet(sheet(*rows)).answers] == snapshot(
        [
            "row 2  arxiv:2401.10230  note: ask Bob → noted by ada",
            "row 3  p-0123456789  exclude: cakes only → decided by ada",
            "row 4  doi:10.9999/bread.1  key: yes → decided by ada",
        ]
    )


def test_an_answer_overruled_by_adjudication_is_reported() -> None:
    rows = [
        cells(review_kind="guide", reviewer="adjudicated"),
        cells(review_kind="trial", reviewer="bo"),
    ]
    first, second = apply_sheet(sheet(*rows)).answers
    assert "stays in force" not in str(first)
    assert str(second).endswith("the adjudicated decision is used)")


def test_a_conflict_with_another_reviewer_of_the_day_is_reported() -> None:
    first, second, *others = apply_sheet(
        sheet(
            cells(review_kind="trial", reviewer="bo"),
            cells(review_kind="guide", reviewer="ada"),
            cells(CLAY, exclude="cakes only", reviewer="bo"),
            cells(CLAY, exclude="a talk", reviewer="ada"),
        )
    ).answers
    assert str(second).endswith(
        "bo decided otherwise on that day: the earlier decision is used until one is adjudicated)"
    )
    assert not any("otherwise" in str(each) for each in (first, *others))


def test_a_sheet_without_columns_for_answers_is_refused() -> None:
    (cell,) = apply_sheet(sheet({"id": RYE, "title": "Rye at Rest", "opinion": "fine"})).refused
    assert str(cell) == (
        snapshot(
            "out/labels.csv: row 1, header: found no column for answers; expected at least one of verdict, review_primary, review_topics, review_kind, review_flour, exclude, remark, note."
        )
    )


# --- a thousand damaged sheets --------------------------------------------------------------------

TYPED = {
    "verdict": ["ok", "OK. ", "key", "ok; key", "not key", "x", "yes", "?", "okk"],
    "review_primary": ["taste", "DOUGH", "ovens", "dough/rye", "other", "nope", "dough; taste"],
    "review_topics": [
        "dough", "Taste – and smell", "heat, dough", "add ovens", "drop taste", "+ovens; -taste",
        "dough; taste; ovens", "other; dough", "tatse", "drop dough", "Dough, starter & rest", ";",
    ],
    "review_kind": ["guide", "Trial", "trial; guide", "=1+1"],
    "review_flour": ["spelt", "wheat; spelt", "rice"],
    "exclude": ["only about cakes", "x", "no"],
    "remark": ["A remark.", "withdraw", "1"],
    "reviewer": ["bo", " bo ", "Zoë"],
    "note": ["a note", "=note", "\x0bodd\u2028note"],
}  # fmt: skip
DAMAGE = {
    "id": ["", "p-ffffffffff", CLAY, "p-aaaaaaaaaa", "arxiv:2401.10230v2", "nonsense"],
    "title": ["", "an oven of clay", "Another title", "Rye  at Rest"],
    "primary": ["taste", ""],
    "topics": ["dough", "dough;taste", ""],
    "why": ["", "[000000]"],
    "kind": ["guide"],
}


ODD = "aZé9 ;,.'\"“”+-=@#\t\n\r\x0b\u00a0\u200b\u2028/[]"


def damaged_sheet(seed: int) -> SheetFile:
    """Return filled rows with the damage of spreadsheets: shuffled, doubled, without columns."""
    chance = Random(seed)  # one draw a sheet: hypothesis is slow at batch many small things
    rows = []
    for _ in range(chance.randint(1, 6)):
        row = cells(chance.choice([RYE, CLAY, TASTES]))
        spoiled = chance.sample(sorted(DAMAGE), chance.choice([0, 0, 0, 1]))
        row |= {name: chance.choice(DAMAGE[name]) for name in spoiled}
        for name in chance.sample(sorted(TYPED), chance.choice([0, 1, 1, 2, 3])):
            odd = "".join(chance.choices(ODD, k=chance.randint(1, 6)))
            row[name] = odd if chance.random() < 0.1 else chance.choice(TYPED[name])
        rows.append(row)
    dropped = chance.sample(sorted(rows[0]), chance.choice([0, 0, 1, 2]))
    kept = [name for name in rows[0] if name not in dropped] or ["id"]
    chance.shuffle(kept)
    return sheet(*({name: row[name] for name in kept} for row in rows))


def is_filled(row: Row) -> bool:
    names = set(human_columns(BAKERY)) - {"reviewer"}
    return any(row.cells.get(name, "").strip() for name in names)


def oracle(row: Mapping[str, str]) -> dict[str, set[str]]:
    """Read simple answers independently of the package: facet -> values for the ledger."""
    plain = {"dough": {"dough"}, "dough/rye": {"dough", "dough/rye"}, "ovens": {"ovens"}}
    meant: dict[str, set[str]] = {}
    if row.get("review_topics", "") in plain and not row.get("review_primary"):
        meant["topic"] = plain[row["review_topics"]]
    if row.get("review_kind", "").strip().lower() in ("guide", "trial"):
        meant["kind"] = {row["review_kind"].strip().lower()}
    if row.get("exclude") == "only about cakes":
        meant["exclude"] = {"only about cakes"}
    if row.get("remark") == "A remark.":
        meant["remark"] = {"A remark."}
    shown = row.get("verdict", "").strip(" .").lower() == "ok" and row["topics"].split("; ")
    if shown and not row.get("review_topics") and not row.get("review_primary"):
        meant["topic"] = set(shown)
    if "key" in row.get("verdict", "") and "not" not in row["verdict"]:
        meant["key"] = {"yes"}
    return meant


def is_written(value: str, row: Mapping[str, str]) -> bool:
    """Return whether a row contains a value of the ledger, in one of its spellings."""
    words = {"ovens": ("ovens", "heat"), "other": ("other", "out of scope"), "yes": ("key",)}
    text = " ".join(" ".join(row.values()).split()).lower()
    return any(word in text for word in words.get(value, (value.lower(),)))


@settings(max_examples=250)
@given(st.integers(0, 2**32).map(damaged_sheet))
def test_each_row_is_applied_or_refused_without_lost_or_invented_decisions(
    damaged: SheetFile,
) -> None:
    applied = apply_sheet(damaged)
    refused = {cell.line for cell in applied.refused}
    applied_rows = {each.row for each in applied.answers}
    filled = {row.row for row in damaged.rows if is_filled(row)}
    assert not refused & applied_rows
    assert applied_rows <= filled <= refused | applied_rows
    assert all(cell.column and cell.actual for cell in applied.refused)

    groups: dict[tuple[str, str, str], set[str]] = {}
    for entry in applied.ledger.entries:
        groups.setdefault((entry.id, entry.facet, entry.reviewer), set()).add(entry.value)
    reported = {(each.paper_id, each.facet, each.reviewer) for each in applied.answers}
    assert set(groups) == reported  # no invented and no lost decision
    for row in damaged.rows:
        mine = [each for each in applied.answers if each.row == row.row]
        for facet, values in oracle(row.cells).items() if mine else ():
            assert groups[mine[0].paper_id, facet, mine[0].reviewer] == values
        for each in mine:
            for value in groups[each.paper_id, each.facet, each.reviewer]:
                assert any(is_written(value, row.cells) for row in damaged.rows)

    faults = ledger_faults(applied.ledger, BAKERY, (), ALIASES, "reviews.csv")
    assert [fault for fault in faults if fault.severity == "error"] == []
    vain = ("this one has none", "This paper is not excluded")
    if any(said in str(cell) for cell in applied.refused for said in vain):
        return  # to be withdrawn was what another row has given only now
    again = apply_sheet(damaged, ledger=applied.ledger)
    assert sorted(again.ledger.entries) == sorted(applied.ledger.entries)
    editor = LedgerEditor(applied.ledger, BAKERY, Versions(), ALIASES, "")
    assert {fault.line for fault in pending_edits(damaged, PENDING_READER, editor)} <= refused


def test_the_damaged_sheets_have_a_useful_share_of_faults() -> None:
    made = [apply_sheet(damaged_sheet(seed)) for seed in range(100)]
    assert sum(len(each.answers) for each in made) > 50
    assert sum(len(each.refused) for each in made) > 50
