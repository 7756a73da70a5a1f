"""The sections before and after the categories: abstract, introduction, taxonomy, conclusion."""

from __future__ import annotations

import re
from itertools import product

from classifier.survey.claims import Evidence, evidence_on, tally_or_reason
from classifier.survey.document import (
    Block,
    Draft,
    Run,
    Section,
    Table,
    computed_sentence,
    make_paragraphs,
)
from classifier.survey.editorial import editors_paragraphs
from classifier.survey.paper_names import cited_name
from classifier.survey.quotation import is_quotable
from classifier.survey.sections.category.claims import signed
from classifier.survey.sections.category.quotes import quote_with_lead
from classifier.survey.sections.category.section import prints_claims
from classifier.survey.sections.category.subject import top_subject
from classifier.survey.survey import Survey, current_categories
from classifier.survey.wording import (
    capitalise,
    category_link,
    count_in_words,
    count_or_none,
    count_with_noun,
    date_in_words,
    escape_cell,
    markdown_name,
    verb_for_count,
)
from classifier.taxonomy.claims import Claim, Judgement
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import without_dead_links
from classifier.text.sentences import split_sentences


def abstract_sections(survey: Survey) -> list[Section]:
    """Return the abstract."""
    blocks = make_paragraphs("abstract", [editors_abstract(survey)], abstract_drafts(survey))
    return [Section("abstract", "Abstract", 1, tuple(blocks))]


def editors_abstract(survey: Survey) -> Draft | None:
    """Return the editors' text for the abstract, or None."""
    text = without_dead_links(survey.taxonomy.survey.abstract.strip())
    return Draft("editors", text, "H", "taxonomy: survey/abstract") if text else None


def abstract_drafts(survey: Survey) -> list[Draft | None]:
    """Return the sentences about the papers, their categories, and the decisions."""
    return [_papers_sentence(survey), _decisions_sentence(survey)]


def _papers_sentence(survey: Survey) -> Draft:
    """Return the number of papers, of their categories, and of papers out of scope."""
    facts, total = survey.facts, survey.facts.number("papers.total")
    selections = [facts.select(filed=category.id) for category in survey.in_scope]
    scoped = sum(selection.number for selection in selections)
    dates, sources = _period_phrase(survey)
    used = count_with_noun(sum(s.number > 0 for s in selections), "category", "categories")
    if scoped == total:
        text = f"This survey covers {count_with_noun(total, 'paper')} in {used}{dates}."
        return computed_sentence("sorted", text, "papers.total", *selections, *sources)
    out = total - scoped
    selections += [facts.select(filed=c.id) for c in survey.categories if c.out_of_scope]
    into = used if scoped else "any category"
    papers = f"{count_or_none(scoped)} of {count_with_noun(total, 'paper')}"
    text = f"This survey sorts {papers} into {into}{dates}; "
    text += f"{count_in_words(out)} {verb_for_count(out, 'is', 'are')} out of scope."
    return computed_sentence("sorted", text, "papers.total", *selections, *sources)


def _period_phrase(survey: Survey) -> tuple[str, list[str]]:
    """Return in words the period in which the papers are dated, and the ids of its facts."""
    sources = ["papers.oldest", "papers.newest"]
    oldest, newest = (date_in_words(survey.facts.text(fact)[: len("2025-10")]) for fact in sources)
    if not oldest:
        return "", []
    when = f"from {oldest}" if oldest == newest else f"from {oldest} to {newest}"
    return f", dated {when}", sources


def _decisions_sentence(survey: Survey) -> Draft:
    """Return the sentence about whose decisions the labels are."""
    facts, sources = survey.facts, ["papers.total", "papers.reviewed", "papers.provisional"]
    if "papers.imported" in facts.by_id:
        sources.append("papers.imported")
    return computed_sentence("decided", labelling_statement(*map(facts.number, sources)), *sources)


