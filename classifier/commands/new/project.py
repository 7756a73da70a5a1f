"""A new project folder: papers as they are, a taxonomy to go on from, placements as decisions.

taxonomy.yaml is a text that teaches how to go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count
from pathlib import Path
from typing import Final

from classifier.commands.new.categories import categories_of, draft_categories
from classifier.commands.new.filing import Filing, Place, read_filing
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
from classifier.papers.load import Corpus, load_papers
from classifier.papers.paper import Paper
from classifier.papers.readers.markdown_outline import document_title, is_topic
from classifier.progress import Progress, report
from classifier.project import shipped_folder
from classifier.review.ledger import Entry, Ledger, ledger_bytes
from classifier.taxonomy.dump import taxonomy_yaml
from classifier.taxonomy.model import Facet, SurveySettings, Taxonomy, name_from_id
from classifier.taxonomy.versions import Versions, versions_bytes, with_current

_TOP: Final = """\
What this survey is about: the one file that you write. Everything else is made from it.

  fieldguide check          says what is wrong or doubtful in it, with the line
  fieldguide build          makes the survey: open out/index.html
  fieldguide check --deep   says which cues mislead, and which categories overlap

{origin}"""
_FILED: Final = """\
The categories are those that your papers were filed under before; where each paper was filed
stands in reviews.csv as a decision (drawn_by imported). Rename, merge, split as you like."""
_DRAFTED: Final = """\
Your papers were filed nowhere, so the categories are a draft: subjects that groups of papers
share. What to do next, in twenty minutes:
  1. fieldguide build; read a few titles of each category in out/index.html
  2. rename, merge and delete here until each is a subject that your field would name
  3. write definitions; `fieldguide check --suggest` proposes cues for what you changed
  4. fieldguide review serve: ten answers show where the cues mislead"""

# The line before which a comment goes, the first time that it occurs, and the comment.
_COMMENTS: Final = (
    (
        r"survey:$",
        "What the survey is called. Add `scope: |` with a paragraph on what is in and what is\n"
        "out, and `editors: [Your Name]`: both are printed.",
    ),
    (
        r"facets:$",
        "The questions asked of every paper. By the first the survey is grouped; a second one\n"
        "could be `design` (kind: single): trial, interviews, review …",
    ),
    (
        r" +kind: multi$",
        "multi: several categories may apply, at most `at_most`; one of them is the primary.",
    ),
    (
        r" +- id: ",
        "One category. The id is for ever (links and reviews hang on it), the name may change.\n"
        "Add `definition:` with a sentence or two on what belongs here, and what does not: the\n"
        "survey prints it.",
    ),
    (
        r" +cues:$",
        "Phrases that speak for the category, for papers that nobody filed: in the title, in\n"
        "what the paper says that it does (`contribution:`), or anywhere. `against:` speaks\n"
        "against it. `word~` allows inflections, `_` is one open word.",
    ),
    (
        r" +exemplars:",
        "Titles of papers that are certainly in: they teach like a decision.",
    ),
    (
        r" +children:$",
        "Parts of a category, of the same shape. Their ids begin with the category's.",
    ),
)  # fmt: skip


def lesson_yaml(taxonomy: Taxonomy, *, filed: bool, notes: Mapping[str, str]) -> str:
    """Return `taxonomy` as YAML, with a comment at the first of each of its parts.

    notes: category id -> what stands above it as a comment.
    """
    top = _TOP.format(origin=_FILED if filed else _DRAFTED)
    lines = taxonomy_yaml(taxonomy, top).split("\n")
    for identity, note in notes.items():
        above = next(n for n, line in enumerate(lines) if re.match(rf" +- id: {identity}$", line))
        lines[above:above] = ["", *(f"      # {line}" for line in note.split("\n"))]
    for pattern, comment in _COMMENTS:
        at = next((n for n, line in enumerate(lines) if re.match(pattern, line)), None)
        if at is not None:
            blanks = " " * (len(lines[at]) - len(lines[at].lstrip(" ")))
            lines[at:at] = [f"{blanks}# {line}" for line in comment.split("\n")]
    return "\n".join(lines)


FACET = "topic"

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
    corpus = _read(files, progress)
    report(progress, "Drafting the taxonomy", 0, 1)
    screened = verdicts(corpus.papers, files)
    if all(paper.id in screened and screened[paper.id].is_excluded for paper in corpus.papers):
        screened = {}  # nothing would be left, to look at it all the same
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
    taxonomy = Taxonomy(survey=SurveySettings(title=title), facets={FACET: facet})
    places = {
        paper_id: [ids[place] for place in filed or ((),)]
        for paper_id, filed in (filing.places if filing else {}).items()
    }
    entries = [*_entries(corpus.papers, places, screened, taxonomy, today)]
    written: dict[str, bytes | Path] = {
        f"papers/{name}": path for name, path in _names(files).items()
    }
    lesson = lesson_yaml(taxonomy, filed=bool(filing), notes=notes)
    written["taxonomy/taxonomy.yaml"] = lesson.encode()
    written[_SCHEMA] = shipped_folder("taxonomy") / Path(_SCHEMA).name
    if entries:
        written["taxonomy/reviews.csv"] = ledger_bytes(Ledger(tuple(entries)))
        written["taxonomy/versions.csv"] = versions_bytes(with_current(Versions(), taxonomy))
    written |= {".gitattributes": _GITATTRIBUTES, ".gitignore": b"/out/\n"}
    if forge and repository_of(folder) is None:
        written[WORKFLOW[forge]] = workflow_text(forge).encode()
        written[REQUIREMENTS] = requirements_text().encode()
    write_new_folder(folder, written)
    report(progress, "Drafting the taxonomy", 1, 1)
    decided = len({entry.id for entry in entries if entry.facet == FACET})
    return NewProject(folder, corpus, taxonomy, filing, decided, screened, tuple(sorted(written)))


def _read(files: Sequence[Path], progress: Progress | None) -> Corpus:
    if not files:
        raise UsageError("Name at least one file of papers: a list (.md), a .bib, a .csv, …")
    if STANDARD_INPUT in files:
        raise UsageError(
            "-: a project keeps the files that it is made of. Save what comes in and name the file."
        )
    corpus = load_papers(files, Path.cwd(), progress=progress)
    if not corpus.papers:
        raise UsageError(f"{', '.join(map(str, files))}: no paper that can be read in it.")
    return corpus


def _own_title(corpus: Corpus, files: Sequence[Path]) -> str:
    """Return what a single list calls itself; "" where it does not, or names no subject."""
    if len(files) != 1 or [file.format for file in corpus.files] != ["markdown"]:
        return ""
    (content,) = contents(files[0], str(files[0]))
    title = document_title(content.text())
    return title if is_topic(title) else ""


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
