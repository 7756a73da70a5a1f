"""From the files that a user names to the corpus of distinct papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from classifier.errors import Fault, InputError, NoInputError, condense, sort_faults
from classifier.files.content import EMPTY, Content, contents
from classifier.files.reading import conflict_faults, shown_name
from classifier.papers.compare import near_titles
from classifier.papers.frame import frame_of, paper_columns
from classifier.papers.identity import Identity
from classifier.papers.merge import merge_records
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead, Reader, display_value, no_paper
from classifier.progress import Progress, report

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file that papers were read from."""

    name: str
    """As the user would type it; of a file in an archive `papers.zip/list.bib`."""
    format: str
    """The name of the reader."""
    records: int
    """Papers in it, before merging and without quarantined records."""
    digest: str
    """BLAKE2b-128 in hex of its text (UTF-8 without mark, lines ended by LF), so the same in every
    checkout; of its bytes where it is no text."""
    columns: tuple[tuple[str, str], ...] = ()
    """(field, column) of a table whose columns have names other than the fields'."""

    def columns_line(self) -> str:
        """Return which columns of a foreign table were read, as one line; "" of other files."""
        if not self.columns:
            return ""
        read = ", ".join(f"{field} ← {column}" for field, column in self.columns if field)
        unread = "".join(f"; not read: {column}" for field, column in self.columns if not field)
        papers = "1 paper" if self.records == 1 else f"{self.records:,} papers"
        return f"{self.name}: {papers}; {read}{unread}"


@dataclass(frozen=True, slots=True)
class FileRecords:
    """What one file holds."""

    file: InputFile
    papers: tuple[Paper, ...]
    """In file order; not merged, not all with an id."""
    quarantined: tuple[Fault, ...]
    faults: tuple[Fault, ...]
    """Warnings only."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The distinct papers of some files."""

    papers: tuple[Paper, ...]
    """With ids, in the order of their first appearance in the input."""
    records: int
    """How many records the papers were merged from."""
    quarantined: tuple[Fault, ...]
    """Records that could not be read, in input order: each has a `record`."""
    faults: tuple[Fault, ...]
    """Warnings, sorted by file and line."""
    files: tuple[InputFile, ...]
    """In the order in which they were given."""
    aliases: Mapping[str, str]
    """Every other id by which a paper is known -> its id."""

    @property
    def merged(self) -> int:
        """How many papers stand in the files more than once."""
        return sum(len(paper.sources) > 1 for paper in self.papers)

    def to_frame(self) -> DataFrame:
        """Return the papers as a pandas table, one row per paper."""
        return frame_of(paper_columns(self.papers))

    @property
    def other_ids(self) -> dict[str, tuple[str, ...]]:
        """Id of a paper -> its other ids, sorted; a paper without any is left out."""
        others: dict[str, list[str]] = {}
        for alias, paper_id in sorted(self.aliases.items()):
            others.setdefault(paper_id, []).append(alias)
        return {paper_id: tuple(aliases) for paper_id, aliases in others.items()}


def load_papers(
    paths: Sequence[str | Path],
    root: Path | None = None,
    *,
    identity: Identity | None = None,
    progress: Progress | None = None,
    found_by_pattern: bool = False,
) -> Corpus:
    """Read the files and merge their records; names are shown relative to `root` where inside it.

    root: the working folder where none is given. found_by_pattern: nobody named these files one by
    one, so that one which is no input is a warning, as long as others hold papers.
    Raises InputError with the faults of all files that cannot be read.
    """
    read: list[FileRecords] = []
    errors: list[Fault] = []
    strays: list[Fault] = []
    for number, path in enumerate(map(Path, paths)):
        report(progress, "Reading papers", number, len(paths))
        try:
            read += read_file(path, shown_name(path, root or Path.cwd()))
        except NoInputError as error:
            strays += error.faults
        except InputError as error:
            errors += error.faults
    if not found_by_pattern or not read:
        errors += strays
    strays = [stray for stray in strays if stray.actual != EMPTY]  # litter, beside good files
    if errors:
        raise InputError(sort_faults(errors))
    report(progress, "Reading papers", len(paths), len(paths))
    records = [paper for file in read for paper in file.papers]
    merged = merge_records(records, identity)
    faults = (fault for file in read for fault in file.faults)
    hint = "It is not read: move it out of the folder, or convert it."
    strays = [replace(stray, severity="warning", hint=hint) for stray in strays]
    return Corpus(
        papers=merged.papers,
        records=len(records),
        quarantined=tuple(record for file in read for record in file.quarantined),
        faults=tuple(sort_faults([*faults, *strays, *merged.faults])),
        files=tuple(file.file for file in read),
        aliases=merged.aliases,
    )


