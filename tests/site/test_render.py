from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browsing import WRITTEN_ELSEWHERE
from inline_snapshot import snapshot
from jinja2 import UndefinedError
from page_tags import Tags

from classifier.labelling.labels import Reason
from classifier.site.checks.links import check_site
from classifier.site.listing import make_catalogue
from classifier.site.pages.category import link_categories
from classifier.site.pages.front import key_figures
from classifier.site.render import render_site
from classifier.survey.document import Section, Table
from classifier.survey.survey import Survey

PAGES = [
    "404.html",
    "browse.html",
    "c/flight.html",
    "c/song.html",
    "c/tools.html",
    "c/tools/hooks.html",
    "changes.html",
    "data.html",
    "index.html",
    "method.html",
    "p/arxiv-2401.10230.html",
    "p/doi-10.1000-abc.html",
    "p/p-0123456789.html",
    "survey.html",
    "survey/abstract.html",
    "survey/landscape.html",
    "survey/song.html",
    "survey/tools.html",
]

SCRIPTS = {"search.js", "verify-button.js", "browse.js", "copy.js", "sort.js"}


def text(site: dict[str, bytes], path: str) -> str:
    return site[path].decode()


def test_a_page_for_the_survey_each_category_with_papers_and_each_paper(
    site: dict[str, bytes],
) -> None:
    assert [path for path in site if path.endswith(".html")] == PAGES
    assert list(site) == sorted(site)


def test_the_version_stands_where_a_reader_looks_for_it(site: dict[str, bytes]) -> None:
    line = "· version <code>0123456789ab</code> ·"
    shown = {path for path in site if path.endswith(".html") and line in text(site, path)}
    assert shown == {"data.html", "index.html", "method.html", "survey.html"}


def test_the_site_has_no_dead_link_and_fetches_nothing(site: dict[str, bytes]) -> None:
    assert check_site(site, other_paths=WRITTEN_ELSEWHERE) == []


def test_the_same_edition_gives_the_same_bytes(survey: Survey, site: dict[str, bytes]) -> None:
    assert render_site(survey) == site


@pytest.mark.parametrize("path", [path for path in PAGES if not path.startswith("survey/")])
def test_every_page_has_its_landmarks_and_no_script_but_those_of_the_site(
    site: dict[str, bytes], path: str
) -> None:
    page = Tags(site[path])
    assert {"html", "title", "header", "nav", "main", "footer", "h1"} <= set(page.tags)
    assert page.tags.count("h1") == page.tags.count("main") == 1
    assert not unknown_scripts(text(site, path))
    assert {"search.js", "verify-button.js"} <= scripts_of(page) <= SCRIPTS
    assert "style" not in page.tags
    assert ("lang", "en") in page.attributes
    assert ("href", "#content") in page.attributes


def unknown_scripts(page: str) -> list[str]:
    """Return the script elements that are neither a file of the site nor JSON-LD, which is data."""
    allowed = ('<script src="', '<script type="application/ld+json">')
    return [tag for tag in re.findall("<script[^>]*>", page) if not tag.startswith(allowed)]


def scripts_of(page: Tags) -> set[str]:
    """Return the names of the scripts that a page loads from the top of the site."""
    return {
        value.rpartition("/")[2]
        for name, value in page.attributes
        if name == "src" and value.endswith(".js") and not value.lstrip("./").count("/")
    }


def test_a_sentence_carries_its_kind_and_source(site: dict[str, bytes]) -> None:
    assert (
        '<span id="abstract-1" data-kind="C" data-source="facts: papers.total">Three papers.</span>'
        in text(site, "survey.html")
    )
    assert '<div id="tools-1" data-kind="D"' in text(site, "survey.html")


def test_a_citation_and_its_reference_lead_to_each_other(site: dict[str, bytes]) -> None:
    survey = text(site, "survey.html")
    assert '[<a href="#ref-2">2</a>]' in survey
    assert '<li id="ref-2" value="2">' in survey
    assert '<a href="#abstract-2" aria-label="Cited here, 1">' in survey


def test_on_other_pages_a_citation_leads_to_the_paper(site: dict[str, bytes]) -> None:
    assert '<a href="p/doi-10.1000-abc.html">2</a>' in text(site, "index.html")
    assert '<a href="../p/arxiv-2401.10230.html">1</a>' in text(site, "c/tools.html")