def labelling_statement(
    n_papers: int, n_reviewed: int, n_provisional: int, n_imported: int = 0
) -> str:
    """Return a sentence about who labelled the papers: readers, the sources, or the classifier.

    n_imported: number of papers that keep the category of their source.
    """
    papers = count_with_noun(n_reviewed or n_imported, "paper")
    if n_papers in (n_reviewed, n_imported):
        papers = "all papers"
    if n_imported and not n_reviewed:
        decided = f"The labels of {papers} are imported from the sources"
    else:
        decided = f"Readers decided the labels of {papers}"
        if n_imported:
            decided += f"; those of {count_in_words(n_imported)} are imported from the sources"
    rest = n_papers - n_reviewed - n_imported
    if not rest:
        return f"{decided}."
    unsure = f", {count_or_none(n_provisional)} of them provisionally"
    if n_provisional == rest:
        unsure = ", provisionally" if rest == 1 else ", all provisionally"
    elif rest == 1:
        unsure = ""
    if not n_reviewed and not n_imported:
        return (
            f"The classifier labelled {verb_for_count(rest, 'the paper', 'all of them')}{unsure}."
        )
    # A sentence may state only values of facts, and the rest of three parts is not a fact.
    others = "rest" if n_reviewed and n_imported else f"other {count_in_words(rest)}"
    return f"{decided}; the classifier labelled the {others}{unsure}."


def introduction_sections(survey: Survey) -> list[Section]:
    """Return the editors' introduction and scope; [] if there is none."""
    runs = editors_paragraphs(survey.taxonomy.survey.scope, "scope")
    blocks = tuple(make_paragraphs("introduction", *runs))
    return [Section("introduction", "Introduction and scope", 1, blocks)] if blocks else []


def taxonomy_sections(survey: Survey) -> list[Section]:
    """Return the section about the taxonomy; [] if it has no definitions and no table."""
    first = survey.first
    prose = []
    definition = without_dead_links(first.definition.strip())
    if definition:
        text = f"**{escape_cell(first.name)}.** {definition}"
        prose.append(Draft("facet", text, "D", f"taxonomy: {first.id}/definition"))
    blocks: list[Block] = [*make_paragraphs("taxonomy", prose), *_taxonomy_table(first)]
    return [Section("taxonomy", "Taxonomy", 1, tuple(blocks))] if blocks else []


def _taxonomy_table(facet: Facet) -> list[Table]:
    """Return the table with the scope of each category and its parts; [] for fewer than two."""
    categories = [
        category
        for top in current_categories(facet.categories)
        for category in (top, *current_categories(top.children))
    ]
    rows = [_category_row(category, facet) for category in categories]
    if sum(any(row[1:]) for row in rows) < 2:
        return []
    if any(category.excludes for category in categories):
        caption = "What each category includes and leaves out"
        return [Table("categories", caption, ("Category", "Includes", "Leaves out"), tuple(rows))]
    caption = "What each category includes"
    return [Table("categories", caption, ("Category", "Includes"), tuple(row[:2] for row in rows))]


def _category_row(category: Category, facet: Facet) -> tuple[str, ...]:
    """Return the row of a category."""
    return (
        f"– {markdown_name(category)}"
        if "/" in category.id
        else f"{category_link(category)}{' (core)' if category.core else ''}",
        escape_cell(
            _replace_ids_by_names("; ".join(category.includes), facet) or category.definition
        ),
        escape_cell(_replace_ids_by_names("; ".join(category.excludes), facet)),
    )


def _replace_ids_by_names(text: str, facet: Facet) -> str:
    """Replace category ids in parentheses, "(gui-agents)", by names."""

    def names(match: re.Match[str]) -> str:
        """Return the name of a matched category in parentheses."""
        found = [facet.get(part.strip()) for part in match.group(1).split(",")]
        known = [category.name for category in found if category is not None]
        return f"({', '.join(known)})" if len(known) == len(found) else match.group(0)

    return re.sub(r"\(([a-z0-9/, -]+)\)", names, text)


def conclusion_sections(survey: Survey) -> list[Section]:
    """Return the section with the editors' judgements and claims; [] if there are none."""
    judgements = [_judgement_run(survey, *each) for each in enumerate(survey.claims.judgements, 1)]
    blocks: tuple[Block, ...] = (
        *make_paragraphs("conclusion", *judgements),
        *_claims_table(survey),
    )
    return [Section("conclusion", "Conclusion", 1, blocks)] if blocks else []


