"""Read the cells verdict, exclude and remark in any spelling."""

from __future__ import annotations

import pytest

from classifier.review.acts import is_approved, row_acts, split_verdict, verdict_faults


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        ("", ()),
        ("ok", ("ok",)),
        (" OK. ", ("ok",)),
        ("ok; KEY", ("ok", "key")),
        ("ok, not  key\nok!", ("ok", "not key")),
        ("“ok”", ("ok",)),
        ("; ,", ()),
    ],
)
def test_a_verdict_is_split_into_parts(cell: str, parts: tuple[str, ...]) -> None:
    assert split_verdict({"verdict": cell}) == parts
    assert is_approved({"verdict": cell}) == ("ok" in parts)


def test_a_row_without_the_columns_has_no_acts() -> None:
    assert split_verdict({}) == ()
    assert list(verdict_faults({})) == []
    assert row_acts({}) == ([], [])


@pytest.mark.parametrize(
    ("cell", "refused"),
    [
        ("ok; key", ""),
        ("not key", ""),
        (" ", ""),
        (";", "verdict: found ';'; expected ok, key, not key, withdraw, or an empty cell. Write ok to approve "
              "exactly the labels of the row. To correct them, fill the review_ columns and leave verdict empty."),
        ("okay", "verdict: found 'okay'; expected ok, key, not key, withdraw, or an empty cell. Write ok to "
                 "approve exactly the labels of the row. To correct them, fill the review_ columns and leave "
                 "verdict empty."),
        ("Excluded", "verdict: found 'Excluded'; expected ok, key, not key, withdraw, or an empty cell. To "
                     "exclude the paper, write the reason into the column exclude."),
        ("key; not key", "verdict: found 'key; not key'; expected ok, key, not key, withdraw, or an empty "
                         "cell. Delete one of the two."),
    ],
)  # fmt: skip
def test_an_invalid_verdict_is_a_fault(cell: str, refused: str) -> None:
    assert " ".join(map(str, verdict_faults({"verdict": cell}))) == refused


REASON = "expected a reason in words, which is published (or withdraw)."
REMARK = "expected a remark in words, which is published (or withdraw)."
# What is typed, what it says, or why it is refused.
ACTS = """
verdict=key                   → key: yes
verdict=not key               → key:
exclude=cakes  only           → exclude: cakes only
exclude=论文                   → exclude: 论文
exclude=Withdraw.             → exclude:
exclude=undo                  → exclude:
exclude=No!                   → exclude:
exclude=keep                  → exclude:
exclude=include               → exclude:
exclude=withdrawl             → exclude: found 'withdrawl'; REASON Write withdraw to withdraw it, or more than one word.
exclude=incldue               → exclude: found 'incldue'; REASON Write include to withdraw it, or more than one word.
exclude=keeper of bees        → exclude: keeper of bees
exclude=yes                   → exclude: found 'yes'; REASON
exclude=TRUE                  → exclude: found 'TRUE'; REASON
exclude=okay                  → exclude: found 'okay'; REASON
exclude=excluded              → exclude: found 'excluded'; REASON
exclude=delete                → exclude: found 'delete'; REASON
exclude=remove                → exclude: found 'remove'; REASON
exclude=drop                  → exclude: found 'drop'; REASON
exclude=out                   → exclude: found 'out'; REASON
exclude=not                   → exclude: found 'not'; REASON
exclude=none                  → exclude: found 'none'; REASON
exclude=false                 → exclude: found 'false'; REASON
exclude=maybe                 → exclude: found 'maybe'; REASON
exclude=#NAME?                → exclude: found '#NAME?'; REASON The spreadsheet read it as a formula: write it again and start with a word.
remark=Err:508                → remark: found 'Err:508'; REMARK The spreadsheet read it as a formula: write it again and start with a word.
remark=#NAME? is an error     → remark: #NAME? is an error
exclude=ab 12                 → exclude: found 'ab 12'; REASON
remark=Read on.               → remark: Read on.
remark=withdrawn              → remark:
remark=withdraw               → remark:
remark=undo                   → remark:
remark=keep                   → remark: keep
remark=no                     → remark: found 'no'; REMARK
remark=1                      → remark: found '1'; REMARK
"""


@pytest.mark.parametrize("line", ACTS.strip().splitlines())
def test_the_acts_of_a_row(line: str) -> None:
    typed, _, expected = (part.strip() for part in line.partition("→"))
    column, _, cell = typed.partition("=")
    answers, refusals = row_acts({column: cell})
    found = [f"{answer.facet}: {answer.values[0]}".strip() for answer in answers]
    found += [str(refusal) for refusal in refusals]
    assert found == [expected.replace("REASON", REASON).replace("REMARK", REMARK)]


def test_acts_have_a_fixed_order_and_all_faults_are_reported() -> None:
    cells = {"remark": "Read on.", "exclude": "cakes only", "verdict": "key"}
    assert [answer.facet for answer in row_acts(cells)[0]] == ["key", "exclude", "remark"]
    refusals = row_acts({"remark": "1", "exclude": "x"})[1]
    assert [refusal.column for refusal in refusals] == ["exclude", "remark"]
