from __future__ import annotations

import html
import json
from pathlib import Path

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.load import read_file
from classifier.papers.paper import Paper
from classifier.papers.readers.daily_papers import DAILY_PAPERS, HUGGING_FACE_HTML

HEAD = (
    "<!doctype html><html><head><title>Daily Papers - Hugging Face</title></head>"
    '<body class="DailyPapersPage">\n'
)
ABSTRACT = "We bake bread each night,\nwhere 1 < 2 loaves rise. " * 8
ENTRY = {
    "paper": {
        "id": "2408.00001",
        "authors": [{"name": "Ada One", "hidden": False}, {"name": "Bo Two"}],
        "publishedAt": "2024-08-01T10:00:00.000Z",
        "title": "Bread at\n  Night",
        "summary": ABSTRACT,
        "organization": {"name": "bakers", "fullname": "The Bakers' Guild"},
    },
    "publishedAt": "2024-08-02T10:00:00.000Z",
    "title": "Bread at\n  Night",
    "numComments": 5,
}


def component(target: str, data: object) -> str:
    props = html.escape(json.dumps(data))
    return f'<div class="SVELTE_HYDRATER" data-target="{target}" data-props="{props}"></div>\n'


def read(body: str) -> list[Paper | Fault]:
    return list(HUGGING_FACE_HTML.read(text_content("page.html", f"{HEAD}{body}</body></html>")))


def read_paper(body: str) -> Paper:
    (paper,) = read(body)
    assert isinstance(paper, Paper)
    return paper


def test_a_list_is_read_from_the_data_of_its_component() -> None:
    menu = component("MainHeader", {"isWide": False})
    paper = read_paper(menu + component("DailyPapers", {"dailyPapers": [ENTRY]}))
    assert (paper.title, paper.arxiv_id) == ("Bread at Night", "2408.00001")
    assert paper.abstract == " ".join(ABSTRACT.split())
    assert (paper.authors, paper.author_count) == (("Ada One", "Bo Two"), 2)
    assert (paper.published.date, paper.comment_count) == ("2024-08-01", 5)
    assert (paper.organisation, paper.sources[0].line) == ("The Bakers' Guild", 3)


def test_the_page_of_a_paper_is_that_paper_whatever_else_it_lists() -> None:
    other = {"paper": {"id": "2408.00002", "title": "Bees"}, "publishedAt": "2024-08-02"}
    page = component("PaperPage", {"paper": ENTRY["paper"], "dailyPapers": [other]})
    assert read_paper(page).title == "Bread at Night"


def test_a_page_saved_as_text_gives_the_same_title_and_abstract() -> None:
    saved = f"Daily Papers\n\nBread at Night\n\n{' '.join(ABSTRACT.split())}\n"
    (as_text,) = DAILY_PAPERS.read(text_content("page.txt", saved))
    as_html = read_paper(component("DailyPapers", {"dailyPapers": [ENTRY]}))
    assert isinstance(as_text, Paper)
    assert (as_text.title, as_text.abstract) == (as_html.title, as_html.abstract)


def test_data_that_is_no_json_is_passed_over() -> None:
    broken = "<div data-props='{\"title\": [' data-target='DailyPapers'></div>"
    deep = f"<div data-props='\"title\"{'[' * 100_000}'></div>"
    page = component("DailyPapers", {"dailyPapers": [ENTRY]})
    assert read_paper(broken + deep + page).arxiv_id == "2408.00001"


def test_a_page_without_an_element_holds_no_paper() -> None:
    assert list(HUGGING_FACE_HTML.read(text_content("f", '<!<div data-target="DailyPapers'))) == []


def test_a_page_is_known_by_its_component() -> None:
    page = HEAD + component("DailyPapers", {"dailyPapers": [ENTRY]})
    assert HUGGING_FACE_HTML.reject_reason(text_content("f", page)) == ""
    other = text_content("f", "<html><title>Bread</title>")
    missing = "not a page of papers of huggingface.co with its data"
    assert HUGGING_FACE_HTML.reject_reason(other) == missing


def test_a_real_page(shared: Path) -> None:
    file = "hf_daily_papers_2024-08-01.html"
    path = shared / "data/inputs/html" / file
    (records,) = read_file(path, file)
    assert (records.file.format, len(records.papers)) == ("hugging-face-html", 13)
    assert (records.faults, records.quarantined) == ((), ())
    for paper in records.papers:
        assert all((paper.arxiv_id, paper.abstract, paper.authors, paper.published.date))
