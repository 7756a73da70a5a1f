from __future__ import annotations

import html
import json
from pathlib import Path

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.formats.daily_papers import DAILY_PAPERS
from classifier.papers.formats.hugging_face_html import HUGGING_FACE_HTML
from classifier.papers.load import read_file
from classifier.papers.paper import Paper

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
CARD = """<article><a href="/papers/2408.00001"><img src="x.png"></a>
<h3><a href="/papers/2408.00001">Bread at
 <span class="katex"><span class="katex-mathml"><math><semantics><mi>N</mi>
 <annotation encoding="application/x-tex">N^2</annotation></semantics></math></span></span></a></h3>
<p>We bake bread.</p><div>· <div>12 authors</div></div>
<a href="/papers/2408.00001#community"><svg/> 7 </a></article>
"""


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
    paper = read_paper(menu + component("DailyPapers", {"dailyPapers": [ENTRY]}) + CARD)
    assert (paper.title, paper.arxiv_id) == ("Bread at Night", "2408.00001")
    assert paper.abstract == " ".join(ABSTRACT.split())
    assert (paper.authors, paper.author_count) == (("Ada One", "Bo Two"), 2)
    assert (paper.published.date, paper.comment_count) == ("2024-08-01", 5)
    assert (paper.organisation, paper.sources[0].line) == ("The Bakers' Guild", 3)


def test_the_page_of_a_paper_is_that_paper_whatever_else_it_lists() -> None:
    other = {"paper": {"id": "2408.00002", "title": "Bees"}, "publishedAt": "2024-08-02"}
    page = component("PaperPage", {"paper": ENTRY["paper"], "dailyPapers": [other]})
    assert read_paper(page).title == "Bread at Night"


def test_without_data_the_cards_are_read() -> None:
    paper = read_paper(CARD)
    assert (paper.title, paper.abstract) == ("Bread at $N^2$", "We bake bread.")
    assert (paper.arxiv_id, paper.author_count) == ("2408.00001", 12)
    assert (paper.authors, paper.comment_count) == ((), 7)


def test_without_data_the_page_of_a_paper_is_read_as_it_shows() -> None:
    body = (
        "<h1>Bread at Night</h1><div><span class='author'>Ada One,</span></div>"
        "<h2>Abstract</h2><p>We bake bread.</p>"
        "<a href='https://arxiv.org/abs/2408.00001'>View arXiv page</a>"
    )
    paper = read_paper(body)
    assert (paper.title, paper.abstract) == ("Bread at Night", "We bake bread.")
    assert (paper.authors, paper.arxiv_id) == (("Ada One",), "2408.00001")


def test_a_page_saved_as_text_gives_the_same_title_and_abstract() -> None:
    saved = f"Daily Papers\n\nBread at Night\n\n{' '.join(ABSTRACT.split())}\n"
    (as_text,) = DAILY_PAPERS.read(text_content("page.txt", saved))
    as_html = read_paper(component("DailyPapers", {"dailyPapers": [ENTRY]}))
    assert isinstance(as_text, Paper)
    assert (as_text.title, as_text.abstract) == (as_html.title, as_html.abstract)


def test_data_that_is_no_json_is_passed_over() -> None:
    broken = "<div data-props='{\"title\": [' data-target='DailyPapers'></div>"
    deep = f"<div data-props='\"title\"{'[' * 100_000}'></div>"
    assert read_paper(broken + deep + CARD).arxiv_id == "2408.00001"


def test_a_page_is_known_by_its_title_or_component() -> None:
    assert HUGGING_FACE_HTML.why_not(text_content("f", HEAD)) == ""
    other = text_content("f", "<html><title>Bread</title>")
    assert HUGGING_FACE_HTML.why_not(other) == "no page of papers of huggingface.co"


def test_a_real_page_by_its_data_and_by_its_cards(shared: Path) -> None:
    file = "hf_daily_papers_2024-08-01.html"
    path = shared / "data/inputs/html" / file
    (records,) = read_file(path, file)
    assert (records.file.format, len(records.papers)) == ("hugging-face-html", 13)
    assert (records.faults, records.quarantined) == ((), ())
    for paper in records.papers:
        assert all((paper.arxiv_id, paper.abstract, paper.authors, paper.published.date))
    shown = path.read_text(encoding="utf-8").replace("data-props", "data-gone")
    cards = list(HUGGING_FACE_HTML.read(text_content(file, shown)))
    assert [(p.title, p.arxiv_id, p.author_count, p.comment_count) for p in records.papers] == [
        (p.title, p.arxiv_id, p.author_count, p.comment_count)
        for p in cards
        if isinstance(p, Paper)
    ]
