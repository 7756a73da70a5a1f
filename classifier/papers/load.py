"""Read the files of a user into a corpus of distinct papers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from classifier.errors import Fault, InputError, NoInputError, condense, sort_faults
from classifier.files.content import EMPTY, Content, contents
from classifier.files.reading import conflict_faults, display_path
from classifier.papers.compare import are_similar_titles
from classifier.papers.frame import make_frame, paper_columns
from classifier.papers.identity import Identity
from classifier.papers.merge import merge_records
from classifier.papers.paper import Paper
from classifier.papers.reader import ColumnsRead, Reader, display_value, no_paper_fault
from classifier.progress import Progress, report

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_ALIKE = 3
"""Maximum number of faults of one kind that are reported of a file."""
_Input = TypeVar("_Input")


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file from which papers were read."""

    name: str
    """As the user would type it; a file in an archive is `papers.zip/list.bib`."""
    format: str
    """The name of the reader."""
    records: int
    """Number of papers in it, before merging and without quarantined records."""
    digest: str
    """BLAKE2b-128 in hex of its text (UTF-8 without mark, lines ended by LF), so that all checkouts
    have the same; of its bytes if it is not a text."""
    columns: tuple[tuple[str, str], ...] = ()
    """(field, column) of a table whose columns do not have the names of our fields."""

    def columns_line(self) -> str:
        """Return one line with the columns of a foreign table and their fields, or ""."""
        if not self.columns:
            return ""
        read = ", ".join(f"{field} ← {column}" for field, column in self.columns if field)
        unread = "".join(f"; not read: {column}" for field, column in self.columns if not field)
        papers = "1 paper" if self.records == 1 else f"{self.records:,} papers"
        return f"{self.name}: {papers}; {read}{unread}"


@dataclass(frozen=True, slots=True)
class FileRecords:
    """The records of a file."""

    file: InputFile
    papers: tuple[Paper, ...]
    """In file order, before merging; some have no id yet."""
    quarantined: tuple[Fault, ...]
    faults: tuple[Fault, ...]
    """Warnings only."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The distinct papers of the input files."""

    papers: tuple[Paper, ...]
    """With ids, in the order of their first records in the input."""
    records: int
    """Number of records before merging."""
    quarantined: tuple[Fault, ...]
    """Records that could not be read, in input order; each Fault has a `record`."""
    faults: tuple[Fault, ...]
    """Warnings, sorted by file and line."""
    files: tuple[InputFile, ...]
    """In the order in which they were given."""
    aliases: Mapping[str, str]
    """Id of the paper, by each of its other ids."""

    @property
    def merged(self) -> int:
        """Number of papers that were merged from several records."""
        return sum(len(paper.sources) > 1 for paper in self.papers)

    def to_frame(self) -> DataFrame:
        """Return the papers as a pandas table, one row per paper."""
        return make_frame(paper_columns(self.papers))

    @property
    def other_ids(self) -> dict[str, tuple[str, ...]]:
        """Other ids of each paper, sorted; papers without other ids are omitted."""
        others: dict[str, list[str]] = {}
        for alias, paper_id in sorted(self.aliases.items()):
            others.setdefault(paper_id, []).append(alias)
        return {paper_id: tuple(aliases) for paper_id, aliases in others.items()}


def load_papers(
    paths: str | Path | Sequence[str | Path],
    root: Path | None = None,
    *,
    identity: Identity | None = None,
    progress: Progress | None = None,
    found_by_pattern: bool = False,
) -> Corpus:
    """Read one or more files and merge their records.

    root: folder to which file names in messages are relative; by default the working folder.
    found_by_pattern: the files were found by a pattern. A file that is not an input is then only a
    warning if other files have papers.
    Raises InputError with the faults of all files that cannot be read.
    """
    if isinstance(paths, str | Path):
        paths = [paths]

    def read_next(numbered: tuple[int, Path]) -> list[FileRecords]:
        number, path = numbered
        report(progress, "Reading papers", number, len(paths))
        return read_file(path, display_path(path, root or Path.cwd()))

    read, errors, strays = _read_each(read_next, enumerate(map(Path, paths)))
    if not found_by_pattern or not read:
        errors += strays
    strays = [stray for stray in strays if stray.actual != EMPTY]  # empty files are not reported
    if errors:
        raise InputError(sort_faults(errors))
    report(progress, "Reading papers", len(paths), len(paths))
    records = [paper for file in read for paper in file.papers]
    merged = merge_records(records, identity)
    faults = (fault for file in read for fault in file.faults)
    hint = "It was not read. Move it out of the folder, or convert it."
    strays = [replace(stray, severity="warning", hint=hint) for stray in strays]
    return Corpus(
        papers=merged.papers,
        records=len(records),
        quarantined=tuple(record for file in read for record in file.quarantined),
        faults=tuple(sort_faults([*faults, *strays, *merged.faults])),
        files=tuple(file.file for file in read),
        aliases=merged.aliases,
    )


