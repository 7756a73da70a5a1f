"""The sections before and after the categories: abstract, introduction, taxonomy, conclusion."""

from __future__ import annotations

import re

from classifier.survey.claims import tally
from classifier.survey.document import (
    Block,
    Draft,
    Run,
    Section,
    Table,
    computed,
    method_text,
    paragraphs,
)
from classifier.survey.editorial import editors_paragraphs
from classifier.survey.paper_names import cited_name
from classifier.survey.sections.category.section import prints_claims
from classifier.survey.sections.category.subject import top_subject
from classifier.survey.survey import Survey, current
from classifier.survey.wording import (
    capitalized,
    category_link,
    counted,
    date_in_words,
    escape_cell,
    number,
    number_or_none,
    verb,
)
from classifier.taxonomy.claims import Judgement
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import without_dead_links


def abstract_sections(survey: Survey) -> list[Section]:
    """Return the abstract."""
    blocks = paragraphs("abstract", [editors_words(survey)], abstract_drafts(survey))
    return [Section("abstract", "Abstract", 1, tuple(blocks))]


def editors_words(survey: Survey) -> Draft | None:
    """Return the editors' words for the abstract, or None."""
    words = without_dead_links(survey.taxonomy.survey.abstract.strip())
    return Draft("editors", words, "H", "taxonomy: survey/abstract") if words else None


def abstract_drafts(survey: Survey) -> list[Draft | None]:
    """Return the numbers of papers, categories and decisions."""
    return [_sorted(survey), _decided(survey)]


def _sorted(survey: Survey) -> Draft:
    """Return how many papers there are, in how many categories, and how many are out of scope."""
    facts, total = survey.facts, survey.facts.number("papers.total")
    selections = [facts.select(filed=category.id) for category in survey.in_scope]
    scoped = sum(selection.number for selection in selections)
    dates, sources = _dates(survey)
    used = counted(sum(s.number > 0 for s in selections), "category", "categories")
    if scoped == total:
        text = f"This survey covers {counted(total, 'paper')} in {used}{dates}."
        return computed("sorted", text, "papers.total", *selections, *sources)
    out = total - scoped
    selections += [facts.select(filed=c.id) for c in survey.categories if c.out_of_scope]
    into = used if scoped else "any category"
    papers = f"{number_or_none(scoped)} of {counted(total, 'paper')}"
    text = f"This survey sorts {papers} into {into}{dates}; "
    text += f"{number(out)} {verb(out, 'is', 'are')} out of scope."
    return computed("sorted", text, "papers.total", *selections, *sources)


def _dates(survey: Survey) -> tuple[str, list[str]]:
    """Return the period of the dated papers, in words, and its facts."""
    sources = ["papers.oldest", "papers.newest"]
    oldest, newest = (date_in_words(survey.facts.text(fact)[: len("2025-10")]) for fact in sources)
    if not oldest:
        return "", []
    when = f"from {oldest}" if oldest == newest else f"from {oldest} to {newest}"
    return f", dated {when}", sources


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
    unsure = f", {number_or_none(provisional)} of them provisionally"
    if provisional == rest:
        unsure = ", provisionally" if rest == 1 else ", all provisionally"
    elif rest == 1:
        unsure = ""
    if not reviewed and not imported:
        return f"The classifier labelled {verb(rest, 'the paper', 'all of them')}{unsure}."
    # The proof accepts only values of facts, and the rest of three parts is not a fact.
    others = "rest" if reviewed and imported else f"other {number(rest)}"
    return f"{decided}; the classifier labelled the {others}{unsure}."


def introduction_sections(survey: Survey) -> list[Section]:
    """Return introduction and scope as the editors wrote it; none where they wrote none."""
    runs = editors_paragraphs(survey.taxonomy.survey.scope, "scope")
    blocks = tuple(paragraphs("introduction", *runs))
    return [Section("introduction", "Introduction and scope", 1, blocks)] if blocks else []


