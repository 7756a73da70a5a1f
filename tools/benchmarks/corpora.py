"""Corpora of any size for measuring: real abstracts, and titles made distinct where they run out.

python -m tools.benchmarks.corpora 5000 big.jsonl
python -m tools.benchmarks.corpora 5000 --project folder
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ABSTRACTS = ROOT.parent / "shared" / "data" / "arxiv_20k.jsonl.gz"
PARTS = ("taxonomy", "papers")
# A copy of a paper needs another title, and words by which its text is another one, too.
_WORDS = "amber basalt cedar dune ember fjord grove harbour islet juniper kelp lagoon".split()


def records(count: int) -> Iterator[dict[str, object]]:
    """Yield `count` records of distinct papers, as the shared file has them.

    From the second round on a paper has no id, a title that begins with words of its own, and an
    abstract that ends with them.
    """
    with gzip.open(ABSTRACTS, "rt", encoding="utf-8") as lines:
        real = [json.loads(line) for line in lines]
    numbered = itertools.islice(enumerate(itertools.cycle(real)), count)
    for number, record in numbered:
        turn = number // len(real)
        yield record if not turn else _another(record, turn)


def _another(record: dict[str, object], turn: int) -> dict[str, object]:
    first, second = _WORDS[turn % len(_WORDS)], _WORDS[turn // len(_WORDS) % len(_WORDS)]
    name = f"{first.title()}-{second}-{turn}"
    return {
        **{key: value for key, value in record.items() if key != "id"},
        "title": f"{name} {first} {second}: {record['title']}",
        "abstract": f"{record['abstract']} We call this {name}.",
    }


def write_records(count: int, path: Path) -> None:
    """Write `count` records as JSON Lines."""
    with path.open("w", encoding="utf-8") as stream:
        for record in records(count):
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_project(count: int, folder: Path) -> None:
    """Write a project of `count` papers: the shipped one's taxonomy, and its decisions.

    The papers on which people decided are among them; the others are abstracts of arXiv.
    """
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part)
    own = sum(
        1 for path in (folder / "papers").glob("*.jsonl") for _ in path.read_bytes().splitlines()
    )
    if count > own:
        write_records(count - own, folder / "papers" / "more.jsonl")


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("path", type=Path)
    parser.add_argument("--project", action="store_true", help="a project of that many papers")
    told = parser.parse_args()
    (write_project if told.project else write_records)(told.count, told.path)


if __name__ == "__main__":
    main()
