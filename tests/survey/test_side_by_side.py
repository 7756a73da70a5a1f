"""Comparable numbers of several papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.survey.document import Table
from classifier.survey.entry import SurveyPaper
from classifier.survey.sections.numbers import numbers_sections
from classifier.survey.side_by_side import comparable_levels, disagreements, saving_phase, savings
from classifier.survey.survey import Survey

MakeEntry = Callable[..., SurveyPaper]


def named(entry: SurveyPaper, title: str) -> SurveyPaper:
    return replace(entry, paper=replace(entry.paper, title=title))


def papers(make_entry: MakeEntry) -> list[SurveyPaper]:
    texts = {
        "Digger: Deep": "Digger reaches 70% accuracy on Worm count.",
        "Raker: Wide": "on Worm count Raker gets 64%, against 55% for the older system Digger.",
        "Hoer: Slow": "Hoer reaches 41% accuracy on Worm count.",
        "Hoer: Part": "Hoer reaches 99% accuracy on a random subset of Worm count.",
        "Hoer: Two": "the wide and narrow hoes each reach 43% accuracy on Worm count.",
    }
    return [
        named(make_entry(number, "soil", text=f"Presents a tool. Results show that {text}"), title)
        for number, (title, text) in enumerate(texts.items(), 1)
    ]


def test_levels_need_three_papers_that_report_one(make_entry: MakeEntry) -> None:
    entries = papers(make_entry)
    found = comparable_levels(entries)["Worm count"]
    assert [result.cell_text for _, result in found] == snapshot(
        [
            "70 % on Worm count",
            "64 % on Worm count",
            "41 % on Worm count",
        ]
    )
    assert comparable_levels(entries[:2]) == {}


def test_a_disagreement_has_the_sentences_of_both_papers(
    make_entry: MakeEntry, survey_of: Callable[..., Survey]
) -> None:
    entries = papers(make_entry)
    (found,) = disagreements(entries)
    assert (found.system, found.own[1].value, found.other[1].value) == ("Digger", "70", "55")
    (section,) = numbers_sections(survey_of(entries))
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert "on Worm count, the only benchmark" in table.caption
    assert table.columns == ("Level", "Paper", "The sentence")
    assert [(row[0], row[2]) for row in table.rows] == snapshot(
        [
            ("70 %", "Results show that Digger reaches 70% accuracy on Worm count"),
            (
                "64 %",
                "Results show that on Worm count Raker gets 64%, against 55% for the older system "
                "Digger",
            ),
            ("41 %", "Results show that Hoer reaches 41% accuracy on Worm count"),
        ]
    )
    told = [sentence.text for sentence in section.blocks[1].sentences]  # type: ignore[union-attr]
    assert told[0].startswith(
        "Two papers report different numbers for Digger on Worm count. Its own paper: Results show"
    )
    assert "against 55% for the older system Digger (*Raker*" in told[1]


def test_a_paper_may_have_another_name_for_its_system_than_others(
    make_entry: MakeEntry,
) -> None:
    digger, *others = papers(make_entry)
    (level,) = digger.results
    renamed = replace(digger, results=(replace(level, system="Spade"),))
    (found,) = disagreements([renamed, *others])
    assert (found.system, found.own[1].system, found.other[1].value) == ("Digger", "Spade", "55")


def test_savings_are_grouped_by_resource(
    make_entry: MakeEntry, survey_of: Callable[..., Survey]
) -> None:
    texts = [
        "Digger lowers latency by 50% and cost by 90% against Raker.",
        "Digger improves accuracy by 10% with 40% fewer tokens.",
        "Digger gives a 1.5x speedup over Raker.",
        "Diggers use tools 24% less while accuracy improves by 37%.",
        "Several diggers progress faster and reach a 13.7% relative improvement over the baseline.",
    ]
    entries = [
        make_entry(number, "soil", text=f"Presents Digger, a tool. Results show that {text}")
        for number, text in enumerate(texts, 1)
    ]
    found = [
        (spent, entry.number, [result.cell_text for result in results])
        for spent, papers_of_it in savings(entries).items()
        for entry, results in papers_of_it
    ]
    assert found == [
        ("cost", 1, ["−90 %"]),
        ("tokens", 2, ["−40 %"]),
        ("time", 1, ["−50 %"]),
        ("steps and calls", 4, ["−24 %"]),
        ("speed or efficiency", 3, ["1.5×"]),
    ]
    (section,) = numbers_sections(survey_of(entries))
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert [row[1] for row in table.rows] == ["use", "use", "use", "use", ""]
    assert section.title == snapshot("Numbers, costs and savings side by side")
    assert numbers_sections(survey_of(entries[:1])) == []


@pytest.mark.parametrize(
    ("title", "words", "done"),
    [
        ("Digger", "Digger cuts training time by 40% against Raker.", "training"),
        ("Digger", "Coding time falls by 40% against Raker.", "people's work"),
        ("Digger: RL for moles", "Digger lowers cost by 40% against Raker.", "training"),
        ("Digger", "Digger lowers cost by 40% against Raker.", ""),
    ],
)
def test_the_phase_of_a_saving_is_in_its_clause_or_the_title(
    make_entry: MakeEntry, title: str, words: str, done: str
) -> None:
    entry = named(make_entry(1, "soil", text=f"Presents a tool. Results show: {words}"), title)
    assert saving_phase(entry, entry.results[0]) == done


def test_without_a_comparison_only_money_is_a_saving(make_entry: MakeEntry) -> None:
    texts = [
        "Digger costs $0.70 per deep hole.",
        "Digger takes 12 steps per hole.",
        "Digger cuts the runtime of code by 14%.",  # of what it makes
    ]
    entries = [
        make_entry(number, "soil", text=f"Presents Digger, a tool. Results show that {text}")
        for number, text in enumerate(texts, 1)
    ]
    (found,) = savings(entries).values()
    assert [(entry.number, results[0].cell_text) for entry, results in found] == [
        (1, "$0.70 per deep hole")
    ]


def test_without_benchmarks_a_shorter_time_is_not_a_saving(
    make_entry: MakeEntry, survey_of: Callable[..., Survey]
) -> None:
    text = "Presents a trial. Results show that procedures took 20% less time."
    survey = survey_of([make_entry(number, "soil", text=text) for number in (1, 2, 3)])
    assert numbers_sections(survey)
    plain = survey.taxonomy.model_copy(update={"lexicons": {}})
    assert numbers_sections(replace(survey, taxonomy=plain)) == []
