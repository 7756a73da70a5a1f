"""What stands around the categories: abstract, introduction, taxonomy, conclusion."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.survey.claims import tally
from classifier.survey.document import (
    Block,
    Draft,
    Section,
    Table,
    computed,
    own_words,
    paragraphs,
)
from classifier.survey.editorial import editors_paragraphs
from classifier.survey.sections.category.section import prints_claims
from classifier.survey.sections.category.subject import top_subject
from classifier.survey.survey import Survey, current
from classifier.survey.wording import counted, escape_cell, how_many, linked, number, verb
from classifier.taxonomy.claims import Claim
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import without_dead_links


def abstract_sections(survey: Survey) -> list[Section]:
    """Return the abstract."""
    blocks = paragraphs("abstract", [editors_words(survey)], abstract_drafts(survey))
    return [Section("abstract", "Abstract", 1, tuple(blocks))]


def editors_words(survey: Survey) -> Draft | None:
    """Return what the editors wrote for the abstract, if they did."""
    words = without_dead_links(survey.taxonomy.survey.abstract.strip())
    return Draft("editors", words, "H", "taxonomy: survey/abstract") if words else None


def abstract_drafts(survey: Survey) -> list[Draft | None]:
    """Return what the survey covers, in figures."""
    return [_sorted(survey), _decided(survey)]


def _sorted(survey: Survey) -> Draft:
    """How many papers stand in how many categories, and how many are out of scope."""
    facts, total = survey.facts, survey.facts.number("papers.total")
    selections = [facts.select(filed=category.id) for category in survey.in_scope]
    scoped = sum(selection.number for selection in selections)
    used = counted(sum(s.number > 0 for s in selections), "category", "categories")
    if scoped == total:
        text = f"This survey sorts {counted(total, 'paper')} into {used}."
        return computed("sorted", text, "papers.total", *selections)
    out = total - scoped
    selections += [facts.select(filed=c.id) for c in survey.categories if c.out_of_scope]
    into = used if scoped else "any category"
    text = f"This survey sorts {how_many(scoped)} of {counted(total, 'paper')} into {into}"
    text = f"{text}; {number(out)} {verb(out, 'is', 'are')} out of scope."
    return computed("sorted", text, "papers.total", *selections)


def _decided(survey: Survey) -> Draft:
    facts, sources = survey.facts, ["papers.total", "papers.reviewed", "papers.provisional"]
    if "papers.imported" in facts.by_id:
        sources.append("papers.imported")
    return computed("decided", who_decided(*map(facts.number, sources)), *sources)


def who_decided(total: int, reviewed: int, provisional: int, imported: int = 0) -> str:
    """Say whose labels these are: the classifier's, readers', or those of the sources.

    imported: papers that stand where a source had filed them, which nobody decided here.
    """
    whose = (
        "all papers" if total in (reviewed, imported) else counted(reviewed or imported, "paper")
    )
    if imported and not reviewed:
        before = "it was" if whose == "one paper" else "they were"
        decided = f"The labels of {whose} are taken over from where {before} filed before"
    else:
        decided = f"Readers decided the labels of {whose}"
        if imported:
            decided += (
                f"; those of {number(imported)} are taken over from where they were filed before"
            )
    rest = total - reviewed - imported
    if not rest:
        return f"{decided}."
    unsure = f", {how_many(provisional)} of them provisionally"
    if provisional == rest:
        unsure = ", provisionally" if rest == 1 else ", all provisionally"
    elif rest == 1:
        unsure = ""
    if not reviewed and not imported:
        return f"The classifier labelled {verb(rest, 'the paper', 'all of them')}{unsure}."
    # The whole less two parts is no value of a fact, and what is no value is not printed.
    others = "rest" if reviewed and imported else f"other {number(rest)}"
    return f"{decided}; the classifier labelled the {others}{unsure}."


def introduction_sections(survey: Survey) -> list[Section]:
    """Return introduction and scope as the editors wrote it; none where they wrote none."""
    runs = editors_paragraphs(survey.taxonomy.survey.scope, "scope")
    blocks = tuple(paragraphs("introduction", *runs))
    return [Section("introduction", "Introduction and scope", 1, blocks)] if blocks else []


_CORE = "Core categories come first; the quality of the labels is judged by them before all others."


def taxonomy_sections(survey: Survey) -> list[Section]:
    """Return the taxonomy; none where nobody has written what its categories mean."""
    first = survey.first
    definition = without_dead_links(first.definition.strip())
    named = f"**{escape_cell(first.name)}.** {definition}"
    asked = Draft("facet", named, "D", f"taxonomy: {first.id}/definition")
    core = any(category.core for category in current(first.categories))
    prose = [asked if definition else None, own_words("core", _CORE) if core else None]
    blocks: list[Block] = [*paragraphs("taxonomy", prose), *_taxonomy_table(first)]
    return [Section("taxonomy", "Taxonomy", 1, tuple(blocks))] if blocks else []


def _taxonomy_table(first: Facet) -> list[Table]:
    """Return what each category means; none where that is written of one at most."""
    categories = current(first.categories)
    rows = [_row(category, first) for category in categories]
    if sum(any(row[1:]) for row in rows) < 2:
        return []
    if any(category.excludes for category in categories):
        caption = "What does each category take in, and what does it leave out?"
        return [Table("categories", caption, ("Category", "Includes", "Leaves out"), tuple(rows))]
    caption = "What does each category take in?"
    return [Table("categories", caption, ("Category", "Includes"), tuple(row[:2] for row in rows))]


def _row(category: Category, first: Facet) -> tuple[str, ...]:
    return (
        f"{linked(category)}{' (core)' if category.core else ''}",
        escape_cell(_named("; ".join(category.includes), first) or category.definition),
        escape_cell(_named("; ".join(category.excludes), first)),
    )


def _named(text: str, facet: Facet) -> str:
    """Return `text` with ids in parentheses, "(gui-agents)", as the names of their categories."""

    def names(match: re.Match[str]) -> str:
        found = [facet.get(part.strip()) for part in match.group(1).split(",")]
        known = [category.name for category in found if category is not None]
        return f"({', '.join(known)})" if len(known) == len(found) else match.group(0)

    return re.sub(r"\(([a-z0-9/, -]+)\)", names, text)


_STANDINGS = {
    "disputed": "Disputed",
    "contrary": "Spoken against",
    "conditional": "Depends on conditions",
    "supported": "Supported",
    "untested": "Untested",
}
"""How a claim stands, and how that is printed."""


def conclusion_sections(survey: Survey) -> list[Section]:
    """Return the conclusion; none where the editors claim nothing."""
    runs = [list(_drafts(survey, category)) for category in survey.categories]
    blocks = paragraphs("conclusion", *runs)
    title = "Conclusion: what is disputed, what is supported, and what nobody tested"
    return [Section("conclusion", title, 1, tuple(blocks))] if blocks else []


def _drafts(survey: Survey, category: Category) -> Iterator[Draft]:
    """Yield the claims of a category as links, with how many papers stand on each side."""
    _, claims = survey.claims.under(category.id)
    lead = f"**{linked(category)}.** "
    subject = top_subject(survey, category)
    for what, printed in _STANDINGS.items():
        found = [claim for claim in claims if _standing(survey, claim) == what]
        for place, claim in enumerate(found, 1):
            begin = "" if place > 1 else f"{lead}{printed}: "
            words = without_dead_links(claim.text).removesuffix(".")
            link = f"[{words}](#{claim.topic}-{claim.name})" if prints_claims(subject) else words
            counts = tally(claim, survey.paper)
            sides = f" ({counts})" if counts else ""
            name, text = f"{category.id}-{what}-{place}", f"{begin}{link}{sides}."
            yield Draft(name, text, "H", f"taxonomy: claims/{category.id}")
            lead = ""


def _standing(survey: Survey, claim: Claim) -> str:
    """Return how a claim stands with the papers of the survey; "" where none is placed."""
    sides = {each.side for each in claim.placements if survey.paper(each.paper_id)}
    if claim.open:
        return "untested"
    if "against" in sides:
        return "disputed" if "for" in sides else "contrary"
    if "mixed" in sides:
        return "conditional"
    return "supported" if "for" in sides else ""
