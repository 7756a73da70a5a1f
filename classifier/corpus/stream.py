"""Papers one by one, from files of any length: nothing is held but hashes of what was seen.

Of records of equal id or title the first is kept and the rest passed over; titles that are only
nearly equal are joined by `load_papers`, which holds everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from classifier.corpus.identity import own_ids
from classifier.corpus.load import known_reader, shown_name
from classifier.corpus.paper import Paper, mint_id
from classifier.corpus.readers import ColumnsRead, Quarantined
from classifier.errors import Fault
from classifier.files.content import Content, contents
from classifier.text.normalise import title_key

Notice = Callable[[Fault | Quarantined], None]
"""Called with what was left out, and with warnings."""


def stream_papers(
    paths: Sequence[Path], root: Path, notice: Notice = lambda what: None
) -> Iterator[Paper]:
    """Yield the distinct papers of files in their order, each with its id.

    Memory is some 80 bytes a paper, where the reader streams (`Reader.streams`). Raises InputError
    at the first file that is missing or that no reader knows.
    """
    seen: set[int] = set()
    for path in paths:
        for content in contents(path, shown_name(path, root)):
            for paper in _papers(content, notice):
                names = set(map(_hash, _names(paper)))
                if seen.isdisjoint(names):
                    yield paper if paper.id else paper.with_id(mint_id(paper))
                seen |= names


def _papers(content: Content, notice: Notice) -> Iterator[Paper]:
    for fault in content.faults:
        notice(fault)
    for record in known_reader(content).read(content):
        if isinstance(record, Paper):
            yield record
        elif not isinstance(record, ColumnsRead):
            notice(record)


def _names(paper: Paper) -> tuple[str, ...]:
    """Return by what a paper is known again: its ids, and its title."""
    return *own_ids(paper), title_key(paper.title)


def _hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")