def test_the_front_page_shows_the_facts_that_there_are(site: dict[str, bytes]) -> None:
    page = text(site, "index.html")
    figures = re.findall(r"<dt>(.+?)</dt><dd.*?>(?:<a href=\"(.+?)\">)?(\d+)(?:</a>)?</dd>", page)
    assert figures == [
        ("papers", "browse.html", "3"),
        ("with a date", "", "2"),
        ("decided by readers", "browse.html?status=reviewed", "1"),
    ]


def test_pictures_state_their_size(bread_site: dict[str, bytes]) -> None:
    pictures = [
        tag
        for path in ("index.html", "survey.html")
        for tag in re.findall(r"<img [^>]*figures/[^>]*>", text(bread_site, path))
    ]
    assert len(pictures) > 1
    assert all(re.search(r' width="\d+" height="\d+"', tag) for tag in pictures)


def test_counts_are_not_called_what_the_papers_say(site: dict[str, bytes]) -> None:
    page = text(site, "index.html")
    assert "what the papers say of them" not in page
    assert ('id="findings">At a glance' in page) == ('class="findings"' in page)


def test_papers_that_were_filed_before_are_not_called_reviewed(survey: Survey) -> None:
    facts = {"papers.reviewed": 0, "papers.imported": 2}
    figures = key_figures(replace(survey, fact_values=facts))
    assert [figure[:2] for figure in figures] == snapshot(
        [
            ("0", "decided by readers"),
            ("2", "filed by their source"),
        ]
    )


def test_a_category_tells_its_own_papers_from_those_filed_elsewhere(
    site: dict[str, bytes],
) -> None:
    page = text(site, "c/song.html")
    assert "2 filed, 1 also" in page
    filed, also = page.split('id="also"')
    assert "A title and nothing else" in filed
    assert "Hooks: bending 100% of wires" in also


def test_a_category_prints_its_definition_once(site: dict[str, bytes]) -> None:
    page = text(site, "c/tools.html")
    assert page.count("<em>tools</em>") == 1
    assert page.count("One paper is filed here.") == 1


def test_key_papers_are_marked_in_words_and_come_first_in_their_category(
    site: dict[str, bytes],
) -> None:
    mark = '<span class="badge key">key paper</span>'
    marked = {path for path in site if path.endswith(".html") and mark in text(site, path)}
    assert marked == {"c/song.html", "p/p-0123456789.html"}
    filed = text(site, "c/song.html").partition('id="filed"')[2]
    undated, dated = filed.index("A title and nothing else"), filed.index("Song of the *crow*")
    assert undated < filed.index(mark) < dated


@pytest.mark.parametrize("path", ["index.html", "c/song.html", "p/doi-10.1000-abc.html"])
def test_a_remark_is_signed_and_sourced_wherever_its_paper_is_described(
    path: str, site: dict[str, bytes]
) -> None:
    assert (
        '<p class="remark"><span id="remark-doi-10.1000-abc" data-kind="H" '
        'data-source="reviews.csv: doi:10.1000/abc">Compare <em>Bend</em> '
        '<a href="https://bend.example/">1</a>. (remark by ada)</span></p>'
    ) in text(site, path)


def test_a_paper_shows_what_is_known_and_how_sure_its_labels_are(site: dict[str, bytes]) -> None:
    page = text(site, "p/doi-10.1000-abc.html")
    for expected in (
        "Song of the *crow* | a survey",
        '<time datetime="2023-05">May 2023</time>',
        "Journal of Crows",
        'href="https://doi.org/10.1000/abc"',
        '<h2 id="text">Abstract</h2>',
        '<span class="badge confident">confident</span> <span>83 % sure of the filed topic</span>',
        "<li>bent wire <b>+1.2</b></li>",
        "@misc{doi-10.1000-abc,",
    ):
        assert expected in page


def test_a_child_stands_below_its_parent(site: dict[str, bytes]) -> None:
    labels = re.findall(r"<li( class.+?)?><a href=.+?>(.+?)</a>", labels_of_hooks(site))
    assert labels == [
        (' class="primary"', "Tools &amp; hooks"),
        (' class="below"', "Hooks"),
        ("", "Song"),
    ]


def labels_of_hooks(site: dict[str, bytes]) -> str:
    page = text(site, "p/arxiv-2401.10230.html")
    return page[page.index('<ul class="labels">') : page.index("</ul>", page.index("Song</a>"))]


