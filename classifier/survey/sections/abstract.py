"""The abstract, and the introduction in the editors' words."""

from __future__ import annotations

from classifier.survey.document import Draft, Section, computed, paragraphs
from classifier.survey.editorial import editors_paragraphs
from classifier.survey.survey import Survey
from classifier.survey.wording import counted, how_many, number, verb
from classifier.text.links import without_dead_links


def abstract_sections(material: Survey) -> list[Section]:
    """Return the abstract."""
    blocks = paragraphs("abstract", [editors_words(material)], abstract_drafts(material))
    return [Section("abstract", "Abstract", 1, tuple(blocks))]


def editors_words(material: Survey) -> Draft | None:
    """Return what the editors wrote for the abstract, if they did."""
    words = without_dead_links(material.taxonomy.survey.abstract.strip())
    return Draft("editors", words, "H", "taxonomy: survey/abstract") if words else None


def abstract_drafts(material: Survey) -> list[Draft | None]:
    """Return what the survey covers, in figures."""
    return [_sorted(material), _decided(material)]


def _sorted(material: Survey) -> Draft:
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


def _decided(material: Survey) -> Draft:
    facts = material.facts
    total, reviewed = facts.number("papers.total"), facts.number("papers.reviewed")
    sources = ["papers.total", "papers.reviewed", "papers.provisional"]
    imported = 0
    if "papers.imported" in facts.by_id:
        imported = facts.number("papers.imported")
        sources.append("papers.imported")
    text = who_decided(total, reviewed, facts.number("papers.provisional"), imported)
    return computed("decided", text, *sources)


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


def introduction_sections(material: Survey) -> list[Section]:
    """Return introduction and scope as the editors wrote it; none where they wrote none."""
    runs = editors_paragraphs(material.taxonomy.survey.scope, "scope")
    blocks = tuple(paragraphs("introduction", *runs))
    return [Section("introduction", "Introduction and scope", 1, blocks)] if blocks else []
