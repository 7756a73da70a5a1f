"""The page of a category: its border, what the survey says of it, and its papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from classifier.site import paths
from classifier.site.blocks import anchor
from classifier.site.listing import Catalogue, ListPage, category_downloads, list_pages
from classifier.site.markup import escape_marks, markdown_to_html, plain_text
from classifier.site.quotes import quoted
from classifier.survey.document import Block, Paragraph, Section, Sentence, Table, sentences_of
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import name_of
from classifier.survey.sections.category.section import other_work_id
from classifier.survey.sections.category.subject import themes
from classifier.survey.sections.unsolved import open_problem_of
from classifier.survey.survey import Survey
from classifier.survey.wording import in_prose, join_words
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import without_dead_links

_IN_PARENTHESES = re.compile(r"\(([a-z0-9/-]+(?:, [a-z0-9/-]+)*)\)")
PAPERS_ON_A_PAGE = 60
"""Maximum number of papers on the first page; the rest go to further pages."""


def category_page(
    catalogue: Catalogue, category: Category, written: Collection[str]
) -> dict[str, object]:
    """Return the content of a category's page, except its papers.

    written: files that lie beside the pages.
    """
    survey = catalogue.survey
    facet, having = survey.taxonomy.first, catalogue.having.get(category.id, ())
    sections = category_sections(survey, category)
    return {
        "category": category,
        "total": len(having),
        "summary": plain_text(" ".join(category.definition.split())),
        "definition": markdown_to_html(without_dead_links(category.definition)),
        "includes": [name_categories(catalogue, text) for text in category.includes],
        "excludes": [name_categories(catalogue, text) for text in category.excludes],
        "parent": facet.get(category.id.rpartition("/")[0]),
        "children": [each for each in category.walk() if each.id in catalogue.paged_ids][1:],
        "other_work": other_work_link(survey, category, sections),
        "kinds_of": kinds_of(survey, category.id, having),
        "found_by": found_by(survey, category.id, having),
        "kindred": kindred(survey, category, having),
        "unsolved": left_open_in(having),
        "sections": sections,
        "contents": chapter_contents(survey, category, sections),
        "paged": catalogue.paged_ids,
        "downloads": category_downloads(category.id, written),
        "missing": _missing(having),
        "query": paths.browse((facet.id, category.id)),
    }


def _missing(entries: Sequence[SurveyPaper]) -> str:
    """Return the fields that references lack, with counts: "authors for 5"."""
    papers = [entry.paper for entry in entries]
    lacking = {
        "authors": sum(not paper.authors for paper in papers),
        "a date": sum(not paper.published.date for paper in papers),
        "an address": sum(not paths.web_address(paper.link) for paper in papers),
    }
    return join_words([f"{what} for {lack:,}" for what, lack in lacking.items() if lack])


def category_lists(
    catalogue: Catalogue, category: Category
) -> Iterator[
    tuple[ListPage[tuple[str, SurveyPaper]], list[tuple[str, str, int, list[SurveyPaper]]]]
]:
    """Yield the papers of a category, page by page: those filed there first.

    Of each group its id, its heading, how many papers there are on all pages, those on this one.
    """
    having = catalogue.having.get(category.id, ())
    also = [entry for entry in having if entry.first.primary != category.id]
    # Papers are filed under top categories only.
    heading = "Papers" if "/" in category.id else "Also about this, filed elsewhere"
    groups = (
        ("filed", "Papers filed here", _key_papers_first(catalogue.filed.get(category.id, ()))),
        ("also", heading, _key_papers_first(also)),
    )
    listed = [(name, entry) for name, _, entries in groups for entry in entries]
    for page in list_pages(paths.category_page(category.id), listed, PAPERS_ON_A_PAGE):
        shown = [
            (name, heading, len(entries), [entry for group, entry in page.items if group == name])
            for name, heading, entries in groups
        ]
        yield page, [group for group in shown if group[3]]


def category_sections(survey: Survey, category: Category) -> list[Section]:
    """Return the sections of the document about a category, without its definition and remarks.

    These are the section of that id and the subsections that follow it. The definition is at the
    top of the page, and each remark is next to its paper.
    """
    own = f"taxonomy: {survey.taxonomy.first.id}/{category.id}/definition"
    found = list(dropwhile(lambda each: each.id != category.id, survey.document.sections))
    below = takewhile(lambda each: each.level > found[0].level, found[1:])
    return [
        replace(section, blocks=tuple(_not_repeated(section.blocks, own)))
        for section in [*found[:1], *below]
    ]


Contents = list[tuple[str, list[tuple[str, str]]]]
"""(heading, its entries as (anchor, text)); the first anchor is that of the heading."""


def chapter_contents(survey: Survey, category: Category, sections: Sequence[Section]) -> Contents:
    """Return the contents of a chapter: its claims, its parts and its tables of papers."""
    own = [section for section in sections if section.id == category.id]
    blocks = [block for section in own for block in section.blocks]
    printed = {sentence.id for sentence in sentences_of(own)}
    anchors = {
        f"{category.id}-{claim.name}": plain_text(without_dead_links(claim.heading))
        for claim in survey.claims.under(category.id)[1]
    }
    claims = [(anchor_id, text) for anchor_id, text in anchors.items() if anchor_id in printed]
    parts = [
        (section.id, section.title) for section in sections if section not in own and section.blocks
    ]
    tables = [block for block in blocks if isinstance(block, Table)]
    compared = [(anchor(each), "") for each in tables if each.id.startswith("papers-")]
    entries = {
        "Claims and their evidence": claims,
        "Parts": parts,
        "Papers compared": compared,
    }
    return [(heading, found) for heading, found in entries.items() if found]


def other_work_link(
    survey: Survey, category: Category, sections: Sequence[Section]
) -> tuple[str, int] | None:
    """Return the anchor of the last part, of papers in no other, and their number, if any."""
    section_id = other_work_id(category)
    if all(section.id != section_id for section in sections):
        return None
    return section_id, survey.facts.number(f"{category.id}.other_work")


def name_categories(catalogue: Catalogue, text: str) -> str:
    """Return Markdown in which the ids of categories in parentheses are links with their names.

    Ids of the first facet only; a category without a page is named and not linked.
    """

    def named(category_id: str) -> str:
        category = catalogue.survey.taxonomy.first.get(category_id)
        if category is None:
            return category_id
        name = escape_marks(category.name)
        is_paged = category_id in catalogue.paged_ids
        return f"[{name}]({paths.category_page(category_id)})" if is_paged else name

    return _IN_PARENTHESES.sub(
        lambda match: f"({', '.join(map(named, match.group(1).split(', ')))})",
        without_dead_links(text),
    )


def _not_repeated(blocks: Sequence[Block], own: str) -> Iterator[Block]:
    def repeats(sentence: Sentence) -> bool:
        is_remark = sentence.kind == "H" and sentence.source.startswith("reviews.csv: ")
        return is_remark or (sentence.kind == "D" and sentence.source == own)

    for block in blocks:
        if isinstance(block, Paragraph):
            if kept := tuple(sentence for sentence in block.sentences if not repeats(sentence)):
                yield Paragraph(kept)
        else:
            yield block


def _key_papers_first(entries: Sequence[SurveyPaper]) -> list[SurveyPaper]:
    return sorted(entries, key=lambda entry: entry.key is None)


KindRow = tuple[str, int, str, int, str]
"""Name, papers, where they are listed, how many have code or say so, where these are."""


def kinds_of(
    survey: Survey, category_id: str, entries: Sequence[SurveyPaper]
) -> tuple[str, list[KindRow]] | None:
    """Return the kinds of a category's papers: by the first facet that gives each paper one label.

    Its name in small letters, and a row a kind; all papers in the last row. None where the taxonomy
    has no such facet, or the category no papers.
    """
    _, *others = survey.taxonomy.facets.values()
    facet = next((f for f in others if f.kind == "single" and not f.applies_to), None)
    if facet is None or not entries:
        return None
    topic = (survey.taxonomy.first.id, category_id)
    rows = [
        _row(category.name, (topic, (facet.id, category.id)), found)
        for category in facet.walk()
        if (found := [e for e in entries if category.id in _given(e, facet)])
    ]
    return in_prose(facet.name), [*rows, _row("All", (topic,), entries)]


_MIN_PAPERS, _MAX_VALUES = 2, 8
_MAX_LEFT_OPEN = 12
"""Maximum number of papers in the list of what papers leave open."""


def found_by(
    survey: Survey, category_id: str, entries: Sequence[SurveyPaper]
) -> list[tuple[str, list[tuple[str, int, str]]]]:
    """Return which themes a category's papers have, and what beside code they say is released.

    Each with its commonest values: name, papers, where they are listed.
    """
    topic = (survey.taxonomy.first.id, category_id)
    lists = []
    for facet in themes(survey.taxonomy):
        found = Counter(value for entry in entries for value in _given(entry, facet))
        rows = [
            (each.name, number, paths.browse(topic, (facet.id, each.id)))
            for each in sorted(facet.walk(), key=lambda each: -found[each.id])[:_MAX_VALUES]
            if (number := found[each.id]) >= _MIN_PAPERS
        ]
        if rows:
            lists.append((f"Papers by {in_prose(facet.name)}", rows))
    handed: Counter[str] = Counter(what for entry in entries for what in entry.released)
    released = [
        (what, number, paths.browse(topic, ("code", what)))
        for what, number in sorted(handed.items())
        if number >= _MIN_PAPERS
    ]
    return [*lists, ("Said to be released", released)] if released else lists


_SHARED_BY = 0.55
"""The share of a topic's papers by which a label of theirs is worth following to other topics."""
_SHARING, _ELSEWHERE = 5, 3
"""Papers that have it at least, here and in other topics."""