def relabelled(survey: Survey, **changes: Any) -> dict[str, bytes]:
    """Return the site of an edition whose first paper has other labels."""
    entry, *others = survey.entries
    labels = replace(entry.first, **changes)
    facets = {**entry.labels.facets, "topic": labels}
    entry = replace(entry, first=labels, labels=replace(entry.labels, facets=facets))
    return render_site(replace(survey, entries=(entry, *others)))


@pytest.mark.parametrize(
    ("status", "probability", "mark"),
    [
        ("confident", 0.49, '</a> <span class="note">perhaps</span></li>'),
        ("confident", 0.5, "</a></li>"),
        ("reviewed", 0.1, "</a></li>"),
    ],
)
def test_a_further_topic_is_doubtful_below_one_half_unless_a_person_gave_it(
    survey: Survey, status: str, probability: float, mark: str
) -> None:
    probabilities = {"tools": 0.3, "song": probability}
    labels = labels_of_hooks(relabelled(survey, status=status, probabilities=probabilities))
    assert labels.rstrip().endswith(f"Song{mark}")
    assert labels.count("perhaps") == mark.count("perhaps")


def test_cues_of_another_category_are_named(survey: Survey) -> None:
    why = (
        Reason("tools", "cues of song", "cue", -0.4),
        Reason("tools", "cues against song", "cue", -0.4),
        Reason("tools", "cues of gone", "cue", 0.3),
        Reason("tools", "song", "human", 0.0),
    )
    page = text(relabelled(survey, why=why), "p/arxiv-2401.10230.html")
    assert re.findall(r"<li>([^<]+?)(?: <b>.*?</b>)?</li>", page.partition("machine")[2])[:4] == [
        "cues of ‘Song’",
        "cues against ‘Song’",
        "cues of gone",
        "song",
    ]


def test_labels_come_between_the_text_and_how_to_cite(site: dict[str, bytes]) -> None:
    page = text(site, "p/arxiv-2401.10230.html")
    places = [page.index(part) for part in ('id="text"', "<aside", 'id="cite"')]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("nests (song)", "nests ([Song](c/song.html))"),
        ("a (song, tools/hooks)", "a ([Song](c/song.html), [Hooks](c/tools/hooks.html))"),
        ("b (song, gone)", "b ([Song](c/song.html), gone)"),
        ("c (tools/stones)", "c (Stones)"),
        ("d (method) song", "d (method) song"),
    ],
)
def test_an_id_in_parentheses_is_printed_as_a_name(
    survey: Survey, written: str, printed: str
) -> None:
    assert link_categories(make_catalogue(survey), written) == printed


def test_the_border_of_a_category_links_its_neighbours(site: dict[str, bytes]) -> None:
    assert '<li>birds (<a href="../c/song.html">Song</a>)</li>' in text(site, "c/tools.html")


def test_a_table_that_compares_papers_stands_open_and_tells_status_in_words(
    survey: Survey,
) -> None:
    rows = tuple((f"paper {number}", "reviewed") for number in range(9))
    columns = ("Paper", "Label")
    tables = (Table("papers-song", "Which?", columns, rows), Table("x", "?", columns, rows))
    section = Section("song", "Song", 1, tables)
    site = render_site(
        replace(survey, document=replace(survey.document, sections=(section,), references=()))
    )
    page = text(site, "survey.html")
    assert page.count("<td>paper ") == text(site, "survey.md").count("| paper ") == 18
    sign = '<span class="badge sign reviewed" title="reviewed"><span class="unseen">reviewed</span>'
    assert page.count(sign) == 9
    assert 'class="table compared" id="table-papers-song"' in page


def test_the_cells_of_a_table_of_more_than_two_columns_name_their_column(survey: Survey) -> None:
    table = Table("x", "?", ("Paper", "Year", "Label"), (("a", "1", "b"),), numeric=(1,))
    document = replace(
        survey.document, sections=(Section("song", "Song", 1, (table,)),), references=()
    )
    page = text(render_site(replace(survey, document=document)), "survey.html")
    assert '<td class="n" data-column="Year">1</td>' in page


def test_a_digest_is_not_passed_off_as_an_abstract(site: dict[str, bytes]) -> None:
    page = text(site, "p/arxiv-2401.10230.html")
    assert '<h2 id="text">Digest</h2>' in page
    assert "This is a digest in other words than the authors’" in page
    assert "Ada de la Cruz, Ben Müller and 2 more" in page


