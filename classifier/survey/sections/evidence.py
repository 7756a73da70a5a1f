"""Artefacts and numbers: how many papers state a result, link code, name a benchmark."""

from __future__ import annotations

from classifier.survey.document import Table
from classifier.survey.draft import Draft, computed
from classifier.survey.facts.facts import Selection
from classifier.survey.facts.query import Term
from classifier.survey.facts.terms import NONE
from classifier.survey.material import Material
from classifier.survey.trend import differs
from classifier.survey.wording import counted, joined, linked, opening
from classifier.taxonomy.model import Category

# A share among fewer papers says little.
_WORTH_COMPARING = 10
_LEXICON = "benchmarks"


def evidence_table(material: Material) -> list[Table]:
    """Return, by category, how many papers state a result, link code, name a benchmark.

    What none of the survey's papers does has no column; where that is all, there is no table.
    """
    facts = material.facts
    asked: list[tuple[str, Term]] = []
    if material.tells_of_results:
        asked.append(("state a numeric result", ("result", "stated")))
    if material.tells_of_code:
        asked.append(("link or announce code", ("code", "yes")))
    if _LEXICON in material.taxonomy.lexicons:
        asked.append(("name a benchmark", (_LEXICON, NONE)))
    if not asked:
        return []

    def row(name: str, *terms: Term) -> tuple[str, ...]:
        filed = facts.count(*terms)
        cells = [
            filed - facts.count(*terms, term) if term[1] == NONE else facts.count(*terms, term)
            for _, term in asked
        ]
        return (name, str(filed), *(_share(n, filed) for n in cells))

    questions = joined([words for words, _ in asked], "or")
    columns = ("Category", "Filed", *(opening(words) for words, _ in asked))
    rows = [row(linked(c), ("filed", c.id)) for c in material.categories]
    return [
        Table(
            "evidence",
            f"How many papers of each category {questions} in the text that we read?",
            columns,
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
