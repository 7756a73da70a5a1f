"""Two evaluations paired: real drops fail, chance and growth do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from classifier.errors import InputError
from classifier.evaluation.comparison import (
    QualityComparison,
    compare_quality,
    comparison_report,
)
from classifier.evaluation.outcome import Outcomes, outcomes_json, read_outcomes
from classifier.evaluation.report import markdown, text_lines
from classifier.files.json_text import json_bytes
from classifier.labelling.labels import Decision, FacetLabels, PaperLabels
from classifier.taxonomy.model import Category, Facet, Survey, Taxonomy


def lines_of(*told: Any, **options: Any) -> list[str]:
    return text_lines(comparison_report(*told, **options))


TAXONOMY = Taxonomy(
    survey=Survey(title="Gardens"),
    facets={
        "topic": Facet(
            id="topic",
            kind="multi",
            categories=[
                Category(id="soil", name="Soil", aliases=["earth"], core=True),
                Category(id="seed", name="Seed", core=True),
            ],
        )
    },
)


def outcomes(papers: str, *, truth: str = "soil") -> Outcomes:
    """Return outcomes of `title: category` lines, each paper of which truly is `truth`."""
    given = dict(line.strip().split(": ") for line in papers.strip().splitlines())
    return Outcomes(
        {paper: {"topic": Decision((truth,), truth)} for paper in given},
        (
            {
                paper: PaperLabels(
                    paper, {"topic": FacetLabels((label,), label, 0.5, "confident", {})}
                )
                for paper, label in given.items()
            },
        ),
        {paper: f"On {paper}" for paper in given},
    )


def many(right: int, wrong: int, start: int = 0) -> str:
    """Return so many papers filed rightly, and behind them so many filed wrongly."""
    labels = ["soil"] * right + ["seed"] * wrong
    return "\n".join(f"paper {start + n:02}: {label}" for n, label in enumerate(labels))


def compared(before: str, now: str, most_drop: float | None = None) -> QualityComparison:
    return compare_quality(TAXONOMY, outcomes(before), outcomes(now), most_drop=most_drop)


# before: right wrong; now: right wrong; the figures that fail
CASES = """
20 0  20 0
10 10 20 0
20 0  18 2
20 0  17 3
20 0  16 4   core primary
20 0  10 10  core primary
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_a_drop_fails_where_chance_does_not_explain_it(case: str) -> None:
    words = case.split()
    before, now = (many(*map(int, words[at : at + 2])) for at in (0, 2))
    assert [each.name for each in compared(before, now).failures] == words[4:]


def test_a_drop_that_may_be_chance_fails_beyond_a_bound_of_the_users() -> None:
    before, now = many(20, 0), many(18, 2)
    assert compared(before, now, most_drop=0.2).failures == ()
    assert [each.name for each in compared(before, now, most_drop=0.05).failures] == [
        "core", "primary",
    ]  # fmt: skip


def test_papers_that_one_side_scored_or_that_were_decided_anew_do_not_count() -> None:
    grown = compared(many(10, 0), many(10, 0) + "\n" + many(0, 30, start=10))
    assert (grown.papers, grown.left_out, grown.failures) == (10, 30, ())
    decided_anew = compare_quality(
        TAXONOMY, outcomes(many(10, 0)), outcomes(many(10, 0), truth="seed")
    )
    assert (decided_anew.papers, decided_anew.left_out) == (0, 10)
    assert lines_of(decided_anew) == [
        "Quality cannot be compared: no paper is scored on both sides with the same truth."
    ]


def test_a_category_that_one_side_does_not_know_hides_no_drop() -> None:
    """Decisions are older than the category that a pull request adds: they say nothing of it."""
    before, now = outcomes(many(20, 0)), outcomes(many(16, 4))
    silent = {
        paper_id: {"topic": replace(decided["topic"], unknown=("seed",))}
        for paper_id, decided in now.truth.items()
    }
    for sides in ((before, replace(now, truth=silent)), (replace(before, truth=silent), now)):
        found = compare_quality(TAXONOMY, *sides)
        assert (found.papers, found.left_out) == (20, 0)
        assert [each.name for each in found.failures] == ["core"]
        assert found.outcomes == ()  # that it is no seed nobody has said


def test_the_papers_that_got_worse_are_named_with_what_was_and_is() -> None:
    lines = text_lines(
        comparison_report(compared("a: soil\nb: seed\nc: soil", "a: seed\nb: soil\nc: soil"))
    )
    assert lines[0] == "Quality did not drop, on the 3 papers scored by both."
    assert lines[-2:] == [
        "Worse now: 1 label; better now: 1",
        "  topic: soil → seed, right is soil: “On a” (a)",
    ]


def test_nothing_in_a_title_is_markup() -> None:
    now = outcomes("a: seed")
    hostile = Outcomes(now.truth, now.rounds, {"a": "<img src=x>\n::error::`@ada` #1"})
    text = markdown(comparison_report(compare_quality(TAXONOMY, outcomes("a: soil"), hostile)))
    assert "&lt;img src=x&gt; ::error::\\`@<!-- -->ada\\` #<!-- -->1" in text


def test_outcomes_come_back_from_json_under_todays_names(tmp_path: Path) -> None:
    file = tmp_path / "main.json"
    file.write_bytes(json_bytes({"outcomes": outcomes_json(outcomes("a: earth", truth="earth"))}))
    read = read_outcomes(file, TAXONOMY)
    assert read.truth["a"]["topic"].primary == "soil"
    assert read.rounds[0]["a"].facets["topic"].categories == ("soil",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "found another file; wanted a file of `fieldguide evaluate --json`."),
        (
            '{"cross_validated": true}',
            "found figures without outcomes; wanted a file of `fieldguide evaluate --json`. "
            "An earlier version wrote it, without what is needed to pair: write it anew.",
        ),
    ],
)
def test_a_file_without_outcomes_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "main.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_outcomes(file, TAXONOMY)
    assert str(refused.value) == f"{file}: error: {message}"
