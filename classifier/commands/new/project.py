"""Write a new project folder: papers, a commented taxonomy, and decisions from the filing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from classifier.commands.new.screening import NO_REASON, Verdict, read_verdicts
from classifier.errors import InputError, UsageError
from classifier.files.content import STANDARD_INPUT, contents
from classifier.files.folder import refuse_non_empty, write_new_folder
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
The taxonomy of this survey. You edit only this file; the survey is generated from it.

  fieldguide check          lists errors and warnings, with their lines
  fieldguide build          generates the survey; open out/index.html
  fieldguide check --deep   lists misleading cues and overlapping categories

survey      title of the survey; add `scope: |`, a paragraph on the papers that are included and
            excluded, and `editors: [Your Name]`
facets      questions about every paper. The first one gives the survey its chapters. kind: multi
            allows several categories per paper, up to `at_most`; one of them is its primary
categories  keep each id, since links and reviews refer to it; you can change the name. Add a
            `definition:` of one or two sentences, which the survey prints
cues        phrases that suggest a category: in the title, in sentences on the `contribution`, or
            `anywhere`; `against` is evidence against it. `word~` also matches inflected forms, and
            `_` any one word
exemplars   titles of papers that certainly belong to the category, used like decisions
children    parts of a category, with the same fields; their ids start with that of the category

{origin}"""
_FILED: Final = """\
The categories come from the headings, collections or keywords of your papers. reviews.csv records
the category of each paper as a decision (drawn_by: imported). You can rename, merge and split
categories."""
_DRAFTED: Final = """\
DRAFT. Your papers have no headings, collections or keywords, so these categories were drafted from
phrases that groups of papers share. To revise them, in about twenty minutes:
  1. Run `fieldguide build` and read a few titles per category in out/index.html.
  2. Rename, merge and delete categories until each is a subject of your field. Delete cues that
     also have other meanings.
  3. Write a definition for each. `fieldguide check --suggest` proposes cues for new ones.
  4. Run `fieldguide review page` and open review.html. Ten answers show which cues mislead."""


def commented_yaml(taxonomy: Taxonomy, *, is_filed: bool, comments: Mapping[str, str]) -> str:
    """Return `taxonomy` as YAML, with comments.

    is_filed: whether the categories come from the filing of the papers. comments: category id ->
    comment above it.
    """
    top = _TOP.format(origin=_FILED if is_filed else _DRAFTED)
    lines = taxonomy_yaml(taxonomy, top).split("\n")
    for category_id, comment in comments.items():
        pattern = rf" +- id: (['\"]?){re.escape(category_id)}\1$"  # An id such as '3d' is quoted.
        index = next(n for n, line in enumerate(lines) if re.match(pattern, line))
        lines[index:index] = ["", *(f"      # {line}" for line in comment.split("\n"))]
    return "\n".join(lines)


FACET = "topic"

_GITATTRIBUTES = b"""\
# A merge keeps the rows of both branches: their order does not matter, and duplicates count once.
taxonomy/reviews.csv merge=union
taxonomy/versions.csv merge=union
"""
_SCHEMA = "taxonomy/taxonomy.schema.json"
"""The JSON Schema in the first line of taxonomy.yaml, for completion and validation in editors."""


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project that was created."""

    folder: Path
    corpus: Corpus
    taxonomy: Taxonomy
    filing: Filing | None
    """The filing of the papers; None if the categories are a draft."""
    placements: int
    """Number of papers with a decision from the filing."""
    screened: Mapping[str, Verdict]
    """Paper id -> verdict of a screening."""
    files: tuple[str, ...]
    """Relative paths of the written files, sorted."""


def new_project(
    folder: Path,
    files: Sequence[Path],
    today: date,
    progress: Progress | None = None,
    *,
    forge: Forge | None = None,
    use_filing: bool = True,
) -> NewProject:
    """Create a project from files of papers in `folder`, which must be missing or empty.

    today: date of the decisions from the filing.
    forge: also write the CI workflow for this forge, unless the folder is inside a repository
    (a forge only reads workflows in the root of a repository).
    use_filing: turn headings, collections or keywords into categories and decisions; otherwise
    draft the categories from the texts.
    Raises OutputError if the folder is not empty, UsageError without files or papers, InputError
    with the faults of unreadable files. Never prompts.
    """
    refuse_non_empty(folder)
    corpus = _read(files, progress)
    report(progress, "Drafting the taxonomy", 0, 1)
    screened = read_verdicts(corpus.papers, files)
    if all(paper.id in screened and screened[paper.id].is_excluded for paper in corpus.papers):
        screened = {}  # The survey would have no papers.
    kept = [p for p in corpus.papers if p.id not in screened or not screened[p.id].is_excluded]
    filing = read_filing(kept) if use_filing else None
    ids: dict[Place, str] = {}
    comments: dict[str, str] = {}
    if filing:
        categories, ids = categories_of(filing, kept)
        tops = (len({place[:1] for place in filed}) for filed in filing.places.values())
        at_most = max([1, *tops])
    else:
        categories, comments = draft_categories(kept)
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
    taxonomy_text = commented_yaml(taxonomy, is_filed=bool(filing), comments=comments)
    written["taxonomy/taxonomy.yaml"] = taxonomy_text.encode()
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
        raise UsageError("No file of papers. Add at least one: a list (.md), a .bib, a .csv, …")
    if STANDARD_INPUT in files:
        raise UsageError(
            "-: standard input has no file that the project could copy. "
            "Save the input to a file and use that file."
        )
    corpus = load_papers(files, Path.cwd(), progress=progress)
    if not corpus.papers:
        warnings = [fault for fault in corpus.faults if fault.severity == "warning"]
        raise InputError([replace(fault, severity="error") for fault in warnings])
    return corpus


def _own_title(corpus: Corpus, files: Sequence[Path]) -> str:
    if len(files) != 1 or [file.format for file in corpus.files] != ["markdown"]:
        return ""
    (content,) = contents(files[0], str(files[0]))
    title = document_title(content.text())
    return title if is_topic(title) else ""


def _names(files: Sequence[Path]) -> dict[str, Path]:
    """Return name in papers/ -> file. A number makes a name unique; a leading dot is removed."""
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
    """Yield the rows of the ledger: one per category of a paper; the first is its primary.

    The verdict of a screening follows: an exclusion with its reason, and a note as a remark.

    places: paper id -> category ids.
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
