"""The pages beside survey, topics and papers: what each says of a small survey."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from browsing import pages_of
from conftest import facet_labels
from generated import make_large_survey
from inline_snapshot import snapshot

from classifier.site.exports.data_files import download_groups
from classifier.site.listing import category_downloads, list_pages
from classifier.site.pages.benchmark import find_base_names
from classifier.site.pages.category import related_lists, themes_and_releases
from classifier.site.render import render_site
from classifier.survey.changes.compare import compare
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper
from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import new_facts
from classifier.survey.related import papers_mentioning
from classifier.survey.sections.category.subject import themes
from classifier.survey.survey import Survey
from classifier.taxonomy.claims import Claim, Claims, Placement
from classifier.taxonomy.model import Taxonomy
from classifier.text.result import Result
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences


def text(site: dict[str, bytes], path: str) -> str:
    return site[path].decode()


def labelled(entries: Sequence[SurveyPaper], facet: str, label: str) -> list[SurveyPaper]:
    """Return papers that have a label of a facet, too."""
    return [
        replace(
            entry,
            labels=replace(
                entry.labels, facets={**entry.labels.facets, facet: facet_labels(label)}
            ),
        )
        for entry in entries
    ]


def with_repository(survey: Survey) -> Survey:
    settings = survey.taxonomy.survey.model_copy(
        update={"repository": "https://github.com/crows/survey"}
    )
    return replace(survey, taxonomy=survey.taxonomy.model_copy(update={"survey": settings}))


def test_a_section_says_where_each_sentence_comes_from(site: dict[str, bytes]) -> None:
    page = text(site, "c/tools.html")
    listed = page.partition('id="sources"')[2]
    rows = re.findall(r"<li>(.+?)</li>", listed)
    assert rows == snapshot(
        [
            '<a href="#tools-2">tools-2</a>: computed: <a href="../facts.json">topic.tools</a>',
            '<a href="#tools-3">tools-3</a>: paraphrased: a sentence of a digest: arxiv:1',
        ]
    )


def test_a_number_that_counts_papers_leads_to_them() -> None:
    survey = make_large_survey(40)
    survey = replace(survey, fact_values={"filed=topic-1": 4})
    page = text(render_site(survey), "c/topic-1.html")
    query = '<a href="../browse.html?filed=topic-1">filed under Topic 1</a> = 4'
    assert query in page


def test_what_references_lack_stands_beside_them(site: dict[str, bytes]) -> None:
    missing = "these 3 papers: authors for 1, a date for 1 and an address for 1."
    assert f"Missing in the sources of {missing}" in text(site, "c/song.html")
    assert "Missing in the sources" not in text(site, "c/tools.html")


def test_the_survey_on_one_page_leads_to_each_chapter(site: dict[str, bytes]) -> None:
    page = text(site, "survey.html")
    assert 'href="c/tools.html" aria-label="Tools &amp; hooks on a page of its own"' in page
    assert "Landscape on a page of its own" not in page


def test_a_former_page_of_a_section_leads_to_its_chapter(site: dict[str, bytes]) -> None:
    assert 'url=../c/tools.html"' in text(site, "survey/tools.html")
    assert 'url=../survey.html#landscape"' in text(site, "survey/landscape.html")


def test_benchmarks_name_the_papers_that_name_them() -> None:
    site = render_site(make_large_survey(60))
    page = text(site, "benchmarks.html")
    named = re.findall(r'<th scope="row">(Bench-\d+)</th>.*?benchmarks=(Bench-\d+)">(\d+)<', page)
    numbers = [int(number) for _, _, number in named]
    assert all(name == query for name, query, _ in named)
    assert numbers == sorted(numbers, reverse=True)


def test_what_is_reported_on_is_listed_and_named_whatever_lexicon_has_it() -> None:
    survey = make_large_survey(3)
    lexicons = {"benchmarks": {"Loaf benchmark": ()}, "environments": {"Mill": ()}}
    texts = (
        "Presents a hoe. Results show a gain of 22% on Mill.",
        "Results show a gain of 12% on Loaf, and 3% at Mill 2.0.",
        "It runs in Mill and on Loaf.",
    )
    measured = ("Mill",), ("Loaf benchmark", "Mill 2.0"), ()
    entries = []
    for entry, said, names in zip(survey.entries, texts, measured, strict=True):
        results = results_of(roled_sentences(said), lambda _: ())
        entries.append(
            replace(
                entry,
                paper=replace(entry.paper, abstract=said),
                sentences=tuple(roled_sentences(said)),
                names={"environments": ("Mill",)},
                results=tuple(
                    replace(one, benchmark=name)
                    for one, name in zip(results, names, strict=bool(names))
                ),
            )
        )
    taxonomy = survey.taxonomy.model_copy(update={"lexicons": lexicons})
    site = render_site(replace(survey, taxonomy=taxonomy, entries=tuple(entries)))
    listed = re.findall(r'row"><a href="(b/.+?)">(.+?)</a>.+?href="(.+?)">(\d)<',
                        text(site, "benchmarks.html"))  # fmt: skip
    assert listed == [
        ("b/mill.html", "Mill", "browse.html?environments=Mill", "3"),
        ("b/loaf-benchmark.html", "Loaf benchmark", "b/loaf-benchmark.html", "2"),
        ("b/mill.html", "Mill 2.0", "b/mill.html", "1"),
    ]
    assert {"b/mill.html", "b/loaf-benchmark.html"} == {p for p in pages_of(site) if p[:2] == "b/"}
    mill = text(site, "b/mill.html")
    assert 'Named here: <a href="../browse.html?environments=Mill">Mill by 3 papers</a>' in mill
    assert ", Mill 2.0 by 1" in mill
    assert mill.partition("<h2>Also name it")[2].count("<li><a") == 1
    assert "Named here: Loaf benchmark by 2 papers. Do not rank" in text(
        site, "b/loaf-benchmark.html"
    )
    silent = entries[2].slug
    assert '<a href="../b/mill.html">Mill</a>' in text(site, f"p/{silent}.html")


def test_papers_left_out_beside_a_benchmark_belong_to_no_topic_there() -> None:
    survey = make_large_survey(60)
    entries = tuple(replace(e, names={"benchmarks": ("Bench-1",)}) for e in survey.entries)
    page = text(render_site(replace(survey, entries=entries)), "benchmarks.html")
    assert (
        '</a></p><p>and <a href="browse.html?benchmarks=Bench-1">50 more</a></p></details></td>'
        in page
    )
    counts = re.search(r"<summary>.+? (\d+), other topics (\d+)</summary>", page)
    assert counts
    assert sum(map(int, counts.groups())) == 60


def test_a_survey_that_names_no_benchmark_has_no_page_of_them(site: dict[str, bytes]) -> None:
    assert "benchmarks.html" not in site
    assert "Benchmarks" not in text(site, "index.html")


def test_without_a_baseline_all_papers_are_new(site: dict[str, bytes]) -> None:
    page = text(site, "changes.html")
    assert "The first edition: all 3 papers are new." in page
    assert '<a class="title" href="p/arxiv-2401.10230.html">' in page


def publication(*papers: PublishedPaper) -> Publication:
    return Publication("build", {paper.id: paper for paper in papers}, "topic")


def test_with_a_baseline_the_changes_name_the_papers(survey: Survey) -> None:
    labels = {"topic": PublishedLabels(("song",), "song", "confident", 0.8)}
    old = PublishedPaper("p-0123456789", "A title", labels=labels)
    new = PublishedPaper("doi:10.1000/abc", "Song", labels=labels)
    changes = compare(publication(old), publication(new))
    site = render_site(replace(survey, changes=changes))
    page = text(site, "changes.html")
    assert "Compared with an earlier build: " in page
    assert '<a href="p/doi-10.1000-abc.html">doi:10.1000/abc</a>' in page.partition("added")[2]
    assert "1 paper is new since the last edition, 1 left." in text(site, "index.html")


def test_issues_are_begun_with_the_paper_and_its_labels(survey: Survey) -> None:
    site = render_site(with_repository(survey))
    page = text(site, "p/arxiv-2401.10230.html")
    [address] = re.findall(r'href="(https://github.com/crows/survey/issues/new\?.+?)"', page)
    assert "arxiv:2401.10230" in address
    assert "primary:%20tools%0Atopics:%20tools;" in address
    assert "issues/new?title=Paper%20to%20add" in text(site, "index.html")
    assert "issues/new" not in text(render_site(survey), "index.html")


def test_a_paper_tells_where_the_survey_speaks_of_it(site: dict[str, bytes]) -> None:
    page = text(site, "p/arxiv-2401.10230.html")
    assert (
        '<a href="../c/tools.html#tools-3">Tools &amp; hooks</a> '
        '<span class="note">1 sentence and 1 table</span>'
    ) in page


def test_a_text_is_shown_as_read_by_what_its_sentences_do(site: dict[str, bytes]) -> None:
    page = text(site, "p/arxiv-2401.10230.html")
    assert re.findall(r"<dt>([\w ]+)</dt><dd data-quote=[^>]*>(.+?)</dd>", page)[:3] == [
        ("why", "Crows need hooks."),
        ("what it does", "Introduces Bend, a method."),
        ("found", 'It wins <mark id="found">3%</mark>.'),
    ]


def test_why_a_paper_was_written_is_told_once(survey: Survey) -> None:
    first, *rest = survey.entries
    result = first.sentences[-1]
    turned = (*first.sentences, replace(result, role="problem"))
    site = render_site(replace(survey, entries=(replace(first, sentences=turned), *rest)))
    rows = re.findall(r"<dt>([\w ]+)</dt>", text(site, "p/arxiv-2401.10230.html"))
    assert rows[:3] == ["why", "what it does", "found"]
    assert rows.count("why") == 1


def test_related_papers_lead_to_their_pages(survey: Survey) -> None:
    related = {"p-0123456789": ("doi:10.1000/abc",)}

    def page_of(title: str) -> str:
        *others, last = survey.entries
        entries = [
            replace(each, paper=replace(each.paper, abstract="We survey birdsong at night."))
            if each.paper.id == "doi:10.1000/abc"
            else each
            for each in (*others, replace(last, paper=replace(last.paper, title=title)))
        ]
        site = render_site(replace(survey, related=related, entries=tuple(entries)))
        assert 'id="related"' not in text(site, "p/doi-10.1000-abc.html")
        return text(site, "p/p-0123456789.html").partition('id="related"')[2]

    # One word in common, or none, is no reason to name them.
    assert page_of("Nothing else") == page_of("A survey and nothing else") == ""
    page = page_of("A survey of birdsong")
    assert '<li><a href="../p/doi-10.1000-abc.html">Song of the *crow* | a survey</a>' in page


@pytest.mark.parametrize(
    ("holding", "titles", "number"),
    [
        (2, ("A levain", "An autolyse"), 1),
        (2, ("A levain", "A loaf"), 0),  # only one of them stands in a title
        (11, ("A levain", "An autolyse"), 0),
    ],
)
def test_words_of_no_title_or_of_many_papers_are_no_reason(
    holding: int, titles: tuple[str, ...], number: int
) -> None:
    survey = make_large_survey(40)
    first, second, *_ = survey.entries
    entries = [
        replace(
            entry,
            first=first.first,
            paper=replace(
                entry.paper,
                title=titles[at] if at < len(titles) else f"Bread {at}",
                abstract="A levain, an autolyse." if at < holding else "A dough.",
            ),
        )
        for at, entry in enumerate(survey.entries)
    ]
    related = {first.paper.id: (second.paper.id,)}
    page = text(
        render_site(replace(survey, entries=tuple(entries), related=related)),
        f"p/{first.slug}.html",
    )
    assert page.count("shared words: autolyse, levain") == number


@pytest.mark.parametrize(
    ("items", "most", "sizes", "links"),
    [(0, 2, [0], 0), (2, 2, [2], 0), (3, 2, [2, 1], 2), (5, 2, [2, 2, 1], 3)],
)
def test_a_list_is_cut_into_pages(items: int, most: int, sizes: list[int], links: int) -> None:
    pages = list_pages("c/a.html", range(items), most)
    assert [len(page.items) for page in pages] == sizes
    assert all(len(page.links) == links for page in pages)
    assert [page.path for page in pages][1:] == [f"c/a-{n}.html" for n in range(2, links + 1)]
    assert pages[0].previous == pages[-1].next == ""


def test_files_are_offered_where_they_are_written() -> None:
    written = ("c/a.bib", "c/a.atom", "c/b.bib")
    groups = category_downloads("a", written)
    assert groups == [
        ("All with this topic", [("BibTeX", "c/a.bib")]),
        ("Feed", [("Atom", "c/a.atom")]),
    ]


def test_the_data_page_lists_the_files_with_their_sizes() -> None:
    sizes = {"labels.csv": 45_000, "figures/months.csv": 300, "style.css": 5}
    assert download_groups(sizes, {"figures/months.csv": "Most are of 2025"}) == snapshot(
        [
            (
                "Labels",
                [
                    (
                        "labels.csv",
                        "every label and its reason; correct labels in the empty columns",
                        "45 kB",
                    )
                ],
            ),
            ("Figures", [("figures/months.csv", "the numbers of “Most are of 2025”", "1 kB")]),
        ]
    )


@pytest.mark.parametrize(("topic", "columns"), [("sourdough", 3), ("keeping", 2)])
def test_kinds_are_counted_with_code_where_any_paper_of_the_topic_has_some(
    topic: str, columns: int, bread_site: dict[str, bytes]
) -> None:
    table = text(bread_site, f"c/{topic}.html").partition('<table class="kinds">')[2]
    assert table.partition("</table>")[0].count('scope="col"') == columns


def test_themes_and_problems_of_a_topic_are_counted_and_lead_to_their_lists(
    survey: Survey,
) -> None:
    data = survey.taxonomy.model_dump()
    tops = [category.id for category in survey.taxonomy.first.categories]
    data["facets"]["theme"] = {
        "kind": "multi", "applies_to": tops, "categories": [{"id": "wire"}, {"id": "dusk"}],
    }  # fmt: skip
    entries = labelled(survey.entries, "theme", "wire")
    changed = replace(survey, taxonomy=Taxonomy.model_validate(data))
    assert themes_and_releases(changed, "tools", entries[:1]) == []
    assert themes_and_releases(changed, "tools", entries) == [
        ("Papers by theme", [("Wire", len(entries), "browse.html?theme=wire&topic=tools")]),
    ]
    assert [facet.id for facet in themes(changed.taxonomy)] == ["theme"]


def test_a_topic_leads_to_papers_elsewhere_with_the_label_that_most_of_its_own_have(
    survey: Survey,
) -> None:
    data = survey.taxonomy.model_dump()
    tops = [category.id for category in survey.taxonomy.first.categories]
    data["facets"]["made"] = {
        "name": "Made by", "kind": "multi", "applies_to": tops[:1], "categories": [{"id": "beak"}],
    }  # fmt: skip
    taxonomy = Taxonomy.model_validate(data)
    entries = tuple(labelled(make_large_survey(9).entries, "made", "beak"))
    facts = new_facts(taxonomy, entries)
    changed = replace(survey, taxonomy=taxonomy, entries=entries, facts=facts)
    topic = taxonomy.first.categories[0]
    rows = [(": made by Beak", 9, "browse.html?made=beak")]
    assert related_lists(changed, topic, entries[:6]) == rows
    assert related_lists(changed, topic, entries[:7]) == []  # of two elsewhere
    assert related_lists(changed, topic, entries[:4]) == []
    assert related_lists(changed, topic, ()) == []


def test_versions_of_a_benchmark_share_its_page() -> None:
    survey = make_large_survey(3)
    assert find_base_names(["Loaf-Bench", "Loaf-Bench Verified", "Loaf"], survey) == {
        "Loaf-Bench": "Loaf",
        "Loaf-Bench Verified": "Loaf",
        "Loaf": "Loaf",
    }
    assert find_base_names(["LoafBench", "Loaf-Verified"], survey) == {
        "LoafBench": "LoafBench",
        "Loaf-Verified": "Loaf-Verified",
    }


def test_years_of_a_benchmark_share_its_page() -> None:
    survey = make_large_survey(3)
    assert find_base_names(["Loaf benchmark", "Loaf 2024", "Loaf 2025"], survey) == {
        "Loaf benchmark": "Loaf benchmark",
        "Loaf 2024": "Loaf benchmark",
        "Loaf 2025": "Loaf benchmark",
    }


def test_a_raised_sign_tells_a_version() -> None:
    found = find_base_names(["τ-bench", "τ²-bench", "τᶜ-Bench"], make_large_survey(3))
    assert set(found.values()) == {"τ-bench"}


def test_a_paper_links_the_pages_of_its_benchmarks() -> None:
    survey = make_large_survey(3)
    said = "Presents a hoe. Results show 22% relative gain in success."
    [result] = results_of(roled_sentences(said), lambda _: ())
    [first, second, *_] = survey.entries
    first = replace(
        first,
        paper=replace(first.paper, title="Bench-1: loaves"),
        names={"benchmarks": ("Bench-1", "Bench-2")},
        results=(replace(result, benchmark="Bench-1"),),
    )
    second = replace(second, names={"benchmarks": ("Bench-1",)}, results=())
    site = render_site(replace(survey, entries=(first, second), facts=None))
    linked = '<a href="../b/bench-1.html">Bench-1</a> <span class="note">'
    assert f"{linked}introduced</span></p>" in text(site, f"p/{first.slug}.html")
    assert f"{linked}named</span></p>" in text(site, f"p/{second.slug}.html")


def test_a_paper_tells_which_others_hold_its_name_and_where() -> None:
    survey = make_large_survey(3)
    [first, second, *_] = survey.entries
    first = replace(first, paper=replace(first.paper, title="HoeNet: digging"))
    said = "Digs soil. It beats HoeNet."
    paper = replace(second.paper, abstract=said)
    second = replace(second, paper=paper, sentences=tuple(roled_sentences(said)))
    entries = (first, second)
    site = render_site(
        replace(survey, entries=entries, mentioned_by=papers_mentioning(entries), facts=None)
    )
    section = text(site, f"p/{first.slug}.html").partition('id="naming"')[2]
    assert f'<a href="../p/{second.slug}.html">' in section
    assert re.search('</a>: “<span data-quote="[^"]+">It beats HoeNet.</span>”</li>', section)
    assert 'id="naming"' not in text(site, f"p/{second.slug}.html")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Presents a hoe, along with Bench-1, a benchmark.", "Introduced here by <a"),
        ("Presents a hoe on Bench-1.", "No paper here was found to introduce it."),
    ],
)
def test_who_introduces_a_benchmark_is_told_or_that_nobody_here_does(said: str, told: str) -> None:
    survey = make_large_survey(3)
    said += " Results show 22% relative gain in success."
    sentences = tuple(roled_sentences(said))
    [result] = results_of(sentences, lambda _: ())
    first = replace(
        survey.entries[0],
        sentences=sentences,
        names={"benchmarks": ("Bench-1",)},
        results=(replace(result, benchmark="Bench-1"),),
    )
    data = survey.taxonomy.model_dump() | {"lexicons": {"benchmarks": {"Bench-1": []}}}
    taxonomy = type(survey.taxonomy).model_validate(data)
    site = render_site(
        replace(survey, taxonomy=taxonomy, whole_taxonomy=taxonomy, entries=(first,), facts=None)
    )
    assert told in text(site, "b/bench-1.html")


def test_the_page_of_a_benchmark_names_the_claims_that_a_sentence_on_it_bears_on() -> None:
    survey = make_large_survey(2)
    said = "Presents a hoe. Results show 22% relative gain in success on Bench-1."
    [result] = results_of(roled_sentences(said), lambda _: ())
    one, other = survey.entries
    paper = replace(one.paper, abstract=said, abstract_kind="digest")
    one = replace(one, paper=paper, results=(replace(result, benchmark="Bench-1"),))
    placed = Placement("for", one.paper.id, "22% relative gain", "", 1)
    claims = [
        Claim(words, one.first.primary, "Ada", False, (placed,), 1)
        for words in ("Hoes win.", "Rakes.")
    ]
    claims[1] = replace(claims[1], placements=(replace(placed, words="Presents a hoe"),))
    data = survey.taxonomy.model_dump() | {"lexicons": {"benchmarks": {"Bench-1": []}}}
    taxonomy = type(survey.taxonomy).model_validate(data)
    page = text(
        render_site(
            replace(
                survey,
                taxonomy=taxonomy,
                whole_taxonomy=taxonomy,
                entries=(one, other),
                facts=None,
                claims=Claims((), tuple(claims)),
            )
        ),
        "b/bench-1.html",
    )
    assert "Hoes win.</a> (the one paper on it supports it)" in page
    assert "Rakes." not in page


def test_levels_by_several_measures_name_them() -> None:
    survey = make_large_survey(3)
    said = "Presents a hoe. Results: our hoe reaches 87.2% pass@3 and 75.1% pass@1 on Bench-1."
    results = results_of(roled_sentences(said), lambda _: ())
    rows = tuple(replace(each, benchmark="Bench-1", kind="level") for each in results)
    assert len(rows) == 2

    def measures(*shown: Result) -> list[str]:
        entries = (replace(survey.entries[0], results=shown), *survey.entries[1:])
        page = text(render_site(replace(survey, entries=entries)), "b/bench-1.html")
        return re.findall('<th scope="row">(.*?)<', page)

    assert measures(*rows) == ["87.2 % pass@3", "75.1 % pass@1"]
    assert measures(rows[0]) == ["87.2 %"]


def test_data_have_the_kind_and_the_measure_that_the_page_of_a_benchmark_has() -> None:
    survey = make_large_survey(3)
    said = (
        "Presents a hoe. Results show that it improves success by 22% on Bench-1. "
        "Results: our hoe solves fewer than 50% of tasks on Bench-1, with pass⁸ below 25%."
    )
    results = results_of(roled_sentences(said), lambda _: ())
    rows = tuple(replace(each, benchmark="Bench-1") for each in results)
    entries = (replace(survey.entries[0], results=rows), *survey.entries[1:])
    site = render_site(replace(survey, entries=entries))
    told = {row["value"]: (row["kind"], row["metric"]) for row in json.loads(site["results.json"])}
    assert told == {"22": ("gain unclear", ""), "50": ("level", ""), "25": ("level", "pass⁸")}
    [paper] = [each for each in json.loads(site["papers.json"]) if each["results"]]
    assert {each["value"]: (each["kind"], each["metric"]) for each in paper["results"]} == told
    page = text(site, "b/bench-1.html")
    assert sorted(re.findall('<th scope="row">(.*?)<', page)) == [
        "+22 %",
        "below 25 % pass⁸",
        "below 50 %",
    ]


def test_savings_are_costs_and_no_gains_on_the_page_of_a_benchmark() -> None:
    survey = make_large_survey(3)
    said = "Presents a hoe. Results show 22% relative gain in success with 11% faster execution."
    results = results_of(roled_sentences(said), lambda _: ())
    rows = tuple(replace(each, benchmark="Bench-1") for each in results)
    entries = (replace(survey.entries[0], results=rows), *survey.entries[1:])
    page = text(render_site(replace(survey, entries=entries)), "b/bench-1.html")
    gains, _, costs = page.partition("<h2>Costs")
    assert "<mark>22%" in gains
    assert "<mark>11%" in costs
    assert "<mark>11%" not in gains


def test_a_version_stands_beside_its_number_and_a_count_of_none_is_not_said() -> None:
    survey = make_large_survey(3)
    said = "Presents a hoe. Results show 22% relative gain in success."
    (found,) = results_of(roled_sentences(said), lambda _: ())
    results = (replace(found, benchmark="Bench-1 2.0"), replace(found, benchmark="Bench-1"))
    entries = (replace(survey.entries[0], results=results), *survey.entries[1:])
    page = text(render_site(replace(survey, entries=entries)), "b/bench-1.html")
    assert '<td data-column="Version">Bench-1 2.0</td>' in page
    assert "on the whole benchmark" not in page


def test_a_paper_that_names_a_benchmark_without_a_figure_is_quoted_on_its_page() -> None:
    survey = make_large_survey(3)
    said = "Presents a hoe. Results show a gain of 22% on Bench-1. It is best there."
    results = results_of(roled_sentences(said), lambda _: ())
    first, second, third = survey.entries
    names = {"benchmarks": ("Bench-1",)}
    lexicons = {**survey.taxonomy.lexicons, "benchmarks": {"Bench-1": ()}}
    taxonomy = survey.taxonomy.model_copy(update={"lexicons": lexicons})
    paper = replace(second.paper, abstract_kind="abstract")
    told = roled_sentences("We build a rake. It is, we find, the best on Bench-1.")
    entries = (
        replace(
            first, names=names, results=tuple(replace(r, benchmark="Bench-1") for r in results)
        ),
        replace(second, paper=paper, names=names, results=(), sentences=told),
        replace(third, names={}, results=()),
    )
    page = text(render_site(replace(survey, taxonomy=taxonomy, entries=entries)), "b/bench-1.html")
    silent = page.partition("<h2>Also name it")[2]
    assert silent.count("<li><a") == 1
    assert re.search(
        '</a>: “<span data-quote="[^"]+">It is, we find, the best on Bench-1.</span>”</li>', silent
    )


def test_figures_stand_behind_the_only_benchmark_that_they_could_be_on() -> None:
    survey = make_large_survey(3)
    said = roled_sentences("Presents a hoe for Bench-1. Results show a success rate of 38%.")
    results = results_of(said, lambda _: ())
    lexicons = {**survey.taxonomy.lexicons, "benchmarks": {"Bench-1": (), "Bench-2": ()}}
    taxonomy = survey.taxonomy.model_copy(update={"lexicons": lexicons})
    first, second, third = (
        replace(entry, paper=replace(entry.paper, abstract_kind="digest"), sentences=said)
        for entry in survey.entries
    )
    entries = (
        replace(first, names={}, results=tuple(replace(r, benchmark="Bench-1") for r in results)),
        replace(second, names={"benchmarks": ("Bench-1",)}, results=results),
        replace(third, names={"benchmarks": ("Bench-1", "Bench-2")}, results=results),
    )
    page = text(render_site(replace(survey, taxonomy=taxonomy, entries=entries)), "b/bench-1.html")
    silent = page.partition("<h2>Also name it")[2]
    assert silent.count("Presents a hoe for Bench-1.") == 2
    assert silent.count("Results show a success rate of 38%.") == 1
