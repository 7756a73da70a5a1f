"""A corpus as an earlier build read and merged it, so that unchanged files are only hashed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from classifier.errors import Fault
from classifier.files.json_text import compact_rows
from classifier.files.manifest import digest
from classifier.files.memo import Memos, memo_key
from classifier.files.shown_name import shown_name
from classifier.papers.formats import Quarantined
from classifier.papers.identity import Identity
from classifier.papers.load import Corpus, InputFile, Progress, load_papers
from classifier.papers.paper import Paper, Published, Source

_MEMO = "corpus.json"
# What readers read with.
_LIBRARIES = (
    "bibtexparser",
    "charset-normalizer",
    "ftfy",
    "lxml",
    "openpyxl",
    "pandas",
    "pylatexenc",
    "rapidfuzz",
)


def remembered_papers(
    paths: Sequence[Path],
    root: Path,
    identity: Identity,
    memos: Memos,
    progress: Progress | None = None,
) -> Corpus:
    """Return what `load_papers` returns, from the memos where an earlier build read these files.

    Raises as `load_papers` does.
    """
    key = _key(paths, root, identity)
    kept = memos.recall(_MEMO, key) if key else None
    if kept is not None:
        if progress:
            progress("Reading papers", len(paths), len(paths))
        return _corpus(json.loads(kept))
    corpus = load_papers(paths, root, identity=identity, progress=progress)
    if key:
        papers = compact_rows(map(_paper_row, corpus.papers), _json)
        memos.keep(_MEMO, key, b'{"papers":' + papers + b"," + _json(_row(corpus))[1:])
    return corpus


def _key(paths: Sequence[Path], root: Path, identity: Identity) -> str:
    """Return the key of a corpus; "" where a file cannot be read, which `load_papers` puts well."""
    try:
        files = [(shown_name(path, root), digest(path.read_bytes())) for path in paths]
    except OSError:
        return ""
    verdicts = [sorted(identity.same.items()), identity.different]
    return memo_key([files, verdicts], *_LIBRARIES)


def _json(value: object) -> bytes:
    """Return JSON in ASCII: texts may hold halves of letters, which UTF-8 cannot write."""
    return json.dumps(value, separators=(",", ":")).encode()


def _row(corpus: Corpus) -> dict[str, Any]:
    """Return all of a corpus but its papers, as JSON holds it."""
    return {
        "records": corpus.records,
        "quarantined": [asdict(record) for record in corpus.quarantined],
        "faults": [asdict(fault) for fault in corpus.faults],
        "files": [asdict(file) for file in corpus.files],
        "aliases": corpus.aliases,
    }


def _corpus(row: Mapping[str, Any]) -> Corpus:
    return Corpus(
        papers=tuple([_paper(*values) for values in row["papers"]]),
        records=row["records"],
        quarantined=tuple(Quarantined(**record) for record in row["quarantined"]),
        faults=tuple(Fault(**fault) for fault in row["faults"]),
        files=tuple(
            InputFile(**{**file, "columns": tuple(map(tuple, file["columns"]))})
            for file in row["files"]
        ),
        aliases=row["aliases"],
    )


def _paper_row(paper: Paper) -> list[Any]:
    """Return a paper as JSON holds it: its fields in order."""
    return [
        paper.title,
        paper.id,
        paper.abstract,
        paper.abstract_kind,
        paper.authors,
        paper.author_count,
        paper.organisation,
        paper.published.date,
        paper.venue,
        paper.arxiv_id,
        paper.doi,
        paper.url,
        paper.code_urls,
        paper.comment_count,
        paper.keywords,
        paper.collections,
        paper.reference,
        [(source.file, source.format, source.line) for source in paper.sources],
    ]


def _paper(
    title: str,
    identifier: str,
    abstract: str,
    kind: Any,
    authors: list[str],
    count: int | None,
    organisation: str,
    published: str,
    venue: str,
    arxiv_id: str,
    doi: str,
    url: str,
    code_urls: list[str],
    comments: int | None,
    keywords: list[str],
    collections: list[str],
    reference: list[list[str]],
    sources: list[list[Any]],
) -> Paper:
    return Paper(
        title,
        identifier,
        abstract,
        kind,
        tuple(authors),
        count,
        organisation,
        Published(published),
        venue,
        arxiv_id,
        doi,
        url,
        tuple(code_urls),
        comments,
        tuple(keywords),
        tuple(collections),
        tuple([(name, value) for name, value in reference]),
        tuple([Source(*source) for source in sources]),
    )
