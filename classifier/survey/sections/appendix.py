"""The appendices: the taxonomy in full, and how to cite the survey."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.papers.names import split_name
from classifier.survey.document import Draft, Section, Table, paragraphs
from classifier.survey.escape import escape_cell
from classifier.survey.survey import Survey
from classifier.survey.wording import joined, linked
from classifier.taxonomy.model import Category, Facet


def taxonomy_appendix(material: Survey) -> list[Section]:
    """Return the appendix with a table a facet."""
    tables = tuple(facet_table(material, facet) for facet in material.taxonomy.facets.values())
    return [Section("appendix-taxonomy", "Appendix: the taxonomy in full", 1, tables)]


def facet_table(material: Survey, facet: Facet) -> Table:
    """Return every category of a facet, children and retired ones too."""
    topics = [material.first.get(topic) for topic in facet.applies_to]
    asked = f" (asked of {joined([linked(c) for c in topics if c])})" if facet.applies_to else ""
    return Table(
        f"facet-{facet.id}",
        f"{escape_cell(facet.name)}{asked}: what are its categories, how many papers belong to "
        "each, and how many cues tell them?",
        ("Category", "Id", "Definition", "Papers", "Cues"),
        tuple(_rows(material, facet, facet.categories, 0)),
        numeric=(3, 4),
    )


def _rows(
    material: Survey, facet: Facet, categories: tuple[Category, ...], depth: int
) -> Iterator[tuple[str, ...]]:
    for category in categories:
        yield _category_row(material, facet, category, depth)
        yield from _rows(material, facet, category.children, depth + 1)


def _category_row(
    material: Survey, facet: Facet, category: Category, depth: int
) -> tuple[str, ...]:
    name = f"{'– ' * depth}{escape_cell(category.name)}"
    if category.replaced_by:
        successor = facet.get(category.replaced_by)
        merged = f"merged into {escape_cell(successor.name)}" if successor else "retired"
        return (name, f"`{category.id}`", merged, "–", "–")
    cues = sum(len(cues) for view, cues in category.cues.views())
    papers = material.facts.count((facet.id, category.id))
    definition = escape_cell(category.definition)
    return (name, f"`{category.id}`", definition, str(papers), str(cues) if cues else "–")


_SPECIAL = str.maketrans({**{sign: f"\\{sign}" for sign in "{}$&#%_"}, "<": "$<$", ">": "$>$"})


def citation_sections(material: Survey) -> list[Section]:
    """Return the appendix with a BibTeX entry."""
    cite = paragraphs("how-to-cite", [_citation(material)])
    return [Section("how-to-cite", "Appendix: how to cite this survey", 1, tuple(cite))]


def _citation(material: Survey) -> Draft:
    """How to cite the survey: its own title, editors, version and address, nothing else."""
    survey, facts = material.taxonomy.survey, material.facts
    total, newest = facts.number("papers.total"), facts.text("papers.newest")
    fields = [
        ("title", f"{{{_latex(survey.title)}}}"),
        ("author", " and ".join(map(_author, survey.editors))),
        ("edition", f"version {material.version}"),
        ("note", f"{total} papers, the newest of {newest}" if newest else f"{total} papers"),
        ("url", survey.base_url or survey.repository),
    ]
    lines = [f"  {name} = {{{value}}}," for name, value in fields if value]
    head = f"@misc{{survey-{material.version},"  # as in cite.bib
    entry = "\n".join(f"    {line}" for line in [head, *lines, "}"])
    text = f"The version is a hash of everything that the survey was built from.\n\n{entry}"
    return Draft("bibtex", text, "H", "fieldguide: method")


def _author(name: str) -> str:
    """Return an editor as BibTeX reads a name; a group in braces, or it would be taken apart."""
    family, given = map(_latex, split_name(name))
    return f"{family}, {given}" if given else f"{{{family}}}"


def _latex(text: str) -> str:
    return text.translate(_SPECIAL)