def kindred(
    survey: Survey, category: Category, entries: Sequence[SurveyPaper]
) -> list[tuple[str, int, str]]:
    """Return lists of papers of all topics that readers of a category may look for, too.

    Of a part the themes that its name holds, of a topic the labels that most of its papers have and
    some elsewhere: in words, how many papers, where they are listed.
    """
    all_themes, words = themes(survey.taxonomy), category.name.lower().replace(",", "").split()
    is_part, found = "/" in category.id, []
    given = [facet for facet in survey.taxonomy.facets.values() if facet.may_be_unstated]
    for facet in all_themes if is_part else given:
        for label in facet.walk():
            number = survey.facts.select((facet.id, label.id)).number
            if is_part:
                leads = number > 0 and label.name.lower().split(" & ")[0] in words
            else:
                here = sum(label.id in _given(entry, facet) for entry in entries)
                enough = here >= max(_SHARING, _SHARED_BY * len(entries))
                leads = enough and number - here >= _ELSEWHERE
            if leads:
                on = " on" if facet in all_themes else f": {in_prose(facet.name)}"
                found.append((f"{on} {label.name}", number, paths.browse((facet.id, label.id))))
    return found


def left_open_in(entries: Sequence[SurveyPaper]) -> list[tuple[str, str, str]]:
    """Return (name, page, sentence) of the papers that leave something open, newest first."""
    stated = ((entry, open_problem_of(entry)) for entry in entries)
    found = [(entry, words) for entry, words in stated if words]
    return [
        (name_of(entry), paths.paper_page(entry), quoted(entry, words))
        for entry, words in found[:_MAX_LEFT_OPEN]
    ]


def _given(entry: SurveyPaper, facet: Facet) -> Sequence[str]:
    labels = entry.labels.facets.get(facet.id)
    return labels.categories if labels else ()


def _row(name: str, terms: tuple[tuple[str, str], ...], entries: Sequence[SurveyPaper]) -> KindRow:
    return (
        name,
        len(entries),
        paths.browse(*terms),
        sum(bool(entry.code) for entry in entries),
        paths.browse(*terms, ("code", "yes")),
    )