def _judgement_run(survey: Survey, number: int, judgement: Judgement) -> Run:
    """Return a judgement, its strongest evidence, and what would settle it."""
    source, name = "taxonomy: claims/judgements", f"judgement-{number}"
    text = f"{without_dead_links(judgement.text).removesuffix('.')}."
    thesis = split_sentences(text)[0].text.partition(": ")[0]
    settled_by = without_dead_links(judgement.settled_by).removesuffix(".")
    test = signed(survey, f"What would settle it: {_lower_article(settled_by)}.", judgement.by)
    return [
        Draft(name, f"**{thesis}**{text.removeprefix(thesis)}", "H", source),
        *_strongest_evidence(survey, judgement, name),
        Draft(f"{name}-test", test, "H", source),
    ]


def _lower_article(text: str) -> str:
    """Return a text with its first word in lower case if this is an article."""
    return re.sub(r"^(?:An?|The)\b", lambda match: match[0].lower(), text)


def _strongest_evidence(survey: Survey, judgement: Judgement, name: str) -> Run:
    """Return what the strongest papers for and against a judgement report."""
    paper_ids = {"for": judgement.supported_by, "against": judgement.contradicted_by}
    found = [_evidence_of(survey, paper_id) for paper_id in paper_ids.values()]
    chosen = max(product(*found), key=lambda pair: _opposition(*pair))
    run: Run = []
    for (side, paper_id), placed in zip(paper_ids.items(), chosen, strict=True):
        draft_name, lead = f"{name}-{side}", f"The strongest evidence {side} it: "
        if placed:
            entry, sentence = placed[1].entry, placed[1].sentence
            run.append(quote_with_lead(draft_name, entry, sentence, lead))
        else:
            paper = survey.paper(paper_id)
            text = f"{lead}{cited_name(paper) if paper else '(evidence changed)'}."
            if not paper_id:
                text = "No paper in this survey contradicts it."
            run.append(Draft(draft_name, text, "H", "taxonomy: claims/judgements"))
    return run


_Placed = tuple[Claim, Evidence] | None
"""A claim with the evidence of a paper on it; None for a paper without evidence."""


def _evidence_of(survey: Survey, paper_id: str) -> list[_Placed]:
    """Return the evidence of a paper on all claims; [None] without evidence."""
    entry = survey.paper(paper_id)
    found: list[_Placed] = [
        (claim, evidence)
        for claim in survey.claims.claims
        for evidence in evidence_on(claim, survey.paper)
        if evidence.entry is entry
    ]
    return found or [None]


def _opposition(supporting: _Placed, contradicting: _Placed) -> tuple[bool, ...]:
    """Return the rank of a pair of evidence: opposed ones first, then those on one claim."""
    if not supporting or not contradicting:
        return ()
    (claim, evidence), (other_claim, other) = supporting, contradicting
    sides = {evidence.placement.side, other.placement.side}
    return (
        sides == {"for", "against"},
        len(sides) > 1,
        claim is other_claim,
        is_quotable(other.sentence, other.entry.paper),
    )


def _claims_table(survey: Survey) -> list[Table]:
    """Return the table of claims with their evidence, one row per claim; [] without claims."""
    rows = []
    for category in survey.categories:
        for claim in survey.claims.of_topic(category.id)[1]:
            counts = tally_or_reason(claim, survey.paper)
            evidence = f"{capitalise(counts)}." if counts else ""
            if claim.finding:
                evidence = f"{without_dead_links(claim.text)} {evidence}"
            heading = claim_link(survey, category, claim, claim.heading)
            rows.append((category_link(category), heading, evidence))
    columns = ("Topic", "Claim", "Evidence")
    caption = "Claims and the papers with evidence on each"
    return [Table("claims", caption, columns, tuple(rows))] if rows else []


def claim_link(survey: Survey, category: Category, claim: Claim, text: str) -> str:
    """Return `text` as a link to a claim of a category; without a link if it is not printed."""
    text = without_dead_links(text)
    if not prints_claims(top_subject(survey, category)):
        return text
    return f"[{text}](#{claim.topic}-{claim.name})"