def read_file(path: Path, shown: str) -> list[FileRecords]:
    """Read one file with the first reader that knows it, each file of an archive by itself.

    Raises InputError if it is missing, unreadable, empty, or no reader knows it.
    """
    read: list[FileRecords] = []
    errors: list[Fault] = []
    strays: list[Fault] = []
    for content in contents(path, shown):
        try:
            read.append(read_content(content))
        except NoInputError as error:
            strays += error.faults
        except InputError as error:
            errors += error.faults
    if errors:
        raise InputError([*errors, *strays])
    if strays:
        raise NoInputError(strays) if not read else InputError(strays)
    return read


def read_content(content: Content) -> FileRecords:
    """Read all records of what one file holds.

    Raises InputError if no reader knows it, or git left a merge conflict in it: a reader passes
    over the marks, or leaves out some lines, and takes both sides.
    """
    conflicts = conflict_faults(content.lines() if content.is_text else (), content.name)
    if conflicts:
        raise InputError(conflicts)
    reader = known_reader(content)
    papers: list[Paper] = []
    quarantined: list[Fault] = []
    faults: list[Fault] = [*content.faults]
    columns: tuple[tuple[str, str], ...] = ()
    for record in reader.read(content):
        if isinstance(record, Paper):
            papers.append(record)
        elif isinstance(record, ColumnsRead):
            columns = record.pairs
        else:
            (quarantined if record.record else faults).append(record)
    if not papers:
        faults.append(no_paper(content.name, quarantined, reader.description))
    papers, doubled = _with_distinct_ids(papers)
    file = InputFile(content.name, reader.name, len(papers), content.digest(), columns)
    return FileRecords(
        file, tuple(papers), tuple(quarantined), tuple(condense([*faults, *doubled]))
    )


def known_reader(content: Content) -> Reader:
    """Return the reader of a file; raises InputError if there is none."""
    # Late: an unchanged project loads no parser of any format.
    from classifier.papers.readers import all_readers, reader_for
    from classifier.papers.readers.refusals import looks_like_input, refusal, unknown

    if refused := refusal(content):
        raise InputError([refused])
    reader = reader_for(content)
    if reader is None:
        kind = InputError if looks_like_input(content) else NoInputError
        raise kind([unknown(content, all_readers())])
    return reader


def _with_distinct_ids(papers: Sequence[Paper]) -> tuple[list[Paper], list[Fault]]:
    """Take an id from a record where an earlier one of the same file, another paper, has it."""
    holders: dict[str, Paper] = {}
    kept: list[Paper] = []
    faults: list[Fault] = []
    for paper in papers:
        holder = holders.setdefault(paper.id, paper) if paper.id else paper
        if not near_titles(holder.title, paper.title):
            source = paper.sources[0]
            earlier = f"line {holder.sources[0].line}: {display_value(holder.title)}"
            found = f"id {paper.id} again, for {display_value(paper.title)} ({earlier})"
            hint = "The second record is kept under an id of its own."
            faults.append(Fault("notice", source.file, source.line, found, "one id a paper", hint))
            # Nor has it the arXiv id or DOI that says the same.
            arxiv_id = "" if paper.id == f"arxiv:{paper.arxiv_id}" else paper.arxiv_id
            doi = "" if paper.id.lower() == f"doi:{paper.doi}" else paper.doi
            paper = replace(paper, id="", arxiv_id=arxiv_id, doi=doi)
        kept.append(paper)
    return kept, faults
