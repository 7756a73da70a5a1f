"""A new project folder: papers as they are, a taxonomy to go on from, placements as decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count
from pathlib import Path

from classifier.commands.new.categories import categories_of, draft_categories
from classifier.commands.new.filing import Filing, Place, read_filing
from classifier.commands.new.lesson import lesson_yaml
from classifier.commands.new.recipe import (
    REQUIREMENTS,
    WORKFLOW,
    Forge,
    repository_of,
    requirements_text,
    workflow_text,
)
from classifier.commands.new.screening import NO_REASON, Verdict, verdicts
from classifier.errors import UsageError
from classifier.files.content import STANDARD_INPUT, contents
from classifier.files.folder import refuse_filled, write_new_folder
from classifier.labelling.labels import IMPORTED
from classifier.papers.formats.markdown_outline import document_title, is_topic
from classifier.papers.load import Corpus, load_papers
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.project import shipped_folder
from classifier.review.ledger import Entry, Ledger, ledger_bytes
from classifier.taxonomy.model import Facet, Survey, Taxonomy, name_from_id
from classifier.taxonomy.versions import Versions, versions_bytes, with_current

FACET = "topic"

_GITIGNORE = b"/out/\n"
_GITATTRIBUTES = b"""\
# Rows of both branches are kept: order does not matter there, and the same row twice is one.
taxonomy/reviews.csv merge=union
taxonomy/versions.csv merge=union
"""
_SCHEMA = "taxonomy/taxonomy.schema.json"
"""Named in the first line of taxonomy.yaml: editors complete and check by it."""


@dataclass(frozen=True, slots=True)
class NewProject:
    """What was made."""

    folder: Path
    corpus: Corpus
    taxonomy: Taxonomy
    filing: Filing | None
    """None where the papers had been filed nowhere: the categories are guesses."""
    placements: int
    """Papers whose place became a decision."""
    screened: Mapping[str, Verdict]
    """Paper id -> what a screening said of it."""
    files: tuple[str, ...]
    """Relative paths of all that was written, sorted."""


def new_project(
    folder: Path,
    files: Sequence[Path],
    today: date,
    progress: Progress | None = None,
    *,
    forge: Forge | None = None,
    take_over: bool = True,
) -> NewProject:
    """Make a project in `folder`, which is not there or empty, from files of papers.

    today: the day on which the placements are taken over; they are decisions of that day.
    forge: write the workflow that rebuilds the project there, too, unless the folder lies in a
    repository that is there already, which looks for workflows at its top alone.
    take_over: make categories of the headings, collections or keywords, and decisions of what was
    filed there; else categories are guesses, whatever was filed.
    Raises OutputError where the folder holds anything, UsageError without files or papers,
    InputError with the faults of files that cannot be read. Asks nothing.
    """
    refuse_filled(folder)
    if not files:
        raise UsageError("Name at least one file of papers: a list (.md), a .bib, a .csv, …")
    if STANDARD_INPUT in files:
        raise UsageError(
            "-: a project keeps the files that it is made of. Save what comes in and name the file."
        )
    corpus = load_papers(files, Path.cwd(), progress=progress)
    if not corpus.papers:
        raise UsageError(f"{', '.join(map(str, files))}: no paper that can be read in it.")
    report(progress, "Drafting the taxonomy", 0, 1)
    screened = _screening(corpus.papers, files)
    kept = [p for p in corpus.papers if p.id not in screened or not screened[p.id].is_excluded]
    filing = read_filing(kept) if take_over else None
    ids: dict[Place, str] = {}
    notes: dict[str, str] = {}
    if filing:
        categories, ids = categories_of(filing, kept)
        tops = (len({place[:1] for place in filed}) for filed in filing.places.values())
        at_most = max([1, *tops])
    else:
        categories, notes = draft_categories(kept)
        at_most = min(2, len(categories))
    facet = Facet(id=FACET, kind="multi", at_most=at_most, categories=categories)
    title = _own_title(corpus, files) or name_from_id(folder.resolve().name) or "A survey"
    taxonomy = Taxonomy(survey=Survey(title=title), facets={FACET: facet})
    places = {
        paper_id: [ids[place] for place in filed or ((),)]
        for paper_id, filed in (filing.places if filing else {}).items()
    }
    entries = [*_entries(corpus.papers, places, screened, taxonomy, today)]
    written: dict[str, bytes | Path] = {
        f"papers/{name}": path for name, path in _names(files).items()
    }
    written |= _taxonomy_files(taxonomy, entries, notes, filed=bool(filing))
    written |= {".gitattributes": _GITATTRIBUTES, ".gitignore": _GITIGNORE}
    if forge and repository_of(folder) is None:
        written[WORKFLOW[forge]] = workflow_text(forge).encode()
        written[REQUIREMENTS] = requirements_text().encode()
    write_new_folder(folder, written)
    report(progress, "Drafting the taxonomy", 1, 1)
    decided = len({entry.id for entry in entries if entry.facet == FACET})
    return NewProject(folder, corpus, taxonomy, filing, decided, screened, tuple(sorted(written)))


def _own_title(corpus: Corpus, files: Sequence[Path]) -> str:
    """Return what a single list calls itself; "" where it does not, or names no subject."""
    if len(files) != 1 or [file.format for file in corpus.files] != ["markdown"]:
        return ""
    (content,) = contents(files[0], str(files[0]))
    title = document_title(content.text())
    return title if is_topic(title) else ""


def _taxonomy_files(
    taxonomy: Taxonomy, entries: Sequence[Entry], notes: Mapping[str, str], *, filed: bool
) -> dict[str, bytes | Path]:
    """Return the files of taxonomy/: path in the project -> bytes, or the file to copy."""
    files: dict[str, bytes | Path] = {
        "taxonomy/taxonomy.yaml": lesson_yaml(taxonomy, filed=filed, notes=notes).encode(),
        _SCHEMA: shipped_folder("taxonomy") / Path(_SCHEMA).name,
    }
    if entries:
        files["taxonomy/reviews.csv"] = ledger_bytes(Ledger(tuple(entries)))
        files["taxonomy/versions.csv"] = versions_bytes(with_current(Versions(), taxonomy))
    return files


def _screening(papers: Sequence[Paper], files: Sequence[Path]) -> Mapping[str, Verdict]:
    """Return paper id -> verdict; none where nothing would be left, to look at it all the same."""
    screened = verdicts(papers, files)
    left = len(papers) - sum(verdict.is_excluded for verdict in screened.values())
    return screened if left else {}


def _names(files: Sequence[Path]) -> dict[str, Path]:
    """Return name in papers/ -> file; a name that is taken gets a number, a hidden one loses it."""
    names: dict[str, Path] = {}
    for path in files:
        stem, ending = path.stem.lstrip(".") or "papers", path.suffix
        free = (f"{stem}{ending}" if n == 1 else f"{stem}-{n}{ending}" for n in count(1))
        names[next(name for name in free if name.casefold() not in map(str.casefold, names))] = path
    return names


def _entries(
    papers: Sequence[Paper],
    places: Mapping[str, Sequence[str]],
    screened: Mapping[str, Verdict],
    taxonomy: Taxonomy,
    today: date,
) -> Iterator[Entry]:
    """Yield the rows of the ledger: one a place of a paper, of which the first is the primary.

    Behind them what a screening said: exclusions with their reasons, notes as remarks.
    """
    for paper in papers:
        placed = places.get(paper.id, ())
        rows = [(FACET, category, number == 0) for number, category in enumerate(placed)]
        verdict = screened.get(paper.id)
        if verdict and verdict.is_excluded:
            rows.append(("exclude", verdict.reason or NO_REASON, False))
        if verdict and verdict.note:
            rows.append(("remark", verdict.note, False))
        for facet, value, primary in rows:
            yield Entry(
                id=paper.id,
                title=paper.title,
                facet=facet,
                value=value,
                primary=primary,
                reviewer=IMPORTED,
                reviewed_on=today.isoformat(),
                drawn_by=IMPORTED,
                taxonomy_digest=taxonomy.digest,
                note="",
            )
