"""The abstract: what the editors say of the survey, and what it covers in figures."""

from __future__ import annotations

from classifier.survey.document import Section
from classifier.survey.draft import Draft, computed, paragraphs
from classifier.survey.facts.facts import Selection
from classifier.survey.facts.terms import UNDATED
from classifier.survey.material import Material, current
from classifier.survey.trend import LEAST_PAPERS, is_dated
from classifier.survey.wording import (
    counted,
    how_many,
    in_prose,
    joined,
    linked,
    named,
    number,
    verb,
    with_article,
)
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

_MOST_NAMED = 3


def abstract_sections(material: Material) -> list[Section]:
    """Return the abstract."""
    blocks = paragraphs("abstract", [editors_words(material)], abstract_drafts(material))
    return [Section("abstract", "Abstract", 1, tuple(blocks))]


def editors_words(material: Material) -> Draft | None:
    """Return what the editors wrote for the abstract, if they did."""
    words = without_dead_links(material.taxonomy.survey.abstract.strip())
    return Draft("editors", words, "H", "taxonomy: survey/abstract") if words else None


def abstract_drafts(material: Material) -> list[Draft | None]:
    """Return what the survey covers, in figures."""
    return [
        _sorted(material),
        _largest(material),
        _several(material),
        _kinds(material),
        _dated(material),
        _stated(material),
        _decided(material),
    ]


def _sorted(material: Material) -> Draft:
    """How many papers stand in how many categories, and how many are out of scope."""
    facts, total = material.facts, material.facts.number("papers.total")
    selections = [facts.select(filed=category.id) for category in material.in_scope]
    scoped = sum(selection.number for selection in selections)
    used = counted(sum(s.number > 0 for s in selections), "category", "categories")
    if scoped == total:
        text = f"This survey sorts {counted(total, 'paper')} into {used}."
        return computed("sorted", text, "papers.total", *selections)
    out = total - scoped
    selections += [facts.select(filed=c.id) for c in material.categories if c.out_of_scope]
    into = used if scoped else "any category"
    text = f"This survey sorts {how_many(scoped)} of {counted(total, 'paper')} into {into}"
    text = f"{text}; {number(out)} {verb(out, 'is', 'are')} out of scope."
    return computed("sorted", text, "papers.total", *selections)


def _largest(material: Material) -> Draft | None:
    selected = [(material.facts.select(filed=c.id), c) for c in material.in_scope]
    every = ranked(selected)
    largest, others = every[:_MOST_NAMED], every[_MOST_NAMED:]
    if len(largest) < 2:
        return None
    are = "The largest are" if others else "The categories are"
    if others and others[0][0].number == largest[-1][0].number:
        are = "Among the largest are"
    parts = [f"{linked(category)} ({selection.number})" for selection, category in largest]
    sources = [selection for selection, _ in largest]
    return computed("largest", f"{are} {joined(parts)}.", *sources)


def _several(material: Material) -> Draft | None:
    several = material.facts.number("papers.several_topics")
    if not several:
        return None
    text = f"More than one category applies to {counted(several, 'paper')}."
    if several == 1:
        text = "One paper belongs to more than one category."
    return computed("several", text, "papers.several_topics")


def _kinds(material: Material) -> Draft | None:
    """What most papers contribute, and what else many do."""
    if "contribution" not in material.taxonomy.facets:
        return None
    kinds = current(material.taxonomy.facet("contribution").categories)
    present = ranked([(material.facts.select(contribution=kind.id), kind) for kind in kinds])[:3]
    if len(present) < 2:
        return None
    (top, kind), *others = present
    contribute = verb(top.number, "contributes", "contribute")
    parts = [f"{number(top.number)} {contribute} {with_article(in_prose(named(kind)))}"]
    parts += [f"{number(s.number)} {with_article(in_prose(named(other)))}" for s, other in others]
    return computed("kinds", f"Of all papers, {joined(parts)}.", *(s for s, _ in present))


def _dated(material: Material) -> Draft | None:
    """From which year more than half of the dated papers are, or else from which years."""
    facts, dated = material.facts, material.facts.number("papers.dated")
    if not is_dated(facts) or dated < LEAST_PAPERS:
        return None
    years = [year for year in facts.values("year") if year != UNDATED]
    selected = [(facts.select(year=year), year) for year in years]
    common = next(((s, year) for s, year in selected if 2 * s.number > dated), None)
    if common and common[0].number < dated:
        selection, year = common
        which = counted(dated, "dated paper")
        text = f"Of the {which}, {number(selection.number)} are from {year}."
        return computed("dated", text, "papers.dated", selection)
    span = f"in {years[0]}" if len(years) == 1 else f"from {years[0]} to {years[-1]}"
    text = f"The {counted(dated, 'dated paper')} appeared {span}."
    return computed("dated", text, "papers.dated", "papers.oldest", "papers.newest")


def _stated(material: Material) -> Draft:
    facts = material.facts
    with_figure, with_code = facts.number("papers.with_figure"), facts.number("papers.with_code")
    state = verb(with_figure, "states", "state")
    announce = verb(with_code, "links code or announces", "link code or announce")
    text = (
        f"In the text that we read, {how_many(with_figure)} {state} a numeric result, and "
        f"{how_many(with_code)} {announce} a release."
    )
    return computed("stated", text, "papers.with_figure", "papers.with_code")


def _decided(material: Material) -> Draft:
    facts = material.facts
    total, reviewed = facts.number("papers.total"), facts.number("papers.reviewed")
    sources = ["papers.total", "papers.reviewed", "papers.provisional"]
    taken_over = 0
    if "papers.taken_over" in facts.by_id:
        taken_over = facts.number("papers.taken_over")
        sources.append("papers.taken_over")
    text = who_decided(total, reviewed, facts.number("papers.provisional"), taken_over)
    return computed("decided", text, *sources)


def who_decided(total: int, reviewed: int, provisional: int, taken_over: int = 0) -> str:
    """Say whose labels these are: the classifier's, readers', or both.

    taken_over: those of the reviewed ones that stand where somebody had filed the paper before.
    """
    whose = "all papers" if reviewed == total else counted(reviewed, "paper")
    if reviewed and taken_over == reviewed:
        before = "it was" if whose == "one paper" else "they were"
        decided = f"The labels of {whose} are taken over from where {before} filed before"
    elif taken_over:
        decided = (
            f"Readers decided the labels of {whose}, those of {number(taken_over)} by where they "
            "had filed them before"
        )
    else:
        decided = f"Readers decided the labels of {whose}"
    if reviewed == total:
        return f"{decided}."
    rest = total - reviewed
    unsure = f", {how_many(provisional)} of them provisionally"
    if provisional == rest:
        unsure = ", provisionally" if rest == 1 else ", all provisionally"
    elif rest == 1:
        unsure = ""
    if not reviewed:
        return f"The classifier labelled {verb(rest, 'the paper', 'all of them')}{unsure}."
    return f"{decided}; the classifier labelled the other {number(rest)}{unsure}."


def ranked(selected: list[tuple[Selection, Category]]) -> list[tuple[Selection, Category]]:
    """Return the selections that hold a paper, the largest first."""
    held = [(selection, category) for selection, category in selected if selection.number]
    return sorted(held, key=lambda item: (-item[0].number, item[1].id))
