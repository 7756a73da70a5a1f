"""The page of a category: its definition, its chapter of the survey, and its papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from classifier.site import paths
from classifier.site.blocks import block_anchor
from classifier.site.listing import Catalogue, ListPage, category_downloads, list_pages
from classifier.site.markup import escape_markdown_characters, markdown_to_html, plain_text
from classifier.site.quotes import quote_sentences
from classifier.survey.document import Block, Paragraph, Section, Sentence, Table, sentences_of
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import name_of
from classifier.survey.sections.category.subject import themes
from classifier.survey.sections.unsolved import open_problem_of
from classifier.survey.survey import Survey
from classifier.survey.wording import join_words, name_in_prose
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import without_dead_links

_IDS_IN_PARENTHESES = re.compile(r"\(([a-z0-9/-]+(?:, [a-z0-9/-]+)*)\)")
MAX_PAPERS = 60
"""Maximum number of papers per page."""


def category_page(
    catalogue: Catalogue, category: Category, written_files: Collection[str]
) -> dict[str, object]:
    """Return the variables of a category's template, except its papers.

    written_files: paths of the files written so far.
    """
    survey = catalogue.survey
    facet, entries = survey.taxonomy.first, catalogue.tagged.get(category.id, ())
    sections = category_sections(survey, category)
    return {
        "category": category,
        "total": len(entries),
        "summary": plain_text(" ".join(category.definition.split())),
        "definition": markdown_to_html(without_dead_links(category.definition)),
        "includes": [link_categories(catalogue, text) for text in category.includes],
        "excludes": [link_categories(catalogue, text) for text in category.excludes],
        "parent": facet.get(category.id.rpartition("/")[0]),
        "children": [each for each in category.walk() if each.id in catalogue.paged_ids][1:],
        "kind_table": count_kinds(survey, category.id, entries),
        "value_lists": themes_and_releases(survey, category.id, entries),
        "related_lists": related_lists(survey, category, entries),
        "unsolved": open_problems_in(entries),
        "sections": sections,
        "contents": chapter_contents(survey, category, sections),
        "paged": catalogue.paged_ids,
        "downloads": category_downloads(category.id, written_files),
        "missing": _missing_fields(entries),
        "query": paths.browse_address((facet.id, category.id)),
    }


def _missing_fields(entries: Sequence[SurveyPaper]) -> str:
    """Return the fields that are missing in references, with counts: "authors for 5"."""
    papers = [entry.paper for entry in entries]
    missing = {
        "authors": sum(not paper.authors for paper in papers),
        "a date": sum(not paper.published.date for paper in papers),
        "an address": sum(not paths.web_address(paper.link) for paper in papers),
    }
    return join_words([f"{field} for {number:,}" for field, number in missing.items() if number])


PaperGroup = tuple[str, str, int, list[SurveyPaper]]
"""Id and heading of a group, its number of papers on all pages, its papers on this page."""


def category_lists(
    catalogue: Catalogue, category: Category
) -> Iterator[tuple[ListPage[tuple[str, SurveyPaper]], list[PaperGroup]]]:
    """Yield each page of a category's papers with its groups; papers filed there come first."""
    also = [
        entry
        for entry in catalogue.tagged.get(category.id, ())
        if entry.first.primary != category.id
    ]
    # Papers are filed under top categories only.
    heading = "Papers" if "/" in category.id else "Also about this, filed elsewhere"
    groups = (
        ("filed", "Papers filed here", _key_papers_first(catalogue.filed.get(category.id, ()))),
        ("also", heading, _key_papers_first(also)),
    )
    all_entries = [(group_id, entry) for group_id, _, entries in groups for entry in entries]
    for page in list_pages(paths.category_page_path(category.id), all_entries, MAX_PAPERS):
        on_page: list[PaperGroup] = []
        for group_id, heading, entries in groups:
            here = [entry for each, entry in page.items if each == group_id]
            if here:
                on_page.append((group_id, heading, len(entries), here))
        yield page, on_page


