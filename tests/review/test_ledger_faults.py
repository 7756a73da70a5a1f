"""Invalid and doubtful rows of the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.papers.paper import Paper
from classifier.review.ledger import read_ledger, scan_ledger
from classifier.review.ledger_check import ledger_faults
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_id

RYE, OLD_RYE, STEAM = "arxiv:2401.10230", "p-0123456789", "arxiv:2312.00001"
PAPERS = (Paper("Rye at Night", id=RYE), Paper("Steam, Briefly", id=STEAM))
ALIASES = {OLD_RYE: RYE, title_id("Rye by Night"): RYE}
HEADER = "id,title,facet,value,primary,reviewer,reviewed_on,drawn_by,taxonomy_digest,note"


@pytest.fixture(scope="module")
def bread() -> Taxonomy:
    """At most two topics, one of them out of scope; a single and a multi facet after it."""
    topics = [
        {"id": "dough", "name": "Dough & starter", "children": [{"id": "dough/rye"}]},
        {"id": "ovens", "aliases": ["heat"]},
        {"id": "light"},
        {"id": "other", "out_of_scope": True},
    ]
    return Taxonomy.model_validate(
        {
            "survey": {"title": "Bread"},
            "facets": {
                "topic": {"kind": "multi", "at_most": 2, "categories": topics},
                "kind": {"kind": "single", "categories": [{"id": "trial"}, {"id": "guide"}]},
                "grain": {"kind": "multi", "categories": [{"id": "spelt"}, {"id": "wheat"}]},
            },
        }
    )


def faults(folder: Path, taxonomy: Taxonomy, rows: str) -> list[str]:
    """Return the messages about `rows` below the header, without the file name."""
    path = folder / "reviews.csv"
    path.write_text(f"{HEADER}\n{rows}\n", encoding="utf-8")
    found = ledger_faults(
        read_ledger(path, "reviews.csv"), taxonomy, PAPERS, ALIASES, "reviews.csv"
    )
    return [str(fault).removeprefix("reviews.csv:") for fault in found]


def of_rye(*cells: str) -> str:
    """Return one row per cell list `facet,value,primary`, all of one reviewer, date and paper."""
    return "\n".join(f"{RYE},Rye at Night,{cell},Ada,2025-03-01,audit,," for cell in cells)


SOUND = {
    "two topics and one kind": of_rye("topic,dough,yes", "topic,ovens,", "kind,trial,"),
    "a child beside its parent": of_rye("topic,dough,yes", "topic,dough/rye,", "topic,ovens,no"),
    "one topic without primary": of_rye("topic,Dough & Starter,"),
    "two grains without primary": of_rye("grain,spelt,", "grain,wheat,"),
    "the same value twice": of_rye("kind,trial,", "kind,Trial,"),
    "what is no bread": of_rye("topic,other,yes"),
    "an older id": f"{OLD_RYE},Rye at Night,topic,dough,yes,Ada,2025-03-01,,,",
    "the title of a merged record": f"{RYE},Rye by Night,topic,dough,yes,Ada,2025-03-01,,,",
    "a title in another case": f"{RYE},RYE: at night?,topic,dough,yes,Ada,2025-03-01,,,",
    "no title": f"{RYE},,topic,dough,yes,Ada,2025-03-01,,,",
    "two decisions of a reviewer": f"{RYE},,kind,trial,,Ada,2025-03-01,,,\n"
    f"{RYE},,kind,guide,,Ada,2025-03-02,,,",
    "two reviewers who agree": f"{RYE},,topic,ovens,,Ada,2025-03-01,,,\n"
    f"{RYE},,topic,heat,yes,Bo,2025-03-01,,,",
    "the same primary twice": of_rye("topic,dough,yes", "topic, DOUGH,yes", "topic,ovens,"),
    "two reviewers, adjudicated": f"{RYE},,kind,trial,,Ada,2025-03-01,,,\n"
    f"{RYE},,kind,guide,,Bo,2025-03-01,,,\n{RYE},,kind,guide,,adjudicated,2025-03-01,,,",
    "a reviewer who came round to what was adjudicated": f"{RYE},,kind,trial,,Ada,2025-03-01,,,\n"
    f"{RYE},,kind,guide,,adjudicated,2025-03-02,,,\n{RYE},,kind,guide,,Ada,2025-03-03,,,",
    "editorial acts": f"{RYE},,exclude,a talk,,Ada,2025-03-01,,,\n"
    f"{RYE},,exclude,,,Ada,2025-03-02,,,\n{RYE},,key,Yes,,Ada,2025-03-01,,,\n"
    f"{RYE},,key,,,Ada,2025-03-02,,,\n{RYE},,remark,read,,Ada,2025-03-01,,,\n"
    f"{RYE},,remark,so,,Bo,2025-03-01,,,",
    "two reviewers, settled later": f"{RYE},,kind,trial,,Ada,2025-03-01,,,\n"
    f"{RYE},,kind,guide,,Bo,2025-03-01,,,\n{RYE},,kind,guide,,Ada,2025-03-02,,,",
}


@pytest.mark.parametrize("rows", SOUND.values(), ids=SOUND)
def test_a_valid_ledger_has_no_faults(tmp_path: Path, bread: Taxonomy, rows: str) -> None:
    assert faults(tmp_path, bread, rows) == []


ONE = "expected one per paper, facet, date and reviewer"
UNUSED = "The row is kept and not used"

FAULTY = {
    "a second primary": (
        of_rye("topic,dough,yes", "topic,ovens,YES"),
        f"3: error: found a second primary (first on line 2); {ONE}. Empty the cell of all but "
        "one.",
    ),
    "a second primary under an older id": (
        of_rye("topic,dough,yes")
        + f"\n{OLD_RYE},Rye at Night,topic,ovens,yes,Ada,2025-03-01,audit,,",
        f"3: error: found a second primary (first on line 2); {ONE}. Empty the cell of all but "
        "one.",
    ),
    "two values of a single facet": (
        of_rye("kind,guide,", "kind,trial,"),
        f"2: error: found 2 values of facet kind (lines 2, 3); {ONE}. Delete all but one of the "
        "rows.",
    ),
    "too many topics": (
        of_rye("topic,dough/rye,yes", "topic,ovens,", "topic,light,"),
        "2: error: found 3 top categories of facet topic (lines 2, 3, 4); expected at most 2 per paper, date and reviewer. Set `at_most: 3` in the taxonomy, or delete rows.",
    ),
    "no bread, and dough": (
        of_rye("topic,dough,", "topic,other,yes"),
        "3: error: found 'other' together with another category (lines 2, 3); expected 'other' alone, for a paper that is out of scope.",
    ),
    "several topics without primary": (
        of_rye("topic,light,", "topic,ovens,no"),
        "2: warning: found no primary among 2 categories (lines 2, 3); expected yes on one of the "
        "rows. The paper is filed under 'ovens', the first in the taxonomy's order.",
    ),
    "an id that no paper has, in two rows": (
        "banana,Rye at Night,topic,dough,yes,Ada,2025-03-01,,,\n"
        "banana,Rye,exclude,a talk,,Ada,2025-03-01,,,",
        f"2: warning: found id 'banana' of 'Rye at Night'; expected the id of a paper. {UNUSED}; if it "
        "has another id now, add that to taxonomy/identity.csv; else restore the paper, or delete "
        "the row if you removed the paper.",
    ),
    "a paper whose title was changed": (
        "p-1111111111,Rye at Nights,topic,dough,yes,Ada,2025-03-01,,,",
        "2: warning: found id 'p-1111111111' of 'Rye at Nights'; expected the id of a paper. "
        f"{UNUSED}; if it has another id now, add that to "
        "taxonomy/identity.csv; else restore the paper, or delete the row if you removed the paper.",
    ),
    "a paper that lost its subtitle": (
        "p-1111111111,Rye at Night: Loaves Baked Late,topic,dough,yes,Ada,2025-03-01,,,",
        "2: warning: found id 'p-1111111111' of 'Rye at Night: Loaves Baked Late'; expected the id "
        f"of a paper. {UNUSED}; if it has another id now, add that to "
        "taxonomy/identity.csv; else restore the paper, or delete the row if you removed the paper.",
    ),
    "the title of another paper, in two rows": (
        f"{STEAM},Rye at Night,topic,dough,yes,Ada,2025-03-01,,,\n"
        f"{STEAM},Rye at Night,kind,trial,,Ada,2025-03-01,,,",
        f"2: warning: found the title 'Rye at Night'; expected 'Steam, Briefly', the title of "
        f"{STEAM}. Check the id: the decision counts for the paper with that id.",
    ),
    "no reviewer": (
        f"{RYE},,topic,dough,yes,,2025-03-01,,,",
        "2: notice: found an empty reviewer; expected the name of the reviewer.",
    ),
    "no date": (
        f"{RYE},,topic,dough,yes,Ada,,,,",
        "2: notice: found an empty reviewed_on; expected a date such as 2025-06-01. Every dated decision counts as newer.",
    ),
    "an unknown draw": (
        f"{RYE},,topic,dough,yes,Ada,2025-03-01,Audits,,",
        "2: notice: found drawn_by 'Audits'; expected one of queue, audit, volunteer, imported, or "
        "an empty cell. Did you mean 'audit'?",
    ),
    "an unknown facet": (
        f"{RYE},,topics,dough,yes,Ada,2025-03-01,,,",
        "2: warning: found facet 'topics'; expected one of topic, kind, grain, exclude, remark, key, "
        "note. Did you mean 'topic'?",
    ),
    "an unknown value": (
        f"{RYE},,topic,lihgt,yes,Ada,2025-03-01,,,",
        "2: warning: found value 'lihgt'; expected a category of facet topic. Did you mean 'light'? "
        f"{UNUSED}; list the old id under `aliases` of the category that replaced it.",
    ),
    "an unknown value, in two rows": (
        f"{RYE},,topic,lihgt,yes,Ada,2025-03-01,,,\n{STEAM},,topic,lihgt,yes,Ada,2025-03-01,,,",
        "2: warning: found value 'lihgt' in 2 rows; expected a category of facet topic. Did you mean 'light'? The rows are kept and not used; list the old id under `aliases` of the category that replaced it.",
    ),
    "a key that says neither yes nor nothing": (
        f"{RYE},,key,no,,Ada,2025-03-01,,,",
        "2: warning: found key 'no'; expected yes, or an empty cell, which withdraws it. The row has no effect.",
    ),
    "two remarks of one reviewer and date": (
        f"{RYE},,remark,old hat,,Ada,2025-03-01,,,\n{OLD_RYE},,remark,new hat,,Ada,2025-03-01,,,",
        "3: warning: found a second remark (first on line 2); expected one per paper, facet, date and reviewer. Delete all but one of the rows; the last one in alphabetical order is used.",
    ),
    "two reviewers of one date": (
        f"{RYE},,topic,dough,yes,Ada,2025-03-01,,,\n"
        f"{RYE},,topic,dough,,Bo,2025-03-01,,,\n{RYE},,topic,light,yes,Bo,2025-03-01,,,",
        "2: notice: found 'dough' by Ada and 'light; dough' by Bo for facet topic of one paper on one date; expected one answer. The earlier decision is used; `fieldguide review agreement` writes a sheet to settle it.",
    ),
    "another answer after it was adjudicated": (
        f"{RYE},,kind,guide,,adjudicated,2025-03-01,,,\n{RYE},,kind,trial,,Bo,2025-03-02,,,",
        "3: notice: found 'trial' by Bo and 'guide' by adjudicated for facet kind of one paper although adjudicated on 2025-03-01; expected one answer. The adjudicated decision is used; adjudicate again to change it.",
    ),
    "two primaries of one date": (
        f"{RYE},,topic,dough,yes,Ada,2025-03-01,,,\n{RYE},,topic,light,,Ada,2025-03-01,,,\n"
        f"{RYE},,topic,dough,,Bo,2025-03-01,,,\n{RYE},,topic,light,yes,Bo,2025-03-01,,,",
        "2: notice: found 'dough; light' by Ada and 'light; dough' by Bo for facet topic of one paper on one date; expected one answer. The earlier decision is used; `fieldguide review agreement` writes a sheet to settle it.",
    ),
}


@pytest.mark.parametrize(("rows", "message"), FAULTY.values(), ids=FAULTY)
def test_each_problem_of_a_ledger_is_reported_once(
    tmp_path: Path, bread: Taxonomy, rows: str, message: str
) -> None:
    assert faults(tmp_path, bread, rows) == [message]


def test_a_correction_on_the_day_of_the_import_is_not_a_conflict(
    tmp_path: Path, bread: Taxonomy
) -> None:
    day = "2025-03-01"
    rows = f"{RYE},,topic,dough,yes,ada,{day},,,\n{RYE},,topic,light,yes,imported,{day},,,"
    assert faults(tmp_path, bread, rows) == []


def test_all_faults_are_reported_in_the_order_of_lines(tmp_path: Path, bread: Taxonomy) -> None:
    rows = of_rye("kind,trial,", "kind,guide,", "topic,dough,yes", "topic,ovens,yes")
    found = faults(tmp_path, bread, f"{rows}\nbanana,,topic,cake,,,,dice,,")
    assert [message.partition(";")[0] for message in found] == snapshot(
        [
            "2: error: found 2 values of facet kind (lines 2, 3)",
            "5: error: found a second primary (first on line 4)",
            "6: notice: found an empty reviewed_on",
            "6: notice: found an empty reviewer",
            "6: notice: found drawn_by 'dice'",
            "6: warning: found id 'banana'",
            "6: warning: found value 'cake'",
        ]
    )


def test_an_invalid_date_does_not_hide_other_faults(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    good = f"{RYE},,topic,dough,yes,Ada,2025-03-01,,,"
    path.write_text(f"{HEADER}\n{RYE},,topic,ovens,,Ada,2025-13-01,,,\n{good}\n", encoding="utf-8")
    ledger, faults = scan_ledger(path, "reviews.csv")
    assert [entry.value for entry in ledger.entries] == ["dough"]
    assert [fault.actual for fault in faults] == ["reviewed_on '2025-13-01'"]


def test_a_header_repeated_by_a_merge_is_reported_with_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text(f"{HEADER}\n{HEADER}\n", encoding="utf-8")
    _, faults = scan_ledger(path, "reviews.csv")
    assert list(map(str, faults)) == snapshot(
        [
            "reviews.csv:2: error: found the header a second time; expected the header in the first line only. A merge of two branches repeated it: delete this line."
        ]
    )
