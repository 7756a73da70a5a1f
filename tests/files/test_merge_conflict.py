"""A file with the marks that git leaves says so, with the lines of each conflict."""

from __future__ import annotations

from inline_snapshot import snapshot

from classifier.files.reading import conflict_faults

TWO = """id,value
<<<<<<< HEAD
a,1
=======
a,2
>>>>>>> branch
b,1
<<<<<<< HEAD
||||||| base
=======
>>>>>>> branch
"""


def test_each_conflict_is_named_with_its_lines() -> None:
    first, second = conflict_faults(TWO.splitlines(), "taxonomy/reviews.csv")
    assert str(first) == (
        snapshot(
            "taxonomy/reviews.csv:2: error: found an unresolved Git merge conflict, lines 2 to 6; expected the lines of one side, or of both. Keep the correct lines of one side or both, delete the three marker lines, and commit."
        )
    )
    assert second.line == 8


def test_marks_that_are_not_all_there_are_no_conflict() -> None:
    assert conflict_faults(["<<<<<<< a", ">>>>>>> b"], "x") == []
    assert conflict_faults([">>>>>>> b", "=======", "<<<<<<< a"], "x") == []
