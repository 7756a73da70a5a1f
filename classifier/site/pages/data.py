"""Every file that a reader may take away: what it is, how large, and how to check it."""

from __future__ import annotations

from collections.abc import Mapping

_FILES: tuple[tuple[str, str, str], ...] = (
    ("survey.md", "The survey", "as Markdown"),
    ("survey.html", "The survey", "on one page, to save or print"),
    ("survey.pdf", "The survey", "as PDF"),
    ("labels.csv", "Labels", "every label and why; its empty columns are there to correct them in"),
    ("papers.json", "Labels", "papers with labels and probabilities"),
    ("results.csv", "Results", "numbers that papers state, with their clause, as a table"),
    ("results.json", "Results", "the same as JSON"),
    ("taxonomy.json", "Labels", "the taxonomy under which the labels were given"),
    ("excluded.csv", "Labels", "papers that the editors left out, with the reason"),
    ("quarantine.csv", "Labels", "records that could not be read"),
    ("references.bib", "References", "BibTeX"),
    ("references.ris", "References", "RIS"),
    ("references.json", "References", "CSL-JSON"),
    ("CITATION.cff", "References", "how to cite this survey"),
    ("cite.bib", "References", "this survey itself as BibTeX"),
    ("facts.json", "Evidence", "every number that the survey states, with its query"),
    ("sentences.jsonl", "Evidence", "every sentence with its kind and source"),
    ("metrics.json", "Evidence", "how good the labels are"),
    ("changes.json", "Evidence", "what changed since the baseline"),
    ("feed.atom", "Feeds", "the newest papers, Atom"),
    ("feed.json", "Feeds", "the newest papers, JSON Feed"),
)
_KILOBYTE, _MEGABYTE = 1000, 1_000_000


DataGroup = tuple[str, list[tuple[str, str, str]]]
"""Files of one sort: path, what it is, its size in words, so that a small edit does not change the
page."""


def data_groups(sizes: Mapping[str, int], found: Mapping[str, str]) -> list[DataGroup]:
    """Return the files to take away, of those that there are.

    sizes: path -> bytes; found: path of the numbers of a figure -> what it found.
    """
    described = [*_FILES, *((path, "Figures", title) for path, title in sorted(found.items()))]
    there = [each for each in described if each[0] in sizes]
    return [
        (name, [(path, what, size_class(sizes[path])) for path, of, what in there if of == name])
        for name in dict.fromkeys(name for _, name, _ in there)
    ]


def size_class(size: int) -> str:
    """Return how large a file is, as a class: the next of 10, 100 kB, 1, 10 MB and so on.

    >>> size_class(800), size_class(45_000), size_class(2_300_000)
    ('under 10 kB', 'under 100 kB', 'under 10 MB')
    """
    bound = 10 * _KILOBYTE
    while size >= bound:
        bound *= 10
    large = bound >= _MEGABYTE
    return f"under {bound // (_MEGABYTE if large else _KILOBYTE)} {'MB' if large else 'kB'}"
