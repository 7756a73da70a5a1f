"""How well, how fast and in how much memory records of one paper are found.

    python -m tools.benchmarks.merging [--papers 19800] [--generic 1000]

Real titles and abstracts (../shared/data/arxiv_20k.jsonl.gz) as five records a paper: the preprint;
its venue version with a DOI, another spelling of the title and a revised abstract; a second version
whose subtitle changed; a line of a list that has the title alone; and another paper of nearly the
same title. So it is known which records are one paper. To these come records that share what tells
nothing: titles such as “Editorial”. Seconds are of the processor; the peer is pandas, which drops
records of equal lower-case titles and finds nothing else.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import resource
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pandas as pd

from classifier.papers.merge import merge_records
from classifier.papers.paper import Paper, Published, Source

ARCHIVE = Path("../shared/data/arxiv_20k.jsonl.gz")
_SPELLINGS: tuple[Callable[[str, Random], str], ...] = (
    lambda title, random: title,
    lambda title, random: title.upper(),
    lambda title, random: _accented(title),
    lambda title, random: re.sub(r"[:,–-]", " ", title),
    lambda title, random: _typo(title, random),
    lambda title, random: f"{title} $\\alpha$",
)
_GENERIC = ("Editorial", "Introduction", "Preface", "Book Reviews", "In this issue")

Known = tuple[int, Paper]
"""The number of the paper that a record tells of, and the record."""


def records(papers: int, generic: int) -> list[Known]:
    """Return the records in an order that says nothing."""
    random = Random(7)
    rows = _rows(papers)
    known = [
        record for number, row in enumerate(rows) for record in _of_one(number, row, rows, random)
    ]
    known += [(-1 - number, _nameless(number, random)) for number in range(generic)]
    random.shuffle(known)
    return [
        (number, replace(paper, sources=(Source(f"{line % 7}.jsonl", "jsonl", line),)))
        for line, (number, paper) in enumerate(known)
    ]


def _rows(count: int) -> list[dict[str, str]]:
    with gzip.open(ARCHIVE, "rt", encoding="utf-8") as lines:
        rows = {row["title"]: row for row in map(json.loads, lines)}
    return list(rows.values())[:count]


def _of_one(
    number: int, row: dict[str, str], rows: Sequence[dict[str, str]], random: Random
) -> Iterator[Known]:
    title, abstract, year = row["title"], row["abstract"], str(row["year"])
    arxiv_id = row["id"].removeprefix("arxiv:")
    authors = tuple(f"{_name(random)}, {_name(random)[:1]}." for _ in range(3))
    preprint = Paper(
        title, abstract=abstract, abstract_kind="abstract", authors=authors,
        published=Published(year), arxiv_id=arxiv_id,
    )  # fmt: skip
    spelling = random.choice(_SPELLINGS)
    yield number, preprint
    yield number, replace(
        preprint, title=spelling(title, random), abstract=_revised(abstract, random), arxiv_id="",
        doi=f"10.1000/{number}",
    )  # fmt: skip
    yield number, replace(preprint, title=f"{title.split(':')[0]}: A Revised Account")
    yield number, Paper(title)
    other = rows[(number * 7 + 3) % len(rows)]
    yield number + len(rows), Paper(
        f"{title} Part II", abstract=other["abstract"], abstract_kind="abstract",
        authors=authors, published=Published(year), doi=f"10.2000/{number}",
    )  # fmt: skip


def _nameless(number: int, random: Random) -> Paper:
    authors = (f"{_name(random)}, A.", f"{_name(random)}, B.")
    return Paper(
        _GENERIC[number % len(_GENERIC)], authors=authors,
        published=Published(str(1990 + number % 30)), doi=f"10.3000/{number}",
    )  # fmt: skip


def _name(random: Random) -> str:
    return "".join(random.choice("bdfgklmnprst") + random.choice("aeiou") for _ in range(4)).title()


def _accented(title: str) -> str:
    return unicodedata.normalize("NFD", title.replace("e", "é", 1))


def _typo(title: str, random: Random) -> str:
    place = random.randrange(len(title) // 2, len(title))
    return title[:place] + title[place + 1 :]


def _revised(abstract: str, random: Random) -> str:
    words = abstract.split()
    return " ".join(word for word in words if random.random() > 0.1)


def _pairs(groups: Sequence[Sequence[object]]) -> set[tuple[object, object]]:
    return {pair for group in groups for pair in combinations(sorted(group), 2)}  # type: ignore[type-var]


def main() -> None:
    """Merge and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--papers", type=int, default=19_800)
    parser.add_argument("--generic", type=int, default=1_000)
    parser.add_argument("--verbose", action="store_true", help="Print twenty faults.")
    arguments = parser.parse_args()
    known = records(arguments.papers, arguments.generic)
    start = time.process_time()
    frame = pd.DataFrame({"title": [paper.title.lower() for _, paper in known]})
    left = len(frame.drop_duplicates("title"))
    peer = time.process_time() - start
    start = time.process_time()
    merged = merge_records([paper for _, paper in known])
    seconds = time.process_time() - start
    truth = {paper.sources[0]: number for number, paper in known}
    expected: dict[int, list[Source]] = defaultdict(list)
    for source, number in truth.items():
        expected[number].append(source)
    wanted = _pairs(list(expected.values()))
    found = _pairs([paper.sources for paper in merged.papers])
    print(f"{len(known):,} records of {len(expected):,} papers: {len(merged.papers):,} found")
    print(f"pairs joined rightly {len(found & wanted) / len(found):.4f} (precision), ", end="")
    print(f"{len(found & wanted) / len(wanted):.4f} of all (recall)")
    missed = Counter(len({truth[s] for s in paper.sources}) for paper in merged.papers)
    print(f"papers made of two: {sum(n for k, n in missed.items() if k > 1):,}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{seconds:.1f} s of one processor, {memory:,.0f} MB in all, {len(merged.faults):,} faults"
    )
    print(f"pandas, equal titles alone: {left:,} found in {peer:.2f} s")
    if arguments.verbose:
        for fault in merged.faults[:20]:
            print(fault)


if __name__ == "__main__":
    main()