def read_file(path: Path, label: str) -> list[FileRecords]:
    """Read one file, or each file of an archive, with the first reader that recognises it.

    label: name of the file for messages.
    Raises InputError if it is missing, unreadable or empty, or if no reader recognises it.
    """
    read, errors, strays = _read_each(lambda one: [read_content(one)], contents(path, label))
    if errors or (strays and read):
        raise InputError([*errors, *strays])
    if strays:
        raise NoInputError(strays)
    return read


def _read_each(
    read: Callable[[_Input], list[FileRecords]], inputs: Iterable[_Input]
) -> tuple[list[FileRecords], list[Fault], list[Fault]]:
    """Return the records read, the errors, and the faults of files that are not inputs."""
    records: list[FileRecords] = []
    errors: list[Fault] = []
    strays: list[Fault] = []
    for each in inputs:
        try:
            records += read(each)
        except NoInputError as error:
            strays += error.faults
        except InputError as error:
            errors += error.faults
    return records, errors, strays


def read_content(content: Content) -> FileRecords:
    """Read all records of one file.

    Raises InputError if no reader recognises it, or if it has an unresolved merge conflict of Git,
    which a reader might ignore.
    """
    conflicts = conflict_faults(content.lines() if content.is_text else (), content.name)
    if conflicts:
        raise InputError(conflicts)
    reader = find_reader(content)
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
        faults.append(no_paper_fault(content.name, quarantined, reader.description))
    papers, doubled = _with_distinct_ids(papers)
    file = InputFile(content.name, reader.name, len(papers), content.digest(), columns)
    return FileRecords(
        file, tuple(papers), tuple(quarantined), tuple(condense([*faults, *doubled], MAX_ALIKE))
    )


def find_reader(content: Content) -> Reader:
    """Return the reader of a file, or raise InputError if no reader accepts it."""
    # Late: an unchanged project does not need the readers.
    from classifier.papers.readers import all_readers, reader_for
    from classifier.papers.readers.refusals import (
        looks_like_input,
        refusal_error,
        unknown_format_fault,
    )

    if refused := refusal_error(content):
        raise InputError([refused])
    reader = reader_for(content)
    if reader is None:
        kind = InputError if looks_like_input(content) else NoInputError
        raise kind([unknown_format_fault(content, all_readers())])
    return reader


def _with_distinct_ids(papers: Sequence[Paper]) -> tuple[list[Paper], list[Fault]]:
    """Remove the id of a record if an earlier, different paper of the file already has it."""
    holders: dict[str, Paper] = {}
    kept: list[Paper] = []
    faults: list[Fault] = []
    for paper in papers:
        holder = holders.setdefault(paper.id, paper) if paper.id else paper
        if not are_similar_titles(holder.title, paper.title):
            source = paper.sources[0]
            earlier = f"line {holder.sources[0].line}: {display_value(holder.title)}"
            found = f"id {paper.id} again, for {display_value(paper.title)} ({earlier})"
            hint = "The second record gets a new id."
            place = source.file, source.line
            faults.append(Fault("notice", *place, found, "one id per paper", hint))
            # The equivalent arXiv id or DOI is removed, too.
            arxiv_id = "" if paper.id == f"arxiv:{paper.arxiv_id}" else paper.arxiv_id
            doi = "" if paper.id.lower() == f"doi:{paper.doi}" else paper.doi
            paper = replace(paper, id="", arxiv_id=arxiv_id, doi=doi)
        kept.append(paper)
    return kept, faults
