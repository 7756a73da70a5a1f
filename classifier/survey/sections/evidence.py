"""Artefacts and numbers: how many papers state a result, link code, name a benchmark."""

from __future__ import annotations

from classifier.survey.document import Table
from classifier.survey.draft import Draft, computed
from classifier.survey.facts.facts import Selection
from classifier.survey.facts.query import Term
from classifier.survey.facts.terms import NONE
from classifier.survey.material import Material
from classifier.survey.trend import differs
from classifier.survey.wording import counted, joined, linked
from classifier.taxonomy.model import Category

# A share among fewer papers says little.
_WORTH_COMPARING = 10
_LEXICON = "benchmarks"


def evidence_table(material: Material) -> list[Table]:
    """Return, by category, how many papers state a result, link code, name a benchmark."""
    facts = material.facts
    has_names = _LEXICON in material.taxonomy.lexicons
    has_code = material.tells_of_code
    columns = ["Category", "Filed", "State a numeric result"]
    columns += ["Link or announce code"] if has_code else []
    columns += ["Name a benchmark"] if has_names else []

    def row(name: str, *terms: Term) -> tuple[str, ...]:
        filed = facts.count(*terms)
        cells = [facts.count(*terms, result="stated")]
        cells += [facts.count(*terms, code="yes")] if has_code else []
        cells += [filed - facts.count(*terms, (_LEXICON, NONE))] if has_names else []
        return (name, str(filed), *(_share(n, filed) for n in cells))

    asked = f"state a numeric result{', link or announce code' if has_code else ''}"
    asked += " or name a benchmark" if has_names else ""
    rows = [row(linked(c), ("filed", c.id)) for c in material.categories]
    return [
        Table(
            "evidence",
            f"How many papers of each category {asked} in the text that we read?",
            tuple(columns),
            (*rows, row("All")),
            numeric=tuple(range(1, len(columns))),
        )
    ]


def evidence_drafts(material: Material) -> list[Draft | None]:
    """Return where results and code stand out from the rest."""
    return [
        _standing_out(material, "result", "stated", "stands-results", "states a numeric result"),
        _standing_out(material, "code", "yes", "stands-code", "links code or announces a release"),
    ]


def _standing_out(material: Material, key: str, value: str, name: str, does: str) -> Draft | None:
    """The categories whose share differs from that of all others beyond chance."""
    facts, total = material.facts, material.facts.number("papers.total")
    every = facts.select((key, value))
    more: list[tuple[Selection, Selection, Category]] = []
    less: list[tuple[Selection, Selection, Category]] = []
    for category in material.in_scope:
        filed = facts.select(filed=category.id)
        having = facts.select((key, value), filed=category.id)
        rest = (every.number - having.number, total - filed.number)
        if filed.number < _WORTH_COMPARING or rest[1] < _WORTH_COMPARING:
            continue
        if differs((having.number, filed.number), rest):
            is_more = having.number * rest[1] > rest[0] * filed.number
            (more if is_more else less).append((having, filed, category))
    if not more and not less:
        return None
    told = [
        f"{word} often than elsewhere in {joined([_of(item) for item in found])}"
        for word, found in (("more", more), ("less", less))
        if found
    ]
    over_all = f"over all it is {every.number} of {counted(total, 'paper')}"
    text = f"A paper {does} {joined(told)}; {over_all}."
    sources = [s for having, filed, _ in (*more, *less) for s in (having, filed)]
    return computed(name, text, every, "papers.total", *sources)


def _of(item: tuple[Selection, Selection, Category]) -> str:
    having, filed, category = item
    return f"{linked(category)} ({having.number} of {filed.number})"


def _share(part: int, whole: int) -> str:
    """Return a count with its share; of no papers there is none."""
    if not whole:
        return "–"
    return f"{part} ({100 * part / whole:.0f}%)" if part else "0"
