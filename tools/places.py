"""Measure the benchmark, part and system of results: python -m tools.places [--show].

tests/text/gold/places.csv has the benchmark, the part of it and the system of each result as people
read them; "?" marks what was not read. `digests` are those of the shipped survey; `train` and `dev`
are abstracts on agents. The rules were written with `digests` and `train` in view; the benchmarks
and systems of `dev` were looked at on the way.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from itertools import groupby

from classifier.survey.names import NameFinder
from classifier.survey.paper_names import short_name
from classifier.taxonomy.load import load_taxonomy
from classifier.text.clean import clean_abstract
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences
from tests.text.gold_spans import DIGESTS, GOLD, ROOT, abstracts_of
from tools.results import SHARED

ASPECTS = ("benchmark", "split", "system")
UNREAD = "?"


def main() -> None:
    """Print the figures of each set."""
    parser = argparse.ArgumentParser(prog="python -m tools.places", description=__doc__)
    parser.add_argument("--show", action="store_true", help="print each difference")
    options = parser.parse_args()
    for name, count in figures(options.show).items():
        print(f"{name}: {count['numbers']} numbers")
        for aspect in ASPECTS:
            right, said, expected = (count[aspect, what] for what in ("right", "said", "expected"))
            if expected:
                print(f"  {aspect:10} right {right} of {said} said, found of {expected} to be said")


def figures(show: bool) -> dict[str, Counter[object]]:
    """Return set -> how many numbers, and of each aspect how many are right, said and expected."""
    taxonomy = load_taxonomy(ROOT / "taxonomy/taxonomy.yaml").taxonomy
    finder = NameFinder(taxonomy.lexicons, taxonomy.roles)
    with (GOLD / "places.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts: dict[str, Counter[object]] = {}
    for (chosen, name, title), group in groupby(
        rows, key=lambda row: (row["set"], row["file"], row["paper"])
    ):
        text = clean_abstract(abstracts_of((ROOT if name == DIGESTS else SHARED) / name)[title])
        found = results_of(roled_sentences(text), finder.finder_for(title, short_name(title)))
        count = counts.setdefault(chosen, Counter())
        for row in group:
            place = int(row["start"])
            result = next((r for r in found if r.span.start - 1 <= place < r.span.end), None)
            if result:
                said = (result.benchmark, result.split, result.system)
                _compare(count, row, said, f"{result.value}: {result.clause.text}" if show else "")
    return counts


def _compare(
    count: Counter[object], row: dict[str, str], said: tuple[str, str, str], shown: str
) -> None:
    """Count what is said of a number against what a person read; shown: its clause, or ""."""
    count["numbers"] += 1
    for aspect, one, expected in zip(
        ASPECTS, said, (row["on"], row["split"], row["system"]), strict=True
    ):
        if expected == UNREAD:
            continue
        count[aspect, "right"] += bool(one) and one == expected
        count[aspect, "said"] += bool(one)
        count[aspect, "expected"] += bool(expected)
        if shown and one != expected:
            print(f"  {aspect} {one!r}, read {expected!r}: {shown}")


if __name__ == "__main__":
    main()
