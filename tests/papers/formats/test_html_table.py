from __future__ import annotations

from time import process_time

import pytest

from classifier.files.content import text_content
from classifier.papers.formats import reader_for
from classifier.papers.formats.html_table import HTML_TABLE
from classifier.papers.load import read_content

PAGE = """<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table border=1>
<tr><th>Title</th><th>Authors</th><th>Year</th><th>Abstract</th></tr>
<tr><td><a href="https://arxiv.org/abs/2401.10230">Slow rye &amp; salt</a></td>
<td>Oven, Ann; Flour, Bo</td><td>2024</td><td>We let dough rest.</td></tr>
</table></body></html>"""


@pytest.mark.parametrize("name", ["export.xls", "page.html"])
def test_a_table_of_papers_is_read_whatever_the_file_is_called(name: str) -> None:
    (paper,) = read_content(text_content(name, PAGE)).papers
    assert (paper.title, paper.authors) == ("Slow rye & salt", ("Oven, Ann", "Flour, Bo"))
    assert (paper.published.date, paper.abstract) == ("2024", "We let dough rest.")
    assert (paper.arxiv_id, paper.sources[0].line) == ("2401.10230", 3)


@pytest.mark.parametrize(
    "body",
    [
        "<p>Bread prices rise.</p>",
        "<table><tr><th>Title</th><th>Price</th></tr><tr><td>Roll</td><td>2</td></tr></table>",
        "<table><tr><th>Day</th><th>Sold</th></tr><tr><td>Monday</td><td>2</td></tr></table>",
    ],
)
def test_other_pages_are_left_to_others(body: str) -> None:
    assert reader_for(text_content("p.html", f"<html><body>{body}</body></html>")) is None


@pytest.mark.parametrize("part", ["<table>", "<tr><td>", "<", "<table><tr><td>Title<td>Year"])
def test_no_page_takes_long(part: str) -> None:
    content = text_content("p.html", "<html><table>" + part * (500_000 // len(part)))
    start = process_time()
    if not HTML_TABLE.why_not(content):
        list(HTML_TABLE.read(content))
    assert process_time() - start < 10
