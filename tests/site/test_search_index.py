from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import facet_labels
from generated import make_large_survey
from inline_snapshot import snapshot

from classifier.papers.paper import Paper, Published
from classifier.site.listing import newest_first
from classifier.site.paths import SEARCH_INDEX
from classifier.site.render import render_site
from classifier.site.search_index import (
    authors_for_index,
    search_index,
    shorten,
    sorted_search_keys,
)
from classifier.site.search_places import (
    label_places,
    landmark_places,
    problem_places,
    release_places,
)
from classifier.survey.document import Paragraph, Sentence
from classifier.survey.facts import new_facts
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Taxonomy
from classifier.text.roles import roled_sentences
from tools.benchmarks.searching import large_survey, weight

# A quarter of five thousand: compressed, weight grows no faster than the number of papers.
QUARTER, OF_WEIGHT = 1250, 700_000 / 4
BESIDE = ("keys", "places", "abbreviations")
DAYS = ("2026-05-02", "2026-05-26")


def read(script: str) -> dict[str, Any]:
    """Return what the script sets, as JSON."""
    before, _, rest = script.partition("{")
    assert before == "var fieldguideIndex="
    columns: dict[str, Any] = json.loads("{" + rest.removesuffix(";\n"))
    return columns


def test_every_place_that_the_search_offers_is_there() -> None:
    survey = make_large_survey(60)
    first, *others = survey.document.sections
    told = Paragraph(
        (Sentence(f"{first.id}-path-editors-1", "Read first: this.", "H", "taxonomy: claims"),)
    )
    sections = (replace(first, blocks=(told, *first.blocks)), *others)
    survey = replace(survey, document=replace(survey.document, sections=sections))
    site = {path: content.decode() for path, content in render_site(survey).items()}
    places = read(site[SEARCH_INDEX])["places"]
    assert "Start here" in [name for name, *_ in places]
    for _, _, address, *_ in places:
        page, _, anchor = address.partition("#")
        shown = site[page.partition("?")[0]]
        assert f'id="{anchor}"' in shown or not anchor, address


def test_every_paper_has_its_place_in_each_column_the_newest_first(survey: Survey) -> None:
    index = read(search_index(survey))
    assert index["pages"] == ["arxiv-2401.10230", "doi-10.1000-abc", "p-0123456789"]
    assert index["dates"] == ["2024-01-20", "2023-05", ""]
    assert index["titles"][0] == snapshot("Hooks: bending 100% of wires")
    assert index["texts"][0].startswith("Introduces Bend, a method.\nCrows need hooks.")
    assert index["code"] == ["github.com/crows/bend", "", ""]
    assert index["organisations"] == ["", "Bird House", ""]
    assert index["authors"] == snapshot(
        ["Ada de la Cruz; Ben Müller; et al.", "Cy Three; et al.", ""]
    )
    columns = [column for name, column in index.items() if name not in BESIDE]
    assert {len(column) for column in columns} == {len(survey.entries)}


def test_of_a_month_the_greater_arxiv_number_is_newer_and_a_stated_day_stays(
    survey: Survey,
) -> None:
    dates = {"2605.31264": "2026-05", "2605.07358": "2026-05-25", "2605.00100": "2026-05"}
    papers = [
        Paper(number, id=f"arxiv:{number}", arxiv_id=number, published=Published(date))
        for number, date in dates.items()
    ]
    papers += [Paper("no number", id=f"p-{day}", published=Published(day)) for day in DAYS]
    entries = [replace(survey.entries[0], paper=paper) for paper in papers]
    assert [entry.paper.id for entry in newest_first(entries)] == [
        "p-2026-05-26", "arxiv:2605.31264", "arxiv:2605.07358", "p-2026-05-02", "arxiv:2605.00100",
    ]  # fmt: skip


def test_the_terms_of_a_paper_are_those_of_the_facts(survey: Survey) -> None:
    index = read(search_index(survey))
    terms = [(key["id"], value[0]) for key in index["keys"] for value in key["values"]]
    for numbers in index["terms"]:
        assert numbers == sorted(set(numbers))
    for number, term in enumerate(terms):
        found = {
            page for page, of in zip(index["pages"], index["terms"], strict=True) if number in of
        }
        assert found == {entry.slug for entry in survey.facts.select(term).entries}


def test_the_same_edition_gives_the_same_text_in_any_order_of_papers(survey: Survey) -> None:
    turned = replace(survey, entries=survey.entries[::-1])
    assert search_index(survey) == search_index(turned)


@pytest.mark.parametrize(
    ("names", "count", "written"),
    [
        ((), None, ""),
        (("A",), 1, "A"),
        (("A",), None, "A; et al."),
        (("A", "B"), 5, "A; B; et al."),
        (tuple("ABCDEFGHIJ"), None, "A; B; C; D; E; F; G; H; et al."),
    ],
)
def test_authors_are_cut_where_they_are_many(
    names: tuple[str, ...], count: int | None, written: str
) -> None:
    paper = Paper("T", authors=names, author_count=count, organisation="Bird House")
    assert authors_for_index(paper) == written


