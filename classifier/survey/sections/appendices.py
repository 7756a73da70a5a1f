"""The appendices: the whole taxonomy, what changed, how to cite."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.survey.changes.compare import Changes
from classifier.survey.changes.in_sections import label_change
from classifier.survey.document import Block, Section, Table
from classifier.survey.draft import Draft, computed, paragraphs
from classifier.survey.escape import escape_cell
from classifier.survey.material import Material
from classifier.survey.wording import counted, how_many, joined, linked, number, opening, verb
from classifier.taxonomy.model import Category, Facet

_MOST_MOVES = 40
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "{}$&#%_"})


def appendix_sections(material: Material) -> list[Section]:
    """Return the appendices, each with a heading of its own."""
    taxonomy = [facet_table(material, facet) for facet in material.taxonomy.facets.values()]
    cite = paragraphs("how-to-cite", [_citation(material)])
    return [
        Section("appendix-taxonomy", "Appendix: the taxonomy in full", 1, tuple(taxonomy)),
        *_change_sections(material),
        Section("how-to-cite", "Appendix: how to cite this survey", 1, tuple(cite)),
    ]


def facet_table(material: Material, facet: Facet) -> Table:
    """Return every category of a facet, children and retired ones too."""
    asked = f" (asked of {_names(material, facet)})" if facet.applies_to else ""
    return Table(
        f"facet-{facet.id}",
        f"{escape_cell(facet.name)}{asked}: what are its categories, how many papers belong to "
        "each, and how many cues tell them?",
        ("Category", "Id", "Definition", "Papers", "Cues"),
        tuple(_rows(material, facet, facet.categories, 0)),
        numeric=(3, 4),
    )


def _names(material: Material, facet: Facet) -> str:
    found = (material.first.get(topic) for topic in facet.applies_to)
    return joined([linked(category) for category in found if category])


def _rows(
    material: Material, facet: Facet, categories: tuple[Category, ...], depth: int
) -> Iterator[tuple[str, ...]]:
    for category in categories:
        yield _category_row(material, facet, category, depth)
        yield from _rows(material, facet, category.children, depth + 1)


def _category_row(
    material: Material, facet: Facet, category: Category, depth: int
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


def _change_sections(material: Material) -> list[Section]:
    """Return what changed since the labels were last published, where there is something."""
    changes = material.changes
    if changes is None:
        return []
    _add_facts(material, changes)
    blocks: list[Block] = list(paragraphs("changes", change_drafts(changes)))
    if changes.relabelled:
        blocks.append(_moves_table(changes))
    return [Section("changes", "Appendix: what changed", 1, tuple(blocks))]


def _add_facts(material: Material, changes: Changes) -> None:
    before, now = changes.papers
    add = material.facts.add
    add("changes.papers_before", before, "papers in what was published before")
    add("changes.papers_now", now, "papers now")
    add("changes.added", len(changes.added), "papers added since")
    add("changes.dropped", len(changes.dropped), "papers dropped since")
    add("changes.merged", len(changes.merged), "papers merged into another since")
    add("changes.labels_moved", len(changes.relabelled), "labels moved since")


def change_drafts(changes: Changes) -> list[Draft | None]:
    """Return what came, went and moved against what was published before."""
    against = "the labels were last locked" if changes.kind == "lock" else "the earlier build"
    before, now = changes.papers
    if not changes:
        text = f"Since {against} nothing changed: {counted(now, 'paper')}."
        return [computed("none", text, "changes.papers_now")]
    moves = [
        f"{how_many(len(found))} {verb(len(found), 'was', 'were')} {word}"
        for found, word in (
            (changes.added, "added"),
            (changes.dropped, "dropped"),
            (changes.merged, "merged into another"),
        )
    ]
    papers = f"{counted(before, 'paper')} became {number(now)}" if before != now else (
        f"the number of papers stayed at {number(now)}"
    )  # fmt: skip
    text = f"Since {against} {papers}: {joined(moves)}."
    names = ["papers_before", "papers_now", "added", "dropped", "merged"]
    labels = len(changes.relabelled)
    moved = f"{opening(counted(labels, 'label'))} moved."
    return [
        computed("papers", text, *(f"changes.{name}" for name in names)),
        computed("labels", moved, "changes.labels_moved") if labels else None,
    ]


def _moves_table(changes: Changes) -> Table:
    shown = changes.relabelled[:_MOST_MOVES]
    cut = f" (the first {_MOST_MOVES} by id)" if len(changes.relabelled) > _MOST_MOVES else ""
    return Table(
        "moves",
        f"Which labels moved, and why?{cut}",
        ("Paper", "Facet", "Change", "Reason"),
        tuple(
            (
                escape_cell(move.title),
                escape_cell(move.facet),
                escape_cell(label_change(move.before, move.now)),
                move.reason,
            )
            for move in shown
        ),
    )


def _citation(material: Material) -> Draft:
    """How to cite the survey: its own title, editors, version and address, nothing else."""
    survey = material.taxonomy.survey
    fields = [
        ("title", f"{{{_latex(survey.title)}}}"),
        ("editor", " and ".join(map(_latex, survey.editors))),
        ("edition", f"version {material.version}"),
        ("note", _newest(material)),
        ("url", survey.base_url or survey.repository),
    ]
    lines = [f"  {name} = {{{value}}}," for name, value in fields if value]
    entry = "\n".join(f"    {line}" for line in [f"@misc{{{_key(material)},", *lines, "}"])
    text = f"The version is a hash of everything that the survey was built from.\n\n{entry}"
    return Draft("bibtex", text, "H", "fieldguide: method")


def _newest(material: Material) -> str:
    total, newest = material.facts.number("papers.total"), material.facts.text("papers.newest")
    return f"{total} papers, the newest of {newest}" if newest else f"{total} papers"


def _key(material: Material) -> str:
    words = [
        w for w in material.taxonomy.survey.title.lower().split() if len(w) > 3 and w.isalnum()
    ]
    return f"{'-'.join(words[:3]) or 'survey'}-{material.version}"


def _latex(text: str) -> str:
    return text.translate(_SPECIAL)
