"""Whether titles and abstracts are what other code reads in the same files.

    python -m tools.benchmarks.reading_alike [--show 3] [FILE…]

Without files those of ../shared/data/inputs. Of what the parsers of `independent.py` find, the
share of titles, and of abstracts under these titles, that our readers read alike, letter by letter
after folding. The first differences of each file are shown, for a person to say who is right.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from classifier.errors import InputError
from classifier.files.content import Content, contents
from classifier.papers.load import find_reader
from classifier.papers.paper import Paper
from tools.benchmarks.independent import INDEPENDENT, Texts, folded

INPUTS = Path("../shared/data/inputs")
_NO_ABSTRACT = frozenset({"notavailable", "noabstract", "noabstractavailable"})


@dataclass(slots=True)
class Likeness:
    """How far two readings of a file agree."""

    titles: int = 0
    """Titles that the other parser found."""
    equal_titles: int = 0
    abstracts: int = 0
    """Abstracts that the other parser found under an equal title."""
    equal_abstracts: int = 0
    differences: list[str] = field(default_factory=list)


def compare(papers: Sequence[Paper], others: Sequence[Texts]) -> Likeness:
    """Count what is alike; a title that occurs twice is matched twice."""
    found = Likeness()
    ours: dict[str, list[str]] = defaultdict(list)
    for paper in papers:
        ours[folded(paper.title)].append(folded(paper.abstract))
    for title, abstract in others:
        if not (key := folded(title)):
            continue
        found.titles += 1
        if not ours.get(key):
            found.differences.append(f"title: {title.strip()[:150]!r}")
            continue
        found.equal_titles += 1
        candidates, expected = ours[key], folded(abstract)
        expected = "" if expected in _NO_ABSTRACT else expected
        is_equal = expected in candidates
        own = candidates.pop(candidates.index(expected) if is_equal else 0)
        found.abstracts += bool(expected)
        found.equal_abstracts += bool(expected) and is_equal
        if not is_equal:
            found.differences.append(f"abstract of {title.strip()[:60]!r}: {apart(own, expected)}")
    return found


def apart(own: str, other: str) -> str:
    """Return both texts from shortly before the first letter in which they differ."""
    same = next((at for at, (a, b) in enumerate(zip(own, other, strict=False)) if a != b),
                min(len(own), len(other)))  # fmt: skip
    start = max(same - 20, 0)
    return f"ours …{own[start : same + 40]}… theirs …{other[start : same + 40]}…"


def likenesses(files: Sequence[Path]) -> Iterator[tuple[Content, Likeness]]:
    """Yield how alike each file is read whose format another parser knows."""
    for path in files:
        for content in contents(path, "/".join(path.parts[-2:])):
            try:
                reader = find_reader(content)
            except InputError as error:  # of a format that is refused
                print(error, file=sys.stderr)
                continue
            if other := INDEPENDENT.get(reader.name):
                papers = [record for record in reader.read(content) if isinstance(record, Paper)]
                yield content, compare(papers, list(other(content)))


def real_files() -> list[Path]:
    """Return the files of INPUTS that its manifest names; none where it is absent."""
    path = INPUTS / "MANIFEST.csv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [INPUTS / row["file"] for row in csv.DictReader(file)]


def main() -> None:
    """Print a row a file, then the differences."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--show", type=int, default=3, help="differences a file")
    arguments = parser.parse_args()
    found = list(likenesses(arguments.files or real_files()))
    print("| file | titles | alike | abstracts | alike |\n| --- | ---: | ---: | ---: | ---: |")
    for content, likeness in found:
        print(
            f"| {content.name} | {likeness.titles:,} | {likeness.equal_titles:,}"
            f" | {likeness.abstracts:,} | {likeness.equal_abstracts:,} |"
        )
    print()
    for content, likeness in found:
        for difference in likeness.differences[: arguments.show]:
            print(f"{content.name}: {difference}")


if __name__ == "__main__":
    main()
