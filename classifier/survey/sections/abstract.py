"""The abstract: what the survey covers, in figures."""

from __future__ import annotations

from classifier.survey.document import Section
from classifier.survey.draft import Draft, computed, paragraph
from classifier.survey.material import Material
from classifier.survey.wording import counted, how_many, joined, number, opening, verb


def abstract_sections(material: Material) -> list[Section]:
    """Return the abstract."""
    block = paragraph("abstract", abstract_drafts(material))
    return [Section("abstract", "Abstract", 1, (block,))]


def abstract_drafts(material: Material) -> list[Draft | None]:
    """Return what the survey covers, in figures."""
    return [
        _sorted(material),
        _largest(material),
        _several(material),
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
    selections = [(c, material.facts.select(filed=c.id)) for c in material.in_scope]
    ordered = sorted(selections, key=lambda item: (-item[1].number, item[0].id))
    largest = [(c, selection) for c, selection in ordered if selection.number][:3]
    if len(largest) < 2:
        return None
    parts = [f"{category.name} ({selection.number})" for category, selection in largest]
    sources = [selection for _, selection in largest]
    return computed("largest", f"The largest are {joined(parts)}.", *sources)


def _several(material: Material) -> Draft | None:
    several = material.facts.number("papers.several_topics")
    if not several:
        return None
    belong = verb(several, "belongs", "belong")
    text = f"{opening(counted(several, 'paper'))} {belong} to more than one category."
    return computed("several", text, "papers.several_topics")


def _stated(material: Material) -> Draft:
    facts = material.facts
    total, with_figure = facts.number("papers.total"), facts.number("papers.with_figure")
    with_code = facts.number("papers.with_code")
    state = verb(with_figure, "states", "state")
    announce = verb(with_code, "links code or announces", "link code or announce")
    text = (
        f"Of the {number(total)}, {how_many(with_figure)} {state} a numeric result in the text "
        f"that we read, and {how_many(with_code)} {announce} a release."
    )
    return computed("stated", text, "papers.total", "papers.with_figure", "papers.with_code")


def _decided(material: Material) -> Draft:
    facts = material.facts
    total, reviewed = facts.number("papers.total"), facts.number("papers.reviewed")
    text = who_decided(total, reviewed, facts.number("papers.provisional"))
    sources = ("papers.total", "papers.reviewed", "papers.provisional")
    return computed("decided", text, *sources)


def who_decided(total: int, reviewed: int, provisional: int) -> str:
    """Say whose labels these are: the classifier's, readers', or both."""
    if reviewed == total:
        return "Readers decided the labels of all papers."
    rest = total - reviewed
    unsure = f", {how_many(provisional)} of them provisionally"
    if rest == 1:
        unsure = ", provisionally" if provisional else ""
    if not reviewed:
        return f"The classifier labelled {verb(rest, 'the paper', 'all of them')}{unsure}."
    return (
        f"Readers decided the labels of {counted(reviewed, 'paper')}; the classifier "
        f"labelled the other {number(rest)}{unsure}."
    )
