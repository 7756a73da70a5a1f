"""Which category names which benchmark."""

from __future__ import annotations

from classifier.survey.document import Figure
from classifier.survey.facts.terms import NONE
from classifier.survey.survey import Survey
from classifier.survey.wording import counted

_LEXICON = "benchmarks"
_MOST_NAMES = 15
_FEWEST_TEXTS = 2


def benchmarks_figure(material: Survey) -> Figure | None:
    """Return how many papers of each category name a benchmark.

    None without a lexicon `benchmarks`, or where no two texts name the same one.
    """
    if _LEXICON not in material.taxonomy.lexicons:
        return None
    names = benchmarks_named(material)
    counts = {
        name: [
            material.facts.count((_LEXICON, name), filed=category.id)
            for category in material.in_scope
        ]
        for name in names
    }
    used = [
        index
        for index, _ in enumerate(material.in_scope)
        if any(row[index] for row in counts.values())
    ]
    if not used:
        return None
    texts = counted(material.facts.count((_LEXICON, names[0])), "paper")
    return Figure(
        "benchmarks",
        "Which categories name which benchmark? Rows: those that most texts name, in "
        f"{_FEWEST_TEXTS} texts or more, at most {_MOST_NAMES}; columns: where the papers are "
        "filed.",
        f"Heat map with numbers. The benchmark that most texts name is {names[0]}: {texts}.",
        ("Benchmark", *(material.in_scope[index].name for index in used)),
        tuple((name, *(str(row[index]) for index in used)) for name, row in counts.items()),
        "heat-map",
    )


def benchmarks_named(material: Survey) -> list[str]:
    """Return the benchmarks that most texts name, most often named first."""
    facts = material.facts
    names = [name for name in facts.values(_LEXICON) if name != NONE]
    counts = {name: facts.select((_LEXICON, name)).number for name in names}
    named = [name for name in names if counts[name] >= _FEWEST_TEXTS]
    return sorted(named, key=lambda name: (-counts[name], name))[:_MOST_NAMES]
