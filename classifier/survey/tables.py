"""The tables of the survey; each answers the question in its caption."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.corpus.load import Corpus
from classifier.survey.document import Table
from classifier.survey.edition import Entry
from classifier.survey.facts import Facts
from classifier.survey.wording import citation, long_date
from classifier.taxonomy.model import Category, Facet, Taxonomy

_MOST_NAMES = 20


def escape_cell(text: str) -> str:
    """Return text that a Markdown table shows as it is."""
    for sign in "\\`*_{}[]<>|#":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def sources_table(corpus: Corpus) -> Table:
    """Return which files were read and what each gave."""
    rows = tuple(
        (f"`{file.name}`", file.format, f"{file.records:,}", f"`{file.digest[:12]}`")
        for file in corpus.files
    )
    return Table(
        "sources",
        "Which files were read, and what did each give?",
        ("File", "Format", "Records", "Content hash"),
        rows,
        numeric=(2,),
    )


def taxonomy_table(taxonomy: Taxonomy, facts: Facts) -> Table:
    """Return what each category means and how many papers it holds."""
    first = taxonomy.first
    rows = []
    for category in first.categories:
        if category.replaced_by:
            continue
        key = f"{first.id}.{category.id}"
        filed, reviewed = facts.number(f"{key}.filed"), facts.number(f"{key}.reviewed")
        name = f"[{escape_cell(category.name)}](#{category.id})"
        rows.append(
            (
                f"{name}{' (core)' if category.core else ''}",
                escape_cell(_named("; ".join(category.includes), first) or category.definition),
                escape_cell(_named("; ".join(category.excludes), first)),
                str(filed),
                str(facts.number(f"{key}.papers")),
                f"{100 * reviewed / filed:.0f}%" if filed else "–",
            )
        )
    return Table(
        "categories",
        "What does each category take in, and how many papers are in it?",
        ("Category", "Includes", "Leaves out", "Filed", "With it", "Reviewed"),
        tuple(rows),
        numeric=(3, 4, 5),
    )


def _named(text: str, facet: Facet) -> str:
    """Return `text` with ids in parentheses, "(gui-agents)", as the names of their categories."""

    def names(match: re.Match[str]) -> str:
        found = [facet.get(part.strip()) for part in match.group(1).split(",")]
        known = [category.name for category in found if category is not None]
        return f"({', '.join(known)})" if len(known) == len(found) else match.group(0)

    return re.sub(r"\(([a-z0-9/, -]+)\)", names, text)


def contribution_table(taxonomy: Taxonomy, facts: Facts) -> list[Table]:
    """Return what kind of contribution the papers of each category make, where a facet says so."""
    if "contribution" not in taxonomy.facets:
        return []
    first, facet = taxonomy.first, taxonomy.facet("contribution")
    kinds = [category for category in facet.categories if not category.replaced_by]
    rows = []
    for category in first.categories:
        if category.replaced_by:
            continue
        key = f"{first.id}.{category.id}"
        counts = [facts.number(f"{key}.contribution.{kind.id}") for kind in kinds]
        rows.append((escape_cell(category.name), *(str(n) if n else "–" for n in counts)))
    totals = [facts.number(f"contribution.{kind.id}.papers") for kind in kinds]
    rows.append(("All", *(str(n) for n in totals)))
    return [
        Table(
            "contributions",
            "What kind of contribution do the papers filed in each category make?",
            ("Category", *(kind.name for kind in kinds)),
            tuple(rows),
            numeric=tuple(range(1, len(kinds) + 1)),
        )
    ]


def names_table(facts: Facts, lexicon: str) -> list[Table]:
    """Return the names of a lexicon that most texts hold."""
    prefix, suffix = f"{lexicon}.", ".papers"
    counts = [
        (key[len(prefix) : -len(suffix)], facts.number(key))
        for key in facts.by_id
        if key.startswith(prefix) and key.endswith(suffix)
    ]
    top = sorted((item for item in counts if item[1] > 1), key=lambda i: (-i[1], i[0]))[
        :_MOST_NAMES
    ]
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


def category_table(taxonomy: Taxonomy, category: Category, filed: Sequence[Entry]) -> Table:
    """Return the papers filed under a category: key papers, then newest first, undated last."""
    rows = tuple(_paper_row(taxonomy, entry) for entry in filed)
    return Table(
        f"papers-{category.id}",
        f"Which papers are filed under {category.name}, and what does each do?",
        ("Ref.", "Paper", "Date", "Contribution", "What it does", "Topic label"),
        rows,
    )


def _paper_row(taxonomy: Taxonomy, entry: Entry) -> tuple[str, ...]:
    labels = entry.labels.facets.get("contribution")
    kind = taxonomy.facet("contribution").get(labels.primary) if labels else None
    return (
        citation(entry),
        f"[{escape_cell(entry.paper.title_display)}](p/{entry.slug}.html)"
        f"{' (key paper)' if entry.key else ''}",
        long_date(entry.paper.published),
        kind.name if kind else "",
        escape_cell(entry.contribution) or "not stated",
        entry.first.status,
    )
