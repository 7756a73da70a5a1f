from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier import errors
from classifier.errors import Fault, FieldguideError, InputError, UsageError, condense, sort_faults

FAULT = Fault("error", "papers/list.csv", 3, "an empty title", "a title")


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (FAULT, "papers/list.csv:3: error: found an empty title; expected a title."),
        (
            Fault("warning", "a.yaml", None, "no cue", "at least one", "Write some."),
            "a.yaml: warning: found no cue; expected at least one. Write some.",
        ),
    ],
)
def test_a_fault_names_file_line_found_wanted_and_cure(fault: Fault, text: str) -> None:
    assert str(fault) == text


def test_an_input_error_says_every_fault_on_a_line_of_its_own() -> None:
    other = Fault("error", "b.csv", 1, "no header", "a row of column names")
    error = InputError([FAULT, other])
    assert error.faults == (FAULT, other)
    assert str(error) == f"{FAULT}\n{other}"


def test_faults_in_reading_order() -> None:
    def at(file: str, line: int | None, found: str = "x") -> Fault:
        return Fault("error", file, line, found, "y")

    expected = [at("a", None), at("a", 2), at("a", 10, "q"), at("a", 10, "r"), at("b", 1)]
    assert sort_faults([expected[i] for i in (4, 3, 1, 2, 0)]) == expected


def test_wrong_use_exits_with_two_and_a_fault_of_the_input_with_one() -> None:
    codes = {error.__name__: error.exit_code for error in FieldguideError.__subclasses__()}
    assert codes.pop("UsageError") == UsageError.exit_code == 2
    assert set(codes.values()) == {1}


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    assert errors.__doc__ is not None
    drawn = {line.split()[1] for line in errors.__doc__.splitlines() if line.startswith(("├", "└"))}
    assert drawn == {
        error.__name__
        for error in FieldguideError.__subclasses__()
        if error.__module__ == errors.__name__
    }


def test_of_many_faults_of_one_kind_the_first_are_kept() -> None:
    dates = [Fault("warning", "a.bib", n, f"date '{n}'", "a date", "Drop it.") for n in range(14)]
    other = Fault("warning", "a.bib", 7, "no title", "a title")
    kept = condense([*dates, other], limit=3)
    assert [fault.actual for fault in kept] == snapshot([
        "date '0'", "date '1'", "date '2', and 11 more like this", "no title",
    ])  # fmt: skip
    assert condense([other] * 3, limit=3) == [other] * 3
