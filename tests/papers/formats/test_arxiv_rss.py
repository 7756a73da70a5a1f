from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.formats import reader_for
from classifier.papers.formats.arxiv import ARXIV_RSS
from classifier.papers.paper import Paper

RSS = """<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
 version="2.0"><channel><title>cs.CL updates on arXiv.org</title>
<item><title>Bread &amp; Butter</title><link>https://arxiv.org/abs/2403.00001</link>
<description>arXiv:2403.00001v1 Announce Type: new
Abstract: We bake where 1 &lt; 2.</description><guid>oai:arXiv.org:2403.00001v1</guid>
<category>cs.CL</category><category>cs.AI</category>
<pubDate>Fri, 01 Mar 2024 00:00:00 -0500</pubDate>
<arxiv:announce_type>{kind}</arxiv:announce_type><dc:creator>Ada One, Bo Two</dc:creator></item>
</channel></rss>
"""
ATOM = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns="http://www.w3.org/2005/Atom"><id>http://rss.arxiv.org/atom/cs.CL</id>
<entry><id>oai:arXiv.org:2403.00001v1</id><title>Bread &amp; Butter</title>
<link href="https://arxiv.org/abs/2403.00001" rel="alternate"/>
<summary>arXiv:2403.00001v1 Announce Type: new
Abstract: We bake where 1 &lt; 2.</summary><category term="cs.CL"/><category term="cs.AI"/>
<published>2024-03-01T00:00:00-05:00</published><arxiv:announce_type>{kind}</arxiv:announce_type>
<dc:creator>Ada One, Bo Two</dc:creator></entry></feed>
"""


def read(text: str) -> list[Paper | Fault]:
    return list(ARXIV_RSS.read(text_content("feed.xml", text)))


@pytest.mark.parametrize("feed", [RSS, ATOM])
def test_an_item_of_either_form(feed: str) -> None:
    (paper,) = read(feed.format(kind="new"))
    assert isinstance(paper, Paper)
    assert (paper.title, paper.abstract) == ("Bread & Butter", "We bake where 1 < 2.")
    assert (paper.authors, paper.keywords) == (("Ada One", "Bo Two"), ("cs.CL", "cs.AI"))
    assert (paper.arxiv_id, paper.published.date) == ("2403.00001", "2024-03-01")
    assert paper.url == "https://arxiv.org/abs/2403.00001"


@pytest.mark.parametrize("feed", [RSS, ATOM])
def test_the_day_of_the_feed_is_no_date_of_a_paper_that_was_replaced(feed: str) -> None:
    (paper,) = read(feed.format(kind="replace"))
    assert isinstance(paper, Paper)
    assert paper.published.date == ""


@pytest.mark.parametrize("feed", [RSS, ATOM])
def test_a_feed_is_known_by_its_ids(feed: str) -> None:
    assert reader_for(text_content("f", feed)) is ARXIV_RSS
    other = "<rss><channel><item><title>Bread</title></item></channel></rss>"
    assert ARXIV_RSS.why_not(text_content("f", other)) == "a feed without ids of arXiv"


@given(st.text(alphabet="<>/&;item \n\"'=") | st.text())
def test_any_text_is_read_without_a_crash(text: str) -> None:
    read(RSS.replace("Bread", text))
