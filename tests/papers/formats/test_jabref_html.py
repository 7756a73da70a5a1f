from __future__ import annotations

from pathlib import Path

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.formats import Quarantined
from classifier.papers.formats.jabref_html import JABREF_HTML
from classifier.papers.load import read_file
from classifier.papers.paper import Paper

HEAD = (
    '<html><body><table id="qs_table"><thead><tr><th>Author</th><th>Title</th><th>Year</th>'
    "<th>Journal/Proceedings</th><th>Reftype</th><th>DOI/URL</th></tr></thead><tbody>\n"
)
ROW = """<tr id="One2020" class="entry"><td>One, A. and Two, B.</td>
<td>Bread and <i>Butter</i> <p class="infolinks">[<a href="javascript:toggleInfo('One2020',
'abstract')">Abstract</a>]</p></td><td>2020</td><td>Journal of Bread<br/>Vol. 3</td>
<td>article</td><td><a href="https://doi.org/10.1000/Bread">DOI</a></td></tr>
"""
ABSTRACT = """<tr id="abs_One2020" class="abstract noshow"><td colspan="6"><b>Abstract</b>: We
bake where n <c$ and more.</td></tr>
"""
BIBTEX = """<tr id="bib_One2020" class="bibtex noshow"><td colspan="6"><b>BibTeX</b>:
<pre>@article{One2020,
  author = {One, Ada and Two, Bo},
  title = {Bread and {Butter}},
  journal = {Journal of Bread},
  year = {2020},
  volume = {3}
}
</pre></td></tr>
"""
LINKS = """<tr id=" 1 " class="entry"><td><a onclick="toggle('abstract1');">[|&bull;|]</a>
<a href="http://arxiv.org/abs/2001.00001v1"><b/> Bees on
Bridges (2020)</b></a> &nbsp; - &nbsp; <I><a href="http://ar5iv.org/abs/2001.00001v1">
Ada One, Bo Two &nbsp;</a></I><a onclick="toggle('abstract1');"><div id="abstract1"
style="display: none"><u><I> 2001.00001v1 &nbsp; - &nbsp;
{bees}
{two words}
</I></u><br> They fly over. <br><br></div></a></td></tr>
"""


def read(*rows: str) -> list[Paper | Quarantined | Fault]:
    text = f"{HEAD}{''.join(rows)}</tbody></table></body></html>"
    return list(JABREF_HTML.read(text_content("table.html", text)))


def read_paper(*rows: str) -> Paper:
    (paper,) = read(*rows)
    assert isinstance(paper, Paper)
    return paper


def test_the_hidden_bibtex_of_a_row_is_read() -> None:
    paper = read_paper(ROW, ABSTRACT, BIBTEX)
    assert (paper.title, paper.abstract) == (
        "Bread and Butter",
        "We bake where n <c$ and more.",
    )
    assert paper.authors == ("One, Ada", "Two, Bo")
    assert (paper.venue, paper.published.date) == ("Journal of Bread", "2020")
    assert (paper.detail("volume"), paper.detail("citation-key")) == ("3", "One2020")


def test_without_bibtex_the_heads_of_the_columns_tell() -> None:
    paper = read_paper(ROW, ABSTRACT)
    assert (paper.title, paper.published.date) == ("Bread and Butter", "2020")
    assert paper.abstract == "We bake where n <c$ and more."
    assert paper.authors == ("One, A.", "Two, B.")
    assert (paper.venue, paper.doi) == ("Journal of Bread Vol. 3", "10.1000/bread")


def test_a_list_whose_rows_are_one_cell_is_told_by_its_links() -> None:
    paper = read_paper(LINKS)
    assert (paper.title, paper.published.date) == ("Bees on Bridges", "2020")
    assert (paper.abstract, paper.authors) == ("They fly over.", ("Ada One", "Bo Two"))
    assert (paper.arxiv_id, paper.keywords) == ("2001.00001", ("bees", "two words"))
    assert paper.url == "http://arxiv.org/abs/2001.00001v1"


def test_rows_come_in_order_with_their_lines() -> None:
    papers = [record for record in read(ROW, ABSTRACT, LINKS) if isinstance(record, Paper)]
    assert [(paper.title, paper.sources[0].line) for paper in papers] == [
        ("Bread and Butter", 2),
        ("Bees on Bridges", 8),
    ]


def test_a_table_is_known_by_its_rows() -> None:
    assert JABREF_HTML.why_not(text_content("f", HEAD + ROW)) == ""
    assert JABREF_HTML.why_not(text_content("f", HEAD)) == "no table row '<tr class=\"entry\">'"
    assert JABREF_HTML.why_not(text_content("f", "title,year")) == "no HTML page"


def test_a_real_table(shared: Path) -> None:
    file = "jabref_html_table.html"
    (records,) = read_file(shared / "data/inputs/html" / file, file)
    assert (records.file.format, len(records.papers)) == ("jabref-html", 420)
    assert (records.faults, records.quarantined) == ((), ())
    for paper in records.papers:
        assert all((paper.arxiv_id, paper.abstract, paper.authors, paper.published.date))
