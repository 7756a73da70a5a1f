"""Changes as text for a terminal and for a pull request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.evaluation.report import markdown_report, text_lines
from classifier.survey.changes.compare import Changes, Move, Reason, compare
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper
from classifier.survey.changes.report import (
    changes_report,
    changes_summary,
    label_change,
    move_tables,
)


def lines_of(*told: Any, **options: Any) -> list[str]:
    return text_lines(changes_report(*told, **options))


def labels(*categories: str, status: str = "confident") -> PublishedLabels:
    return PublishedLabels(categories, categories[0], status, 0.76)


def published(*papers: PublishedPaper) -> Publication:
    return Publication("build", {paper.id: paper for paper in papers}, "topic")


def pond(number: int, title: str, *topics: str, status: str = "confident") -> PublishedPaper:
    given_labels = {"topic": labels(*topics, status=status)}
    return PublishedPaper(f"p-{number}", title, given_labels, "t", "c")


OLD = published(pond(1, "On Frogs", "frogs"), pond(2, "Tall Reeds", "reeds"), pond(3, "Mud", "mud"))
NEW = published(
    pond(1, "On Frogs", "newts", "frogs"),
    pond(2, "Tall Reeds", "reeds", "mud", status="reviewed"),
    pond(4, "Rain", "rain"),
)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (labels("a"), labels("b"), "a → b (0.76)"),
        (labels("a"), labels("b", "a"), "a → b, a stays (0.76)"),
        (labels("a", "b", "c"), labels("b", "d"), "a → b, +d −c (0.76)"),
        (labels("a", "b"), labels("a", status="reviewed"), "−b"),
        (None, labels("a", "b"), "nothing → a; b (0.76)"),
        (labels("a", status="reviewed"), None, "a → nothing"),
    ],
)
def test_a_change_is_printed_in_one_line(
    before: PublishedLabels | None, now: PublishedLabels | None, told: str
) -> None:
    assert label_change(before, now) == told


@pytest.mark.parametrize("reason", ["human", "taxonomy", "text", "model"])
def test_changes_by_people_and_taxonomy_have_details(reason: Reason) -> None:
    move = Move("p-1", "On Frogs", "topic", labels("a"), labels("b"), reason, "ada")
    (section,) = move_tables([move])
    detailed = reason in ("human", "taxonomy")
    assert section.columns == ("paper", "facet", "change", "title", *(["why"] * detailed))
    assert section.rows == (("p-1", "topic", "a → b (0.76)", "On Frogs", *(["ada"] * detailed)),)


def test_tables_in_a_terminal_are_aligned() -> None:
    assert lines_of(compare(OLD, NEW)) == snapshot(
        [
            "3 papers; 1 added, 1 dropped, 2 labels moved (1 human, 1 model).",
            "",
            "Labels moved: a person decided (human)",
            "  paper  facet  change  title       why",
            "  p-2    topic  +mud    Tall Reeds  a decision is new",
            "",
            "Labels moved: the classifier learned otherwise (model)",
            "  paper  facet  change                             title",
            "  p-1    topic  frogs → newts, frogs stays (0.76)  On Frogs",
            "",
            "Papers added",
            "  paper  labels       title",
            "  p-4    rain (0.76)  Rain",
            "",
            "Papers dropped",
            "  paper  labels      title",
            "  p-3    mud (0.76)  Mud",
        ]
    )


def many(number: int, title: str = "On Frogs") -> Changes:
    old = [pond(n, title, "frogs") for n in range(number)]
    return compare(published(*old), published(*(pond(n, title, "newts") for n in range(number))))


def test_a_long_table_is_cut_and_counted() -> None:
    lines = lines_of(many(25))
    assert len(lines) == 1 + 1 + 2 + 20 + 1
    assert lines[-1] == "  … and 5 more"


def test_nothing_changed() -> None:
    assert lines_of(compare(OLD, OLD)) == ["Nothing changed: 3 papers."]
    assert markdown_report(changes_report(compare(OLD, OLD))) == (
        snapshot("## What changed in the survey\n\n**Nothing changed: 3 papers.**\n")
    )


def test_markdown_has_a_summary_and_folded_tables() -> None:
    text = markdown_report(changes_report(compare(OLD, NEW)))
    assert text.startswith(
        "## What changed in the survey\n\n"
        "**3 papers; 1 added, 1 dropped, 2 labels moved (1 human, 1 model).**\n\n"
        "<details><summary>Labels moved: a person decided (human)</summary>\n\n"
        "| paper | facet | change | title | why |\n"
        "|---|---|---|---|---|\n"
        "| p-2 | topic | +mud | Tall Reeds | a decision is new |\n\n"
        "</details>\n"
    )
    assert text.count("<details>") == text.count("</details>") == 4


def test_markup_and_mentions_in_titles_are_escaped() -> None:
    text = markdown_report(
        changes_report(many(1, "A|B <script> @ada *see* [x](y) #12 `c`\n\n## End"))
    )
    (row,) = (line for line in text.splitlines() if line.startswith("| p-0"))
    assert row == (
        snapshot(
            "| p-0 | topic | frogs → newts (0.76) | A\\|B &lt;script&gt; @<!-- -->ada \\*see\\* "
            "\\[x\\](y) #<!-- -->12 \\`c\\` ## End |"
        )
    )


@given(st.integers(0, 60), st.integers(600, 4000))
def test_markdown_has_a_maximum_length(number: int, longest: int) -> None:
    text = markdown_report(changes_report(many(number, "Öl und Frösche")), longest)
    assert len(text.encode()) <= longest
    shown = sum(line.startswith("| p-") for line in text.splitlines())
    assert ("… and" in text) == (shown < number)
    if shown < number:
        assert f"… and {number - shown} more" in text


def test_the_summary_counts_each_kind_of_change() -> None:
    assert changes_summary(compare(OLD, replace(OLD, papers={}))) == snapshot(
        "3 → 0 papers; 3 dropped, no label moved"
    )
    assert changes_summary(many(1)) == snapshot("1 paper; 1 label moved (1 model)")