_CORE = "Core categories come first; the quality of the labels is judged by them before all others."


def taxonomy_sections(survey: Survey) -> list[Section]:
    """Return the taxonomy; empty if its categories have no definitions."""
    first = survey.first
    definition = without_dead_links(first.definition.strip())
    named = f"**{escape_cell(first.name)}.** {definition}"
    asked = Draft("facet", named, "D", f"taxonomy: {first.id}/definition")
    core = any(category.core for category in current(first.categories))
    prose = [asked if definition else None, method_text("core", _CORE) if core else None]
    blocks: list[Block] = [*paragraphs("taxonomy", prose), *_taxonomy_table(first)]
    return [Section("taxonomy", "Taxonomy", 1, tuple(blocks))] if blocks else []


def _taxonomy_table(first: Facet) -> list[Table]:
    """Return the scope of each category; empty if at most one has a text."""
    categories = current(first.categories)
    rows = [_row(category, first) for category in categories]
    if sum(any(row[1:]) for row in rows) < 2:
        return []
    if any(category.excludes for category in categories):
        caption = "What each category includes and leaves out"
        return [Table("categories", caption, ("Category", "Includes", "Leaves out"), tuple(rows))]
    caption = "What each category includes"
    return [Table("categories", caption, ("Category", "Includes"), tuple(row[:2] for row in rows))]


def _row(category: Category, first: Facet) -> tuple[str, ...]:
    return (
        f"{category_link(category)}{' (core)' if category.core else ''}",
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


def conclusion_sections(survey: Survey) -> list[Section]:
    """Return the conclusion: the editors' judgements, and all claims with their evidence.

    None if the editors wrote neither.
    """
    judged = [_judgement_run(survey, *each) for each in enumerate(survey.claims.judgements, 1)]
    blocks: tuple[Block, ...] = (*paragraphs("conclusion", *judged), *_claims_table(survey))
    return [Section("conclusion", "Conclusion", 1, blocks)] if blocks else []


def _judgement_run(survey: Survey, number: int, judgement: Judgement) -> Run:
    """Return a judgement with its strongest papers and what would settle it."""
    source, name = "taxonomy: claims/judgements", f"judgement-{number}"
    text = without_dead_links(judgement.text).removesuffix(".")
    supporting, contradicting = (
        cited_name(entry) if (entry := survey.paper(paper_id)) else ""
        for paper_id in (judgement.supported_by, judgement.contradicted_by)
    )
    evidence = f"Strongest evidence for it: {supporting or '(evidence changed)'}"
    if contradicting:
        evidence += f"; against it: {contradicting}."
    elif judgement.contradicted_by:
        evidence += "; against it: (evidence changed)."
    else:
        evidence += "; no paper of this survey contradicts it."
    settled_by = without_dead_links(judgement.settled_by).removesuffix(".")
    test = f"What would settle it: {settled_by}. — {judgement.by}"
    return [
        Draft(name, f"**{number}. {text}.**", "H", source),
        Draft(f"{name}-evidence", evidence, "H", source),
        Draft(f"{name}-test", test, "H", source),
    ]


def _claims_table(survey: Survey) -> list[Table]:
    """Return all claims with their evidence, one row per claim; none without a claim."""
    rows = []
    for category in survey.categories:
        _, claims = survey.claims.under(category.id)
        is_linked = prints_claims(top_subject(survey, category))
        for claim in claims:
            words = without_dead_links(claim.heading)
            link = f"[{words}](#{claim.topic}-{claim.name})" if is_linked else words
            counts = "no test reported" if claim.open else tally(claim, survey.paper)
            base = f"{capitalized(counts)}." if counts else ""
            if claim.finding:
                base = f"{without_dead_links(claim.text)} {base}"
            rows.append((category_link(category), link, base))
    columns = ("Topic", "Claim, as the evidence stands", "Evidence")
    caption = "Claims, and the papers that bear on each"
    return [Table("claims", caption, columns, tuple(rows))] if rows else []
