from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.papers.paper import Published
from classifier.review.lock import History
from classifier.site.exports.feeds import Feed, atom_xml, feeds
from classifier.site.listing import make_catalogue
from classifier.survey.survey import Survey

ATOM = "{http://www.w3.org/2005/Atom}"
RFC_3339 = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")


def all_feeds(survey: Survey) -> dict[str, Feed]:
    return {feed.base: feed for feed in feeds(survey, make_catalogue(survey).paged)}


def published(survey: Survey, base_url: str) -> Survey:
    """Return the edition of a survey that has an address."""
    settings = survey.taxonomy.survey.model_copy(update={"base_url": base_url})
    return replace(survey, taxonomy=survey.taxonomy.model_copy(update={"survey": settings}))


def parse(feed: Feed) -> ElementTree.Element:
    return ElementTree.fromstring(atom_xml(feed))


def texts(element: ElementTree.Element, tag: str) -> list[str]:
    return [found.text or "" for found in element.findall(ATOM + tag)]


def links(element: ElementTree.Element) -> dict[str, str]:
    return {link.attrib["rel"]: link.attrib["href"] for link in element.findall(ATOM + "link")}


def check_atom(text: str) -> None:
    """Hold a feed against what RFC 4287 requires (4.1.1, 4.1.2)."""
    feed = ElementTree.fromstring(text)
    assert feed.tag == ATOM + "feed"
    entries = feed.findall(ATOM + "entry")
    for element in (feed, *entries):
        for tag in ("id", "title", "updated"):
            assert len(texts(element, tag)) == 1, tag
        assert re.match(r"[a-z][a-z0-9+.-]*:\S+$", texts(element, "id")[0])
        assert RFC_3339.fullmatch(texts(element, "updated")[0])
        relations = [link.attrib["rel"] for link in element.findall(ATOM + "link")]
        assert relations.count("alternate") == 1
        names = [name.text for name in element.findall(f"{ATOM}author/{ATOM}name")]
        assert all(names)
    assert feed.findall(f"{ATOM}author/{ATOM}name")  # for entries without authors of their own
    ids = [texts(entry, "id")[0] for entry in entries]
    assert len(set(ids)) == len(ids)
    updated = [texts(entry, "updated")[0] for entry in entries]
    assert updated == sorted(updated, reverse=True)
    assert texts(feed, "updated") == updated[:1]


@pytest.mark.parametrize("base_url", ["", "https://example.org/birds"])
@pytest.mark.parametrize("name", ["survey", "hostile_survey"])
def test_every_feed_is_valid(name: str, base_url: str, request: pytest.FixtureRequest) -> None:
    survey = published(request.getfixturevalue(name), base_url)
    found = all_feeds(survey)
    assert set(found) == {"feed", "c/tools", "c/tools/hooks", "c/song"}
    for feed in found.values():
        check_atom(atom_xml(feed))


def test_an_entry_says_what_a_paper_does_its_topic_and_its_date(survey: Survey) -> None:
    first, second = parse(all_feeds(survey)["feed"]).findall(ATOM + "entry")
    assert texts(first, "title") == snapshot(["Hooks: bending 100% of wires"])
    assert texts(first, "id") == ["urn:fieldguide:paper:arxiv:2401.10230"]
    assert texts(first, "updated") == ["2024-01-20T00:00:00Z"]
    assert texts(first, "content") == snapshot(
        [
            """\
Introduces Bend, a method.

Filed under Tools & hooks. Published 20 January 2024.\
"""
        ]
    )
    terms = [category.attrib["term"] for category in first.findall(ATOM + "category")]
    assert terms == ["tools", "tools/hooks", "song"]
    # Of the second the month is known: it counts from its first day, and the text says no day.
    assert texts(second, "updated") == ["2023-05-01T00:00:00Z"]
    assert "Published May 2023." in texts(second, "content")[0]


