from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.load import read_file
from classifier.papers.paper import Paper
from classifier.papers.readers.arxiv import ARXIV_MAIL

RULE = "-" * 78
NEW = rf"""{RULE}
\\
arXiv:2403.00001
Date: Fri, 1 Mar 2024 01:02:03 GMT   (10kb,D)

Title: Bread and the B\"acker
  Oven
Authors: Ada One (1 and 2), Bo Tw\'o (2) ((1) Mill, (2) Oven) and Cy Three, Jr.
Categories: cs.CL cs.AI
Comments: 3 pages. Code at
  https://github.com/bakers/bread
Journal-ref: J. Bread 1 (2024) 2-3
DOI: 10.1000/Bread
Report-no: MILL-1
License: http://creativecommons.org/licenses/by/4.0/
\\
  We bake bread
and see.
  Then butter.
\\ ( https://arxiv.org/abs/2403.00001 ,  10kb)
"""
REPLACED = rf"""{RULE}
\\
arXiv:2307.00002
replaced with revised version Fri, 1 Mar 2024 09:02:03 GMT   (11kb,D)

Title: Bees
Authors: Di Four, Eve Five, et al. (7
  additional authors not shown)
Categories: q-bio.PE
\\ ( https://arxiv.org/abs/2307.00002 ,  11kb)
"""
OLD = rf"""{RULE}
\\
Paper: astro-ph/9901001
From: ada@example.com
Date (v1): Mon, 4 Jan 1999 10:00:00 GMT   (9kb)
Date (revised v2): Tue, 5 Jan 1999 10:00:00 GMT   (9kb)

Title: Ovens in the Sky
Author: Fay Six
\\
  We look.
\\
"""


def read(text: str) -> list[Paper | Fault]:
    return list(ARXIV_MAIL.read(text_content("list.txt", text)))


def papers(text: str) -> list[Paper]:
    return [record for record in read(text) if isinstance(record, Paper)]


def test_a_new_paper_with_all_headers() -> None:
    (paper,) = papers(f"Submissions to:\nComputation and Language\n{NEW}")
    assert (paper.title, paper.arxiv_id) == snapshot(("Bread and the Bäcker Oven", "2403.00001"))
    assert paper.abstract == snapshot("We bake bread and see.\nThen butter.")
    assert paper.authors == ("Ada One", "Bo Twó", "Cy Three Jr.")
    assert (paper.published.date, paper.venue) == snapshot(("2024-03-01", "J. Bread 1 (2024) 2-3"))
    assert (paper.doi, paper.keywords) == ("10.1000/bread", ("cs.CL", "cs.AI"))
    assert paper.code_urls == ("https://github.com/bakers/bread",)
    assert paper.detail("note") == snapshot("3 pages. Code at https://github.com/bakers/bread")
    assert (paper.detail("number"), paper.sources[0].line) == ("MILL-1", 5)


def test_a_replaced_paper_has_no_date_and_counts_authors_who_are_not_named() -> None:
    (paper,) = papers(REPLACED)
    assert (paper.title, paper.arxiv_id, paper.abstract) == ("Bees", "2307.00002", "")
    assert (paper.authors, paper.author_count) == (("Di Four", "Eve Five"), 9)
    assert paper.published.date == ""


def test_an_old_paper_has_the_date_of_its_first_version() -> None:
    (paper,) = papers(OLD)
    assert (paper.arxiv_id, paper.published.date) == ("astro-ph/9901001", "1999-01-04")
    assert (paper.authors, paper.abstract) == (("Fay Six",), "We look.")


def test_records_follow_one_another_and_what_stands_between_is_none() -> None:
    day = f"{RULE}\n\\\\\n/* Fri, 3 Mar 2023 */\n\\\\\n"
    titles = [paper.title for paper in papers(f"{day}{NEW}{day}{REPLACED}{OLD}{RULE}\n")]
    assert titles == snapshot(["Bread and the Bäcker Oven", "Bees", "Ovens in the Sky"])


def test_a_record_without_a_title_is_quarantined() -> None:
    (record,) = read(f"{RULE}\n\\\\\narXiv:2403.00001\n\\\\\n")
    assert isinstance(record, Fault)
    assert record.actual == snapshot("title: found none; expected the paper's title")


def test_a_list_is_known_by_its_separators() -> None:
    assert ARXIV_MAIL.why_not(text_content("f", NEW)) == ""
    assert ARXIV_MAIL.why_not(text_content("f", OLD)) == ""
    other = "See arXiv:2403.00001 \\\\\nTitle: Bread\n"
    assert ARXIV_MAIL.why_not(text_content("f", other)) == (
        snapshot(r"no line 'arXiv:' behind a line '\\'")
    )


@given(st.text(alphabet="\\-\n arXiv:Title") | st.text())
def test_any_text_is_read_without_a_crash(text: str) -> None:
    read(text)
    assert papers(f"{text}\n{RULE}\n{OLD}")[-1].title == "Ovens in the Sky"


def test_a_real_list(shared: Path) -> None:
    file = "astro_ph_he_pastweek.txt"
    (records,) = read_file(shared / "data/inputs/arxiv_mail" / file, file)
    assert (records.file.format, len(records.papers)) == ("arxiv-mail", 85)
    assert (records.faults, records.quarantined) == ((), ())
    for paper in records.papers:
        assert all((paper.arxiv_id, paper.authors, paper.keywords, paper.published.date))
        assert "\\" not in "".join(paper.authors)
    assert [paper.author_count for paper in records.papers[4:6]] == [178, 130]
