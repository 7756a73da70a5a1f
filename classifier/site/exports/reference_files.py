"""The files with references and rows: of each paper, of each category, and of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from classifier.files.table import write_table
from classifier.review.sheet import data_columns, sheet_rows
from classifier.site.exports.bibtex import bibtex_entry
from classifier.site.exports.cite_keys import cite_keys
from classifier.site.exports.csl import csl_list, csl_text
from classifier.site.exports.ris import ris_record
from classifier.site.exports.tags import category_tags
from classifier.survey.entry import Entry
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Category

File = tuple[str, str]
"""Path from the top of the site, text."""


@dataclass(frozen=True, slots=True)
class _Formatted:
    """One paper in every format, made once for all files that hold it."""

    bib: str
    ris: str
    csl: str


def paper_references(edition: Survey) -> Iterator[File]:
    """Yield the references of each paper, and of all, in the order of the reference list."""
    made = dict(_formatted(edition))
    for entry in edition.entries:
        yield from _references(f"p/{entry.slug}", [made[entry.paper.id]])
    yield from _references("references", list(made.values()))


def category_references(edition: Survey, categories: Sequence[Category]) -> Iterator[File]:
    """Yield the references of each of `categories`.

    There are two sets of files, where it has papers: `c/ID.*`, all to which it applies, and
    `c/ID-filed.*`, those filed under it. Besides BibTeX, RIS and CSL-JSON these
    hold CSV: the rows of labels.csv without the cells that people fill, since nobody would take
    up what is typed there. The order is that of the reference list.
    """
    made = dict(_formatted(edition))
    papers = [entry.paper for entry in edition.entries]
    rows = sheet_rows(edition.taxonomy, papers, [entry.labels for entry in edition.entries])
    row_of = {paper.id: row for paper, row in zip(papers, rows, strict=True)}
    shown = data_columns(edition.taxonomy)
    for base, entries in _groups(edition, categories):
        ids = [entry.paper.id for entry in entries]
        yield from _references(base, [made[paper_id] for paper_id in ids])
        yield f"{base}.csv", write_table(shown, (row_of[paper_id] for paper_id in ids)).decode()


def _formatted(edition: Survey) -> Iterator[tuple[str, _Formatted]]:
    keys = cite_keys([entry.paper for entry in edition.entries])
    for entry in edition.entries:
        paper, key, tags = entry.paper, keys[entry.paper.id], category_tags(entry)
        bib = bibtex_entry(paper, key, entry.aliases, tags)
        yield paper.id, _Formatted(bib, ris_record(paper, key, tags), csl_text(paper, key, tags))


def _references(base: str, papers: Sequence[_Formatted]) -> Iterator[File]:
    yield f"{base}.bib", "\n".join(one.bib for one in papers)
    yield f"{base}.ris", "\n".join(one.ris for one in papers)
    yield f"{base}.json", csl_list(one.csl for one in papers)


def _groups(
    edition: Survey, categories: Sequence[Category]
) -> Iterator[tuple[str, Sequence[Entry]]]:
    ids = {category.id for category in categories}
    for category in categories:
        if having := edition.with_category(category):
            yield f"c/{category.id}", having
        filed_id = f"{category.id}-filed"
        if filed_id not in ids and (filed := edition.filed_under(category)):
            yield f"c/{filed_id}", filed
