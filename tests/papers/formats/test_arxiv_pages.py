from __future__ import annotations

import pytest

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.formats.arxiv_pages import ARXIV_PAGES
from classifier.papers.paper import Paper

HEAD = "<!DOCTYPE html><html><head><title>Bread | arXiv</title></head><body>\n"
NEW = """<dl id='articles'><h3>New submissions (showing 1 of 1 entries)</h3>
<dt><a name='item1'>[1]</a> <a href ="/abs/2402.00001" title="Abstract" id="2402.00001">
 arXiv:2402.00001 </a> [<a href="/pdf/2402.00001" title="Download PDF">pdf</a>]</dt>
<dd><div class='meta'><div class='list-title mathjax'><span class='descriptor'>Title:</span>
 Bread in
 <span class="MathJax_Preview">x</span><span class="MathJax">x²</span><script
 type="math/tex">x^2</script> Hours</div>
<div class='list-authors'><a href="https://arxiv.org/search/cs?query=One">Ada One</a>,
 <a href="https://arxiv.org/search/cs?query=Two">Bo Two</a></div>
<div class='list-comments mathjax'><span class='descriptor'>Comments:</span> 3 pages</div>
<div class='list-subjects'><span class='descriptor'>Subjects:</span>
 <span class="primary-subject">Baking (cs.BK)</span>; Earth (astro-ph.EP)</div>
<div class='list-journal-ref'><span class='descriptor'>Journal-ref:</span> J. Bread 1</div>
<p class='mathjax'> We bake where
 1 < 2. </p></div></dd></dl>
"""
OLD = """<dl><dt><a name="item1">[1]</a>&nbsp; <span class="list-identifier"><a
 href="https://arxiv.org/abs/cs/0601001" title="Abstract">arXiv:cs/0601001</a> [<a
 href="/pdf/cs/0601001">pdf</a>]</span></dt><dd><div class="meta">
<div class="list-title mathjax"><span class="descriptor">Title:</span> Bees</div>
<div class="list-authors"><span class="descriptor">Authors:</span> <a href="/a">Ada One</a></div>
<div class="list-subjects"><span class="descriptor">Subjects:</span> <span
 class="primary-subject">Computation (cs.CL)</span></div></div></dd></dl>
"""
SEARCH = """<ol><li class="arxiv-result"><div class="is-marginless">
<p class="list-title is-inline-block"><a href="https://arxiv.org/abs/2402.00003">arXiv:2402.00003
</a></p><div class="tags is-inline-block"><span class="tag is-small tooltip"
 data-tooltip="Computation">cs.CL</span><span class="tag is-grey" data-tooltip="Earth">cs.EA</span>
</div><div class="tags has-addons"><span class="tag is-dark">doi</span><span class="tag"><a
 href="https://doi.org/10.1000/Oven">10.1000/Oven</a></span></div></div>
<p class="title is-5 mathjax"> Ovens of <span class="search-hit mathjax">Stone</span> </p>
<p class="authors"><span class="search-hit">Authors:</span> <a href="/search/?query=One">Ada One</a>
, <a href="/search/?query=Two">Bo Two</a></p>
<p class="abstract mathjax"><span class="has-text-black-bis">Abstract</span>:
 <span class="abstract-short mathjax" style="display: inline;">&hellip;hot. <a>&#9661; More</a>
 </span>
 <span class="abstract-full mathjax" style="display: none;"> They are hot. <a>&#9651; Less</a>
 </span>
</p><p class="is-size-7"><span>Submitted</span> 5 March, 2024; <span>v1</span> submitted 26
 January, 2024; <span>originally announced</span> February 2024. </p>
<p class="comments is-size-7"><span>Comments:</span> <span>9 pages</span></p>
<p class="comments is-size-7"><span>Journal ref:</span> J. Ovens 2 (2024)</p></li></ol>
"""
PAPER = """<html><head><meta name="citation_title" content="Bridges of Bread" />
<meta name="citation_author" content="One, Ada" /><meta name="citation_author" content="Two, Bo" />
<meta name="citation_date" content="2024/01/26" /><meta name="citation_online_date"
 content="2024/03/05" /><meta name="citation_pdf_url" content="http://arxiv.org/pdf/2402.00004" />
<meta name="citation_arxiv_id" content="2402.00004" />
<meta name="citation_abstract" content="They hold." /></head><body><table><tr>
<td class="tablecell label">Subjects:</td><td class="tablecell subjects"><span
 class="primary-subject">Baking (cs.BK)</span>; Earth (cs.EA)</td></tr><tr><td
 class="tablecell comments mathjax">4 pages</td><td class="tablecell jref">J. Bread 2</td></tr>
</table></body></html>
"""


def read(text: str) -> list[Paper | Fault]:
    return list(ARXIV_PAGES.read(text_content("page.html", text)))


def read_paper(text: str) -> Paper:
    (paper,) = read(text)
    assert isinstance(paper, Paper)
    return paper


def test_a_list_of_new_papers() -> None:
    paper = read_paper(HEAD + NEW)
    assert (paper.title, paper.arxiv_id) == ("Bread in $x^2$ Hours", "2402.00001")
    assert (paper.abstract, paper.authors) == ("We bake where 1 < 2.", ("Ada One", "Bo Two"))
    assert (paper.keywords, paper.venue) == (("cs.BK", "astro-ph.EP"), "J. Bread 1")
    assert (paper.detail("note"), paper.sources[0].line) == ("3 pages", 3)


def test_a_list_as_it_was_before() -> None:
    paper = read_paper(HEAD + OLD)
    assert (paper.title, paper.arxiv_id) == ("Bees", "cs/0601001")
    assert (paper.authors, paper.keywords) == (("Ada One",), ("cs.CL",))


def test_results_of_a_search_with_whole_abstracts_and_the_date_of_the_first_version() -> None:
    paper = read_paper(HEAD + SEARCH)
    assert (paper.title, paper.abstract) == ("Ovens of Stone", "They are hot.")
    assert (paper.arxiv_id, paper.doi) == ("2402.00003", "10.1000/oven")
    assert (paper.authors, paper.keywords) == (("Ada One", "Bo Two"), ("cs.CL", "cs.EA"))
    assert (paper.published.date, paper.venue) == ("2024-01-26", "J. Ovens 2 (2024)")
    assert paper.detail("note") == "9 pages"


def test_the_page_of_a_paper() -> None:
    paper = read_paper(PAPER)
    assert (paper.title, paper.abstract) == ("Bridges of Bread", "They hold.")
    assert (paper.authors, paper.arxiv_id) == (("One, Ada", "Two, Bo"), "2402.00004")
    assert (paper.published.date, paper.venue) == ("2024-01-26", "J. Bread 2")
    assert (paper.keywords, paper.detail("note")) == (("cs.BK", "cs.EA"), "4 pages")


@pytest.mark.parametrize("page", [HEAD + NEW, HEAD + OLD, HEAD + SEARCH, PAPER])
def test_a_page_is_known_by_its_parts(page: str) -> None:
    assert ARXIV_PAGES.why_not(text_content("f", page)) == ""
    other = page.replace("arx", "axr").replace("arX", "axR")
    assert ARXIV_PAGES.why_not(text_content("f", other)) == (
        "no list, search result or abstract of arxiv.org"
    )