def test_authors_in_no_source_are_looked_up_on_arxiv(survey: Survey) -> None:
    first, *rest = survey.entries
    for count, said in ((None, "Authors"), (6, "6 authors")):
        bare = replace(first, paper=replace(first.paper, authors=(), author_count=count))
        site = render_site(replace(survey, entries=(bare, *rest)))
        link = f'<a href="https://arxiv.org/abs/2401.10230" rel="noreferrer">{said}: see arXiv</a>'
        assert link in text(site, f"p/{bare.slug}.html")


def test_a_paper_without_address_offers_a_search(site: dict[str, bytes]) -> None:
    page = text(site, "p/p-0123456789.html")
    assert "?q=A%20title%20and%20nothing%20else" in page
    assert "It was labelled from its title" in page


def test_hostile_texts_are_inert(hostile_site: dict[str, bytes]) -> None:
    assert check_site(hostile_site, other_paths=WRITTEN_ELSEWHERE) == []
    for path, content in hostile_site.items():
        if not path.endswith((".html", ".svg")):
            continue
        page = Tags(content)
        assert "script" not in page.tags or scripts_of(page) <= SCRIPTS, path
        assert not unknown_scripts(content.decode()), path
        assert not [name for name, _ in page.attributes if name.startswith("on")], path
        addresses = [value for name, value in page.attributes if name in {"href", "src"}]
        assert not [a for a in addresses if a.lower().startswith(("javascript:", "x"))], path


def test_hostile_texts_are_inert_in_markdown_too(hostile_site: dict[str, bytes]) -> None:
    survey = text(hostile_site, "survey.md")
    assert not re.search(r"<(?!a id=|/a>)", survey)
    assert "javascript:" in survey
    assert "](javascript:" not in survey


def test_canonical_addresses_only_where_the_site_has_a_home(
    survey: Survey, site: dict[str, bytes]
) -> None:
    assert "canonical" not in text(site, "index.html")
    settings = survey.taxonomy.survey.model_copy(update={"base_url": "https://example.org/b"})
    published = render_site(
        replace(survey, taxonomy=survey.taxonomy.model_copy(update={"survey": settings}))
    )
    assert '<link rel="canonical" href="https://example.org/b/">' in text(published, "index.html")
    assert check_site(published, other_paths=WRITTEN_ELSEWHERE) == []


def test_a_template_of_the_project_wins_by_name(survey: Survey, tmp_path: Path) -> None:
    (tmp_path / "404.html").write_text("Gone: {{ document.title }}", "utf-8")
    site = render_site(survey, [tmp_path])
    assert text(site, "404.html") == "Gone: Birds that plan"
    assert "<h1>Birds that plan</h1>" in text(site, "index.html")


def test_a_template_that_names_what_does_not_exist_is_an_error(
    survey: Survey, tmp_path: Path
) -> None:
    (tmp_path / "404.html").write_text("{{ documents }}", "utf-8")
    with pytest.raises(UndefinedError, match="'documents' is undefined"):
        render_site(survey, [tmp_path])


def test_progress_counts_the_pages(survey: Survey) -> None:
    calls: list[tuple[str, int, int]] = []
    render_site(survey, progress=lambda *call: calls.append(call))
    stages, done, totals = (set(values) for values in zip(*calls, strict=True))
    assert stages == {"Writing pages"}
    (total,) = totals
    assert done == set(range(min(done), total + 1))
    assert total >= len(survey.entries)


def test_papers_json_holds_what_the_site_says(site: dict[str, bytes]) -> None:
    first, *_ = papers = json.loads(site["papers.json"])
    assert len(papers) == 3
    assert first["title"] == snapshot("Hooks: bending 100\\% of wires")
    assert first["title_display"] == snapshot("Hooks: bending 100% of wires")
    assert first["page"] == "p/arxiv-2401.10230.html"
    assert first["cite_key"] == "arxiv-2401.10230"
    assert first["sources"] == ["papers/birds.jsonl:3"]
    assert first["labels"]["topic"] == {
        "categories": ["tools", "tools/hooks", "song"],
        "primary": "tools",
        "confidence": 1.0,
        "status": "reviewed",
        "probabilities": {"song": 1.0, "tools": 1.0},
    }
    said = {"text": "Compare *Bend* [1](https://bend.example/).", "by": "ada", "on": "2025-06-03"}
    assert [paper["remark"] for paper in papers] == [None, said, None]
    assert [paper["key"] for paper in papers] == [False, False, True]


def test_no_file_holds_a_control_character(site: dict[str, bytes]) -> None:
    for path, content in site.items():
        assert not re.search(r"[\x00-\x09\x0b-\x1f]", content.decode()), path
