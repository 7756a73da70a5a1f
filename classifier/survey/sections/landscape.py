"""The landscape: what the papers look like over all categories at once."""

from __future__ import annotations

from classifier.survey.document import Block, Section, Table
from classifier.survey.escape import escape_cell
from classifier.survey.facts.terms import NONE
from classifier.survey.figures import (
    artefacts_figure,
    benchmarks_figure,
    contribution_figure,
    matrix_figure,
    months_figure,
    shares_figure,
    topics_figure,
)
from classifier.survey.material import Material, current

_FIGURES = (
    topics_figure,
    months_figure,
    shares_figure,
    matrix_figure,
    contribution_figure,
    benchmarks_figure,
    artefacts_figure,
)
_MOST_NAMES = 20


def landscape_sections(material: Material) -> list[Section]:
    """Return the landscape."""
    blocks: list[Block] = [
        *(figure for draw in _FIGURES if (figure := draw(material))),
        *contribution_table(material),
        *names_table(material, "benchmarks"),
    ]
    return [Section("landscape", "Landscape", 1, tuple(blocks))]


def contribution_table(material: Material) -> list[Table]:
    """Return what kind of contribution the papers of each category make, where a facet says so."""
    if "contribution" not in material.taxonomy.facets:
        return []
    facts = material.facts
    kinds = current(material.taxonomy.facet("contribution").categories)
    rows = []
    for category in current(material.first.categories):
        counts = [facts.count(filed=category.id, contribution=kind.id) for kind in kinds]
        rows.append((escape_cell(category.name), *(str(n) if n else "–" for n in counts)))
    rows.append(("All", *(str(facts.count(contribution=kind.id)) for kind in kinds)))
    return [
        Table(
            "contributions",
            "What kind of contribution do the papers filed in each category make?",
            ("Category", *(kind.name for kind in kinds)),
            tuple(rows),
            numeric=tuple(range(1, len(kinds) + 1)),
        )
    ]


def names_table(material: Material, lexicon: str) -> list[Table]:
    """Return the names of a lexicon that most texts hold."""
    names = [name for name in material.facts.values(lexicon) if name != NONE]
    counts = [(name, material.facts.count((lexicon, name))) for name in names]
    ranked = sorted((item for item in counts if item[1] > 1), key=lambda i: (-i[1], i[0]))
    top = ranked[:_MOST_NAMES]
    if not top:
        return []
    return [
        Table(
            lexicon,
            f"Which {lexicon} do the texts name most often? (in two texts or more; at most "
            f"{_MOST_NAMES})",
            (lexicon.capitalize().removesuffix("s"), "Texts"),
            tuple((escape_cell(name), str(n)) for name, n in top),
            numeric=(1,),
        )
    ]