def category_sections(survey: Survey, category: Category) -> list[Section]:
    """Return the section of a category and its subsections, without definition and remarks.

    The definition is at the top of the page, and each remark is next to its paper.
    """
    definition = f"taxonomy: {survey.taxonomy.first.id}/{category.id}/definition"
    rest = list(dropwhile(lambda each: each.id != category.id, survey.document.sections))
    subsections = takewhile(lambda each: each.level > rest[0].level, rest[1:])
    return [
        replace(section, blocks=tuple(_without_repetition(section.blocks, definition)))
        for section in [*rest[:1], *subsections]
    ]


Contents = list[tuple[str, list[tuple[str, str]]]]
"""(heading, its entries as (anchor, text)). The first anchor is also that of the heading."""


def chapter_contents(survey: Survey, category: Category, sections: Sequence[Section]) -> Contents:
    """Return the table of contents of a chapter: claims, parts and tables of papers."""
    own = [section for section in sections if section.id == category.id]
    blocks = [block for section in own for block in section.blocks]
    printed = {sentence.id for sentence in sentences_of(own)}
    anchors = {
        f"{category.id}-{claim.name}": plain_text(without_dead_links(claim.heading))
        for claim in survey.claims.of_topic(category.id)[1]
    }
    anchors |= {  # claims that taxonomy.yaml has
        f"{category.id}-claim-{number}": plain_text(claim.text)
        for number, claim in enumerate(category.claims, 1)
    }
    claims = [(anchor_id, text) for anchor_id, text in anchors.items() if anchor_id in printed]
    parts = [
        (section.id, section.title) for section in sections if section not in own and section.blocks
    ]
    tables = [block for block in blocks if isinstance(block, Table)]
    comparisons = [(block_anchor(each), "") for each in tables if each.id.startswith("papers-")]
    contents = [
        ("Claims and their evidence", claims),
        ("Parts", parts),
        ("Papers compared", comparisons),
    ]
    return [(heading, entries) for heading, entries in contents if entries]


def link_categories(catalogue: Catalogue, text: str) -> str:
    """Replace category ids in parentheses by links with the categories' names.

    A category without a page is replaced by its name without a link.
    """

    def link(category_id: str) -> str:
        """Return the link to a category's page."""
        category = catalogue.survey.taxonomy.first.get(category_id)
        if category is None:
            return category_id
        name = escape_markdown_characters(category.name)
        is_paged = category_id in catalogue.paged_ids
        return f"[{name}]({paths.category_page_path(category_id)})" if is_paged else name

    return _IDS_IN_PARENTHESES.sub(
        lambda match: f"({', '.join(map(link, match.group(1).split(', ')))})",
        without_dead_links(text),
    )


def _without_repetition(blocks: Sequence[Block], definition: str) -> Iterator[Block]:
    """Yield blocks without remarks, and without sentences whose source is `definition`."""

    def is_repeated(sentence: Sentence) -> bool:
        """Return whether a sentence is already printed elsewhere on the page."""
        is_remark = sentence.kind == "H" and sentence.source.startswith("reviews.csv: ")
        return is_remark or (sentence.kind == "D" and sentence.source == definition)

    for block in blocks:
        if not isinstance(block, Paragraph):
            yield block
        elif kept := tuple(each for each in block.sentences if not is_repeated(each)):
            yield Paragraph(kept)


def _key_papers_first(entries: Sequence[SurveyPaper]) -> list[SurveyPaper]:
    """Sort papers with the key papers first."""
    return sorted(entries, key=lambda entry: entry.key is None)


KindRow = tuple[str, int, str, int, str]
"""Name of a kind, number of papers, address of their list; number and list of those with code."""


def count_kinds(
    survey: Survey, category_id: str, entries: Sequence[SurveyPaper]
) -> tuple[str, list[KindRow]] | None:
    """Count a category's papers by the first facet that gives each paper exactly one label.

    Returns the facet's name and one row per kind, with all papers in the last row; None if there is
    no such facet or the category has no papers.
    """
    _, *others = survey.taxonomy.facets.values()
    facet = next((each for each in others if each.kind == "single" and not each.applies_to), None)
    if facet is None or not entries:
        return None
    topic = (survey.taxonomy.first.id, category_id)
    rows: list[KindRow] = []
    for category in facet.walk():
        papers = [entry for entry in entries if category.id in _labels_in_facet(entry, facet)]
        if papers:
            rows.append(_kind_row(category.name, (topic, (facet.id, category.id)), papers))
    return name_in_prose(facet.name), [*rows, _kind_row("All", (topic,), entries)]