def test_the_feed_of_a_category_holds_its_papers_and_says_which_have_no_date(
    survey: Survey,
) -> None:
    feed = all_feeds(survey)["c/song"]
    assert [item.title for item in feed.items] == snapshot(
        [
            "Hooks: bending 100% of wires",
            "Song of the *crow* | a survey",
        ]
    )
    assert feed.title == "Birds that plan: Song"
    assert feed.subtitle == snapshot(
        "What crows do with tools (2 papers, by publication date; 1 without a date left out)"
    )
    assert feed.atom_path == "c/song.atom"


def test_with_a_lock_papers_are_dated_by_entry_and_moves_are_entries(survey: Survey) -> None:
    first, second, *others = survey.entries
    second = replace(second, history=History("2025-01-03", "2025-02-01", "tools"))
    feed = all_feeds(replace(survey, entries=(first, second, *others)))["feed"]
    check_atom(atom_xml(feed))
    assert [(item.updated[:10], item.title) for item in feed.items] == snapshot(
        [
            ("2025-02-01", "Moved to Song: Song of the *crow* | a survey"),
            ("2025-01-03", "Song of the *crow* | a survey"),
            ("2024-01-20", "Hooks: bending 100% of wires"),
        ]
    )
    assert [item.text for item in feed.items[:2]] == snapshot(
        [
            "Moved from Tools & hooks to Song on 1 February 2025.",
            """\
We survey song.

Filed under Song. Published May 2023. In the survey since 3 January 2025.\
""",
        ]
    )
    assert feed.subtitle == snapshot(
        "What crows do with tools (2 papers, by date of entry, else of publication; 1 without a date left out)"
    )


def test_without_an_address_links_are_relative(survey: Survey) -> None:
    feed = all_feeds(survey)["c/tools/hooks"]
    root = parse(feed)
    assert links(root) == {"self": "hooks.atom", "alternate": "../../c/tools/hooks.html"}
    assert links(root.findall(ATOM + "entry")[0]) == {
        "alternate": "../../p/arxiv-2401.10230.html",
        "related": "https://arxiv.org/abs/2401.10230",
    }


def test_with_an_address_all_links_are_absolute_and_ids_of_papers_stay(survey: Survey) -> None:
    home = "https://example.org/birds"
    feed = all_feeds(published(survey, home))["c/song"]
    assert links(parse(feed)) == {
        "self": f"{home}/c/song.atom",
        "alternate": f"{home}/c/song.html",
    }
    assert texts(parse(feed), "id") == [f"{home}/c/song.atom"]
    assert [item.id for item in feed.items] == [
        item.id for item in all_feeds(survey)["c/song"].items
    ]


def test_a_feed_ends_after_sixty_and_says_of_how_many(survey: Survey) -> None:
    dated = survey.entries[0]
    entries = tuple(
        replace(dated, paper=replace(dated.paper, id=f"arxiv:2401.{number:05}"))
        for number in range(61)
    )
    feed = all_feeds(replace(survey, entries=entries))["feed"]
    assert len(feed.items) == 60
    assert feed.subtitle.endswith("(The 60 newest of 61 entries, by publication date)")


def test_where_no_paper_has_a_date_there_is_no_feed(survey: Survey) -> None:
    entries = tuple(
        replace(entry, paper=replace(entry.paper, published=Published()))
        for entry in survey.entries
    )
    assert all_feeds(replace(survey, entries=entries)) == {}


def test_a_survey_without_editors_answers_for_its_feed_itself(survey: Survey) -> None:
    nobody = replace(survey, document=replace(survey.document, editors=()))
    text = atom_xml(all_feeds(nobody)["feed"])
    check_atom(text)
    assert "<author><name>Birds that plan</name></author>" in text


@given(title=st.text(min_size=1), author=st.text(min_size=1))
def test_no_title_and_no_name_breaks_a_feed(survey: Survey, title: str, author: str) -> None:
    first, *others = survey.entries
    paper = replace(first.paper, title=f"A{title}", authors=(author,))
    feed = all_feeds(replace(survey, entries=(replace(first, paper=paper), *others)))["feed"]
    entry = parse(feed).find(ATOM + "entry")
    assert entry is not None
    assert texts(entry, "title") == [" ".join(paper.title_display.split())]
