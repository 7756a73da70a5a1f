"""The projects that are built in every cell of the matrix."""

from __future__ import annotations

import csv
import io
import random
import shutil
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from tools.benchmarks.corpora import ABSTRACTS, PARTS, ROOT, write_project

_MIXED = 600
"""Papers of the project with inputs of many formats."""

_BIB = """@article{ilk,
  title = {İstanbul Ovens and the ısı of Agents: Learning to Plan with Tools},
  author = {Çelik, Işıl and Öz, Ümit}, year = {2024}, doi = {10.5555/oven.1},
  abstract = {We present an agent that plans with tools. It bakes İstanbul bread and wins by 3\\%.}
}
@inproceedings{zweit,
  title = {Straße und Gedächtnis: A Memory for Dialogue Agents},
  author = {Groß, Änne}, booktitle = {Proceedings of Bread}, year = {2023},
  abstract = {We introduce a memory that keeps what a dialogue agent was told.}
}
@misc{third,
  title = {A benchmark of web agents in kitchens}, author = {Doe, Jane}, year = {2025},
  abstract = {We release a benchmark of 40 kitchens in which web agents order flour.}
}
"""
_RIS = """TY  - JOUR
TI  - Reinforcement learning of kneading
AU  - Núñez, José
PY  - 2024
AB  - We train a policy that kneads dough with reinforcement learning.
ER  -
TY  - CONF
TI  - A Benchmark of Web Agents in Kitchens
AU  - Doe, Jane
PY  - 2025
DO  - 10.5555/kitchen.2
ER  -
TY  - JOUR
TI  - Search agents that read recipes
AU  - 東, 京子
PY  - 2022
AB  - We propose a search agent that reads recipes and cites them.
ER  -
"""
_CSV = """title,abstract,year,url
Ilgaz: multi-agent baking,"We let many agents bake together; they share ovens, and quarrel.",2025,https://example.org/1
I think: reasoning about yeast,"We study how models reason about yeast, step by step.",2024,https://example.org/2
Safe ovens,"We show that agents open hot ovens, and how to stop them.",2025,https://example.org/3
"""


def shipped(folder: Path) -> None:
    """The survey of this repository."""
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part)


def bread(folder: Path) -> None:
    """The small project of the golden test."""
    shutil.copytree(ROOT / "tests" / "golden" / "project", folder)


def mixed(folder: Path) -> None:
    """Some hundred abstracts beside BibTeX, RIS and CSV, in which papers come twice."""
    write_project(_MIXED, folder)
    for name, text in (("a.bib", _BIB), ("b.ris", _RIS), ("c.csv", _CSV)):
        (folder / "papers" / name).write_text(text, encoding="utf-8")


PROJECTS: dict[str, Callable[[Path], None]] = {"shipped": shipped, "bread": bread, "mixed": mixed}


def is_there(name: str) -> bool:
    """Whether what a project is made of is at hand."""
    return name != "mixed" or ABSTRACTS.is_file()


# --- the same input in another order -----------------------------------------


def shuffle_records(folder: Path) -> None:
    """Put the records of every file into another order."""
    for path in sorted((folder / "papers").iterdir()):
        chance = random.Random(path.name)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            path.write_text(_shuffled(text.splitlines(keepends=True), chance), encoding="utf-8")
        elif path.suffix == ".bib":
            _write_shuffled(path, [f"@{part}" for part in text.split("@")[1:]], chance)
        elif path.suffix == ".ris":
            _write_shuffled(path, [f"TY  - {part}" for part in text.split("TY  - ")[1:]], chance)
        elif path.suffix == ".csv":
            head, *rows = csv.reader(io.StringIO(text, newline=""))
            chance.shuffle(rows)
            _write_rows(path, [head, *rows])


def rename_files(folder: Path) -> None:
    """Give the files of papers names that sort the other way round."""
    paths = sorted((folder / "papers").iterdir())
    for number, path in enumerate(reversed(paths)):
        path.rename(path.with_name(f"{number}-{path.name}"))


def shuffle_ledger(folder: Path) -> None:
    """Put the decisions into another order; on one paper and facet the last one counts, still."""
    path = folder / "taxonomy" / "reviews.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)
    about = [head.index(name) for name in ("id", "title", "facet")]

    def subject(row: Sequence[str]) -> tuple[str, ...]:
        return tuple(row[column] for column in about)

    groups = [list(of) for _, of in groupby(sorted(rows, key=subject), key=subject)]
    random.Random(5).shuffle(groups)
    _write_rows(path, [head, *(row for group in groups for row in group)])


def _shuffled(records: list[str], chance: random.Random) -> str:
    chance.shuffle(records)
    return "".join(records)


def _write_shuffled(path: Path, records: list[str], chance: random.Random) -> None:
    path.write_text(_shuffled(records, chance), encoding="utf-8")


def _write_rows(path: Path, rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