_MIN_PAPERS, _MAX_VALUES = 2, 8
"""Limits of the lists of themes: papers per value, and values per theme."""
_MAX_UNSOLVED = 12
"""Maximum number of quoted papers that leave something unsolved."""

ValueList = tuple[str, list[tuple[str, int, str]]]
"""Heading of a list, its values as (name, number of papers, address of their list)."""


def themes_and_releases(
    survey: Survey, category_id: str, entries: Sequence[SurveyPaper]
) -> list[ValueList]:
    """Return the most frequent values of each theme, and the kinds of releases other than code."""
    topic = (survey.taxonomy.first.id, category_id)
    lists: list[ValueList] = []
    for facet in themes(survey.taxonomy):
        counts = Counter(value for entry in entries for value in _labels_in_facet(entry, facet))
        most_frequent = sorted(facet.walk(), key=lambda each: -counts[each.id])[:_MAX_VALUES]
        rows = [
            (each.name, counts[each.id], paths.browse_address(topic, (facet.id, each.id)))
            for each in most_frequent
            if counts[each.id] >= _MIN_PAPERS
        ]
        if rows:
            lists.append((f"Papers by {name_in_prose(facet.name)}", rows))
    releases = Counter(kind for entry in entries for kind in entry.released)
    rows = [
        (kind, number, paths.browse_address(topic, ("code", kind)))
        for kind, number in sorted(releases.items())
        if number >= _MIN_PAPERS
    ]
    if rows:
        lists.append(("Released according to the papers", rows))
    return lists


_MIN_SHARE = 0.55
"""Minimum share of a topic's papers with a label for a link to its papers in other topics."""
_MIN_HERE, _MIN_ELSEWHERE = 5, 3
"""Minimum numbers of papers with that label, in the topic and in other topics."""


def related_lists(
    survey: Survey, category: Category, entries: Sequence[SurveyPaper]
) -> list[tuple[str, int, str]]:
    """Return lists of papers from all topics in which readers of a category may be interested.

    For a child category, these are the themes that its name contains. For a topic, they are the
    labels that most of its papers and some papers of other topics have. Each list is (description,
    number of papers, address).
    """
    all_themes, words = themes(survey.taxonomy), category.name.lower().replace(",", "").split()
    is_child = "/" in category.id
    facets = all_themes
    if not is_child:
        facets = [facet for facet in survey.taxonomy.facets.values() if facet.may_be_unstated]
    lists: list[tuple[str, int, str]] = []
    for facet in facets:
        for label in facet.walk():
            number = survey.facts.select((facet.id, label.id)).number
            if is_child:
                is_related = number > 0 and label.name.lower().split(" & ")[0] in words
            else:
                here = sum(label.id in _labels_in_facet(entry, facet) for entry in entries)
                is_frequent = here >= max(_MIN_HERE, _MIN_SHARE * len(entries))
                is_related = is_frequent and number - here >= _MIN_ELSEWHERE
            if is_related:
                on = " on" if facet in all_themes else f": {name_in_prose(facet.name)}"
                lists.append(
                    (f"{on} {label.name}", number, paths.browse_address((facet.id, label.id)))
                )
    return lists


def open_problems_in(entries: Sequence[SurveyPaper]) -> list[tuple[str, str, str]]:
    """Return name, page and quotation of papers that leave a problem open, newest first."""
    quotes: list[tuple[str, str, str]] = [
        (name_of(entry), paths.paper_page_path(entry), quote_sentences(entry, sentence))
        for entry in entries
        if (sentence := open_problem_of(entry))
    ]
    return quotes[:_MAX_UNSOLVED]


def _labels_in_facet(entry: SurveyPaper, facet: Facet) -> Sequence[str]:
    """Return the labels of a paper in a facet."""
    labels = entry.labels.facets.get(facet.id)
    return labels.categories if labels else ()


def _kind_row(
    name: str, terms: tuple[tuple[str, str], ...], entries: Sequence[SurveyPaper]
) -> KindRow:
    """Return the row of a kind."""
    return (
        name,
        len(entries),
        paths.browse_address(*terms),
        sum(bool(entry.code) for entry in entries),
        paths.browse_address(*terms, ("code", "yes")),
    )
