"""What raises an alarm at night, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classifier.errors import UsageError
from classifier.survey.changes.alarms import (
    DEFAULT_LIMITS,
    Alarm,
    alarms_markdown,
    find_alarms,
    parse_limits,
)
from classifier.survey.changes.compare import compare
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper


def papers(
    count: int,
    category: str = "soil",
    status: str = "confident",
    file: str = "papers/a.bib",
    start: int = 0,
) -> list[PublishedPaper]:
    """Return so many papers of one file, filed under one category."""
    labels = {"topic": PublishedLabels((category,), category, status)}
    return [
        PublishedPaper(f"p-{start + n:03}", f"On {start + n}", labels, "t", "c", files=(file,))
        for n in range(count)
    ]


def published(*groups: list[PublishedPaper], unread: int = 0) -> Publication:
    every = {paper.id: paper for group in groups for paper in group}
    known = {"papers/a.bib": unread} if unread else {}
    return Publication("build", every, "topic", excluded={}, unread=known)


def alarms(before: Publication, now: Publication, **allowed: float) -> list[str]:
    limits = {**DEFAULT_LIMITS, **allowed}
    found = find_alarms(before, now, compare(before, now), limits)
    return [f"{alarm.name}: {alarm}" for alarm in found]


FULL = published(papers(100))


def test_growth_is_no_alarm() -> None:
    assert alarms(FULL, published(papers(130))) == []
    assert alarms(FULL, FULL) == []


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "Mud is gone."),
        (1, "Mud is gone: 0."),
        (10, "Mud is gone: 0; 1; 2; 3; 4; 5; 6; 7; 8; 9."),
        (11, "Mud is gone: 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; and 1 more."),
    ],
)
def test_ten_are_named(count: int, told: str) -> None:
    assert str(Alarm("papers", "Mud is gone", tuple(map(str, range(count))))) == told


def test_papers_that_are_gone_are_named() -> None:
    found = alarms(FULL, published(papers(98)))
    assert found == [
        "papers: 2 papers of the earlier build are gone: “On 98” (p-098); “On 99” (p-099)."
    ]
    assert alarms(FULL, published(papers(98)), papers=2) == []


def test_papers_that_editors_left_out_or_that_were_merged_are_not_lost() -> None:
    left_out = replace(published(papers(99)), excluded={"p-099": "off topic"})
    assert alarms(FULL, left_out) == []
    merged = published(papers(98), [replace(papers(1, start=98)[0], aliases=("p-099",))])
    assert alarms(FULL, merged) == []


def test_a_file_that_gives_no_paper_any_more_is_named() -> None:
    before = published(papers(90), papers(10, file="papers/arxiv.jsonl", start=90))
    found = alarms(before, published(papers(90)))
    assert [line.partition(":")[0] for line in found] == ["papers", "sources"]
    assert found[1] == (
        "sources: 1 file of papers gives none any more: papers/arxiv.jsonl (10 papers before)."
    )


def test_a_decision_that_does_not_count_any_more_is_named() -> None:
    before = published(papers(99), papers(1, status="reviewed", start=99))
    now = published(papers(99), papers(1, status="provisional", start=99))
    assert alarms(before, now) == [
        "decisions: 1 paper was reviewed, and its decision does not count any more: "
        "“On 99” (p-099)."
    ]


def test_more_provisional_labels() -> None:
    now = published(papers(94), papers(6, status="provisional", start=94))
    assert alarms(FULL, now) == [
        "provisional: provisional labels went from 0 % to 6 %, by 6 points."
    ]
    assert alarms(FULL, now, provisional=6) == []


def test_three_papers_that_come_and_are_doubtful_are_no_alarm_in_a_small_survey() -> None:
    small = published(papers(20))
    assert alarms(small, published(papers(20), papers(3, status="provisional", start=20))) == []
    now = published(papers(20), papers(4, status="provisional", start=20))
    assert alarms(small, now) == [
        "provisional: provisional labels went from 0 % to 17 %, by 16.7 points."
    ]


def test_sure_labels_that_move_by_themselves() -> None:
    now = published(papers(93), papers(7, category="seed", start=93))
    (found,) = alarms(FULL, now)
    assert found.startswith(
        "flips: 7 of 100 labels shown as sure moved by themselves, 7 %: soil → seed, “On 93”"
    )


def test_labels_that_people_moved_or_that_were_doubtful_are_no_flips() -> None:
    decided = published(papers(93), papers(7, category="seed", status="reviewed", start=93))
    assert alarms(FULL, decided) == []
    doubtful = published(papers(93), papers(7, status="provisional", start=93))
    assert alarms(doubtful, published(papers(93), papers(7, category="seed", start=93))) == []


def test_three_flips_are_no_alarm_in_a_small_survey() -> None:
    before, now = published(papers(10)), published(papers(7), papers(3, category="seed", start=7))
    assert alarms(before, now) == []


def test_records_that_cannot_be_read() -> None:
    assert alarms(FULL, published(papers(100), unread=5)) == []
    assert alarms(FULL, published(papers(100), unread=6)) == [
        "unread: 6 records cannot be read, 0 before: papers/a.bib (6)."
    ]


def test_what_one_side_does_not_tell_is_no_alarm() -> None:
    old = published([replace(paper, files=()) for paper in papers(100)])
    assert alarms(FULL, replace(old, unread=None)) == []


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (
            "paper=3",
            "--allow paper=3: no alarm 'paper'; one of papers, sources, decisions, provisional, "
            "flips, unread.",
        ),
        ("papers=few", "--allow papers=few: 'few' is no number from 0 up, and not 'any'."),
        ("papers=-1", "--allow papers=-1: '-1' is no number from 0 up, and not 'any'."),
        ("papers=nan", "--allow papers=nan: 'nan' is no number from 0 up, and not 'any'."),
    ],
)
def test_limits_that_mean_nothing_are_refused(told: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_limits([told])
    assert str(refused.value) == message


def test_limits_are_set_one_by_one() -> None:
    assert parse_limits(["papers=3", "flips=any"]) == {
        **DEFAULT_LIMITS, "papers": 3, "flips": float("inf"),
    }  # fmt: skip


def test_markdown_shows_a_title_as_it_is() -> None:
    lost = replace(papers(1)[0], title="<b>*New*</b>\n::error::")
    before, now = published([lost], papers(2, start=1)), published(papers(2, start=1))
    text = alarms_markdown(find_alarms(before, now, compare(before, now)))
    assert text == (
        "## Alarms\n\n- **papers**: 1 paper of the earlier build is gone: "
        "“&lt;b&gt;\\*New\\*&lt;/b&gt; ::error::” (p-000).\n\n"
    )