def test_a_long_text_is_cut_behind_a_word() -> None:
    cut = shorten("crumb, " * 60)
    assert len(cut) <= 200
    assert cut.endswith("crumb …")
    assert shorten("x" * 200) == "x" * 200


def test_the_keys_name_every_category_and_every_name_that_was_found(survey: Survey) -> None:
    keys = {key.id: key for key in sorted_search_keys(survey)}
    assert [value[0] for value in keys["topic"].values] == [
        "tools", "tools/hooks", "tools/stones", "song", "flight",
    ]  # fmt: skip
    assert [value[0] for value in keys["month"].values] == ["2024-01", "2023-05", "undated"]
    phrases = {value: phrase for key in keys.values() for value, _, phrase in key.values}
    assert phrases["tools/hooks"] == "about Hooks"
    assert phrases["2023-05"] == "of May 2023"
    assert phrases["survey"] == "contribution: Survey"
    assert (keys["topic"].many, keys["contribution"].many) == (True, False)


def test_labels_of_some_papers_are_found_by_their_cues(survey: Survey) -> None:
    methods = {
        "kind": "multi",
        "applies_to": ["tools"],
        "categories": [
            {"id": "bent", "name": "bent wire", "cues": {"title": ["hooked", "bent-wire tool~"],
             "anywhere": ["wire bending"], "against": ["fork"]}},
            {"id": "cut"},
        ],
    }  # fmt: skip
    data = survey.taxonomy.model_dump()
    data["facets"]["made_by"] = methods
    taxonomy = Taxonomy.model_validate(data)
    first, *others = survey.entries
    facets = {**first.labels.facets, "made_by": facet_labels("bent")}
    entries = (replace(first, labels=replace(first.labels, facets=facets)), *others)
    assert label_places(
        replace(survey, taxonomy=taxonomy, whole_taxonomy=taxonomy, entries=entries, facts=None)
    ) == snapshot(
        [
            (
                "Made by: bent wire (1 of 1 paper)",
                "label",
                "browse.html?made_by=bent",
                "bent wire tool, hooked, wire bending",
            ),
        ]
    )


def test_the_sentence_that_states_a_problem_is_found_in_the_whole_text(survey: Survey) -> None:
    first, *others = survey.entries
    said = first.sentences[0]
    stating = replace(first, names={"unsolved": ("wires",)}, unsolved={"wires": said})
    data = survey.taxonomy.model_dump() | {"lexicons": {"unsolved": {"wires": ["wires"]}}}
    taxonomy = Taxonomy.model_validate(data)
    survey = replace(
        survey, taxonomy=taxonomy, whole_taxonomy=taxonomy, entries=(stating, *others), facts=None
    )
    index = read(search_index(survey))
    [place] = problem_places(survey)
    assert place == (
        "Wires (unsolved in 1 paper)", "open problem", "browse.html?unsolved=wires",
        "wires", place[4],
    )  # fmt: skip
    assert place[4].startswith("unsolved ")
    [[number, start, end]], *rest = index["said"]
    terms = [value[0] for key in index["keys"] for value in key["values"]]
    assert (terms[number], rest) == ("wires", [[], []])
    assert index["texts"][0].split("\n")[1][start:end] == "Crows need hooks."


def test_a_work_outside_the_sample_is_found_with_the_number_of_papers_that_name_it(
    survey: Survey,
) -> None:
    known = {"Hooks": (), "Bent": ("bent wire",), "WireGym": ()}
    taxonomy = survey.taxonomy.model_copy(update={"landmarks": known})
    places = list(landmark_places(replace(survey, taxonomy=taxonomy), "survey.html"))
    assert places == snapshot(
        [
            (
                "Bent (not in this sample; no paper names it)",
                "landmark",
                "survey.html#landmarks",
                "bent wire",
            ),
            (
                "WireGym (not in this sample; no paper names it)",
                "landmark",
                "survey.html#landmarks",
                "",
            ),
        ]
    )


def test_a_list_of_what_is_released_shows_the_sentence_that_says_so(survey: Survey) -> None:
    first, *others = survey.entries
    text = "We bend wire. Models and data are released."
    paper = replace(first.paper, abstract=text, code_urls=())
    stating = replace(first, paper=paper, sentences=roled_sentences(text))
    entries = (stating, *others)
    facts = new_facts(survey.taxonomy, entries)
    survey = replace(survey, entries=entries, facts=facts)
    index = read(search_index(survey))
    terms = [value[0] for key in index["keys"] for value in key["values"]]
    told = [(terms[n], text[start:end]) for n, start, end in index["said"][0]]
    assert told == [(what, "Models and data are released.") for what in ("models", "data")]
    assert [place[:3] for place in release_places(survey)] == snapshot(
        [
            ("Models said to be released (1 paper)", "label", "browse.html?code=models"),
            ("Data said to be released (1 paper)", "label", "browse.html?code=data"),
        ]
    )


def test_five_thousand_papers_stay_below_seven_hundred_kilobytes(shared: Path) -> None:
    script = search_index(large_survey(shared, QUARTER))
    assert len(read(script)["pages"]) == QUARTER
    assert weight(script) <= OF_WEIGHT
