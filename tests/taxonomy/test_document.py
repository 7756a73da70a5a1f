from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.taxonomy import document
from classifier.taxonomy.document import Node, parse_document


def parse(text: str) -> Node:
    node, faults = parse_document(text, "x.yaml")
    assert faults == []
    return node


def stop(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_document(text, "x.yaml")
    return str(caught.value)


def test_scalars_are_kept_as_typed() -> None:
    node = parse("[1.10, 0x1F, no, 2025-01-02, true, ~, 'null', 012, 1_000, .5, .inf, 1e3, '']")
    kinds = [(item.text, item.kind) for item in node.items]
    assert kinds == [
        ("1.10", "number"),
        ("0x1F", "number"),
        ("no", "text"),
        ("2025-01-02", "text"),
        ("true", "flag"),
        ("~", "nothing"),
        ("null", "text"),
        ("012", "number"),
        ("1_000", "text"),
        (".5", "number"),
        (".inf", "number"),
        ("1e3", "number"),
        ("", "text"),
    ]


def test_every_node_knows_its_line() -> None:
    node = parse("one: 1\ntwo:\n  - a\n  -\n  - |\n    text\nthree:\n\nfour: 4\n")
    assert [key.line for key, _ in node.pairs] == [1, 2, 7, 9]
    assert [item.line for item in node.at(("two",)).items] == [3, 4, 5]
    assert node.at(("three",)).line == 7
    assert node.at(("two", 9, "nowhere")).line == 3


def test_lines_are_counted_as_editors_count_them() -> None:
    assert parse('a: "x\u2028y"\nb: c\n').at(("b",)).line == 2


def test_values() -> None:
    node = parse("{a: [1, -2, true, ~, x], b: {c: ''}}")
    assert node.value() == {"a": [1, -2, True, None, "x"], "b": {"c": ""}}


def test_a_number_of_any_length_is_read() -> None:
    assert parse("9" * 5000).kind == "number"
    assert parse("9" * 5000).value() != 9


def test_an_alias_stands_where_its_anchor_does() -> None:
    node = parse("a: &x {b: c}\nd: *x\n")
    assert node.value() == {"a": {"b": "c"}, "d": {"b": "c"}}
    assert node.at(("d",)).line == 1


def test_an_alias_inside_its_own_anchor_is_refused() -> None:
    assert "found the alias '*x' without an anchor before it" in stop("a: &x [*x]\n")


def test_aliases_that_unfold_without_end_are_refused() -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    assert stop("\n".join(levels)) == (
        snapshot(
            "x.yaml:6: error: found aliases that expand to too many values; expected at most 500,000 values."
        )
    )


def test_deep_nesting_is_refused() -> None:
    inside = "[" * 25 + "x" + "]" * 25
    assert "more than 40 levels" in stop(f"- &a {inside}\n- {'[' * 25}*a{']' * 25}\n")
    assert stop("[" * 100_000) == (
        snapshot("x.yaml:1: error: found more than 40 levels; expected a flatter document.")
    )


def test_a_huge_document_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_CHARACTERS", 10)
    assert stop("- 123456789") == (
        snapshot("x.yaml:1: error: found 11 characters; expected at most 10. Split the file.")
    )


def test_a_control_character_is_named() -> None:
    assert stop("a: b\nc: \x07\n") == (
        snapshot(
            "x.yaml:2: error: found the control character U+0007; expected printable text. "
            "Delete it, or write it as an escape inside double quotes."
        )
    )
