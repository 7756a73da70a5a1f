from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.paper import Paper
from classifier.papers.readers.daily_papers import DAILY_PAPERS

LONG = "A gardener waters the plants each morning before the sun is high. " * 5
OTHER = "A baker kneads the dough each night while the town is still asleep. " * 5
HEAD = (
    "new\n\nGet trending papers in your email inbox!\n\nSubscribe\n\nDaily Papers\n\n"
    "byAK and the research community\n\nJun 10\n\n"
)


def papers(text: str) -> list[Paper]:
    return [
        record
        for record in DAILY_PAPERS.read(text_content("page.txt", text))
        if isinstance(record, Paper)
    ]


def rest(text: str) -> list[Fault]:
    found = DAILY_PAPERS.read(text_content("page.txt", text))
    return [record for record in found if not isinstance(record, Paper)]


def dated(*lines: str) -> str:
    """A page whose entries end in the given date lines."""
    entries = (
        f"Title {n}\n\n{LONG}\n\n  • {n} authors\n·\n{line}\n\n" for n, line in enumerate(lines)
    )
    return HEAD + "".join(entries)


def test_bare_pairs_of_lines_with_subscribe_glued_to_the_first_title() -> None:
    text = (
        "Get trending papers in your email inbox once a day!\n"
        "Get trending papers in your email inbox!\n"
        f"SubscribeWatering: A Study\n{LONG}\nBaking\n{OTHER}\n"
    )
    found = papers(text)
    assert [paper.title for paper in found] == ["Watering: A Study", "Baking"]
    assert [paper.abstract for paper in found] == [LONG.strip(), OTHER.strip()]
    assert [paper.sources[0].line for paper in found] == [3, 5]
    assert rest(text) == []


def test_pairs_separated_by_blank_lines() -> None:
    text = f"{HEAD}Watering\n\n{LONG}\n\nBaking\n\n{OTHER}\n"
    assert [(paper.title, paper.published.date) for paper in papers(text)] == [
        ("Watering", ""),
        ("Baking", ""),
    ]
    assert rest(text) == []


def test_details_behind_the_abstract() -> None:
    text = (
        f"{HEAD}Watering\n\n{LONG}\n\n  • 7 authors\n·\nOct 15, 2025 2\n\n"
        f"Baking\n\n{OTHER}\n\nbakers The Bakers' Guild\n·\nApr 13\n"
    )
    watering, baking = papers(text)
    assert (watering.author_count, watering.organisation) == (7, "")
    assert (watering.published.date, watering.comment_count) == ("2025-10-15", 2)
    assert (baking.author_count, baking.organisation) == (None, "The Bakers' Guild")
    assert (baking.published.date, baking.comment_count) == ("2026-04-13", None)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("tencent Tencent", "Tencent"),
        ("GAIR SII - GAIR", "SII - GAIR"),
        ("Stanford Stanford AI", "Stanford AI"),
        ("upstage", "upstage"),
    ],
)
def test_the_first_word_of_an_organisation_is_its_handle(line: str, name: str) -> None:
    (paper,) = papers(f"{HEAD}Baking\n\n{OTHER}\n\n{line}\n·\nOct 7, 2025 3\n")
    assert paper.organisation == name


def test_an_entry_without_a_year_is_of_the_year_behind_the_latest_printed_one() -> None:
    dates = [paper.published.date for paper in papers(dated("Jul 3, 2024 16", "Sep 26 4", "Feb 9"))]
    assert dates == ["2024-07-03", "2025-09-26", "2025-02-09"]


def test_a_page_without_any_year_leaves_all_unknown_and_says_so_once() -> None:
    text = dated("Sep 26 4", "Feb 9")
    assert [paper.published.precision for paper in papers(text)] == ["unknown", "unknown"]
    assert [paper.comment_count for paper in papers(text)] == [4, None]
    assert [str(fault) for fault in rest(text)] == snapshot(
        [
            "page.txt: notice: found 2 date(s) without a year on a page without any year; expected at least one entry with a year. These dates were dropped."
        ]
    )


@pytest.mark.parametrize("line", ["Feb 30, 2025", "Feb 29, 2025", "Sep 26 2025", "15 oct. 2025"])
def test_a_date_that_cannot_be_is_left_out_and_the_paper_kept(line: str) -> None:
    text = dated("Jul 3, 2024", line)
    assert [paper.published.date for paper in papers(text)] == ["2024-07-03", ""]
    (fault,) = rest(text)
    assert isinstance(fault, Fault)
    assert (fault.actual, fault.line) == (repr(line), 27)


def test_a_title_at_the_end_of_a_cut_page_is_quarantined() -> None:
    text = f"{HEAD}Watering\n\n{LONG}\n\nBaking\n"
    assert [paper.title for paper in papers(text)] == ["Watering"]
    (record,) = rest(text)
    assert isinstance(record, Fault)
    assert (record.record, record.line) == ("Baking", 17)


def test_a_title_that_lost_its_abstract_does_not_shift_what_follows() -> None:
    text = f"{HEAD}Watering\n\nBaking\n\n{OTHER}\n\nMowing\n\n{LONG}\n"
    assert [(paper.title, paper.abstract) for paper in papers(text)] == [
        ("Baking", OTHER.strip()),
        ("Mowing", LONG.strip()),
    ]
    assert len(rest(text)) == 1


def test_an_abstract_that_lost_its_title_is_quarantined() -> None:
    text = f"{HEAD}{OTHER}\n\nMowing\n\n{LONG}\n\n{OTHER}\n"
    assert [paper.title for paper in papers(text)] == ["Mowing"]
    assert len(rest(text)) == 2


def test_a_last_abstract_that_breaks_off_is_kept_and_reported() -> None:
    text = f"{HEAD}Watering\n\n{LONG} And then, before the"
    assert len(papers(text)) == 1
    assert "stops within a sentence" in str(rest(text)[0])


def test_a_short_abstract_is_one_where_it_ends_as_a_sentence() -> None:
    text = f"{HEAD}Watering\n\nWe water plants.\n\nBaking\n\nWe bake.\n"
    assert [paper.abstract for paper in papers(text)] == ["We water plants.", "We bake."]


def test_repositories_in_the_abstract_are_collected() -> None:
    (paper,) = papers(f"{HEAD}Baking\n\n{OTHER} Code: https://github.com/bakers/oven.\n")
    assert paper.code_urls == ("https://github.com/bakers/oven",)
    assert paper.url == ""


@given(st.text(alphabet=st.sampled_from("ab·•\n \x0b\u2028Feb 30,29")) | st.text())
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    for whole in (text, HEAD + text):
        DAILY_PAPERS.reject_reason(text_content("page.txt", whole))
        list(DAILY_PAPERS.read(text_content("page.txt", whole)))


@pytest.mark.parametrize(
    ("page", "count"), [("000", 119), ("001", 119), ("002", 72), ("003", 70), ("004", 50)]
)
def test_every_entry_of_the_real_pages_is_read(shared: Path, page: str, count: int) -> None:
    (path,) = (shared / "seeds").glob(f"{page}_*.txt")
    text = path.read_text(encoding="utf-8")
    assert not DAILY_PAPERS.reject_reason(text_content(path.name, text))
    records = list(DAILY_PAPERS.read(text_content(path.name, text)))
    assert [type(record) for record in records] == [Paper] * count
