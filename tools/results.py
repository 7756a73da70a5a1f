"""How true the results read out of abstracts are: `python -m tools.results [--held-out]`.

Against ../shared/data/results_dev.jsonl.gz, read by a person. A third of the abstracts, by the hash
of the title, was kept apart while the rules were written (agents .94 precise, .79 found; other
fields .64 and .33); its misses have been read since, so `--held-out` is no blind measure any more.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import re
from collections import Counter
from pathlib import Path

from classifier.survey.names import NameFinder
from classifier.text.clean import clean_abstract
from classifier.text.results import headline, headline_results
from classifier.text.roles import roled_sentences

SHARED = Path(os.environ.get("FG_SHARED", "../shared"))


def is_held_out(title: str) -> bool:
    """Whether an abstract is kept for the last look."""
    return int(hashlib.sha256(title.encode()).hexdigest(), 16) % 3 == 0


def plain(value: str) -> str:
    """Return a value for comparison: digits and marks alone, the estimate before its interval."""
    return (
        re.split(r"[;\[(]", re.sub(r"[\s+$\\{}]", "", value.lower()))[0]
        .replace("–", "-")
        .replace("--", "-")
    )


def main() -> None:
    """Print headline precision, headline found, whose and kind by field."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true", help="the third that is kept apart")
    parser.add_argument("--show", action="store_true", help="every difference")
    options = parser.parse_args()
    lines = gzip.decompress((SHARED / "data/results_dev.jsonl.gz").read_bytes()).splitlines()
    counts: dict[str, Counter[str]] = {"agents": Counter(), "other fields": Counter()}
    for row in map(json.loads, lines):
        if is_held_out(row["title"]) == options.held_out:
            group = "agents" if row["source"] == "ai" else "other fields"
            compare(row, counts[group], options.show)
    for group, count in counts.items():
        print(f"{group}: {count['papers']} abstracts")
        for name, part, whole in (
            ("headline precision", "right", "shown"),
            ("headline found", "found", "with headline"),
            ("whose", "whose", "matched"),
            ("kind", "kind", "matched"),
        ):
            share = count[part] / count[whole] if count[whole] else 0
            print(f"  {name:18} {share:.2f}  ({count[part]} of {count[whole]})")


def compare(row: dict[str, object], count: Counter[str], show: bool) -> None:
    """Count how the results of one abstract agree with those that a person read."""
    truth = row["results"]
    assert isinstance(truth, list)
    sentences = roled_sentences(clean_abstract(str(row["abstract"])))
    results = headline_results(sentences, NameFinder({}).benchmarks)
    stated = {plain(item["value"]): item for item in reversed(truth)}
    count["papers"] += 1
    shown = headline(results)
    right = [item for item in shown if stated.get(plain(item.value), {}).get("whose") == "own"]
    count["shown"] += len(shown)
    count["right"] += len(right)
    wanted = {plain(item["value"]) for item in truth if item["headline"]}
    if wanted:
        count["with headline"] += 1
        count["found"] += any(plain(item.value) in wanted for item in shown)
    for item in results:
        if said := stated.get(plain(item.value)):
            count["matched"] += 1
            count["whose"] += item.whose == said["whose"]
            count["kind"] += item.kind == said["kind"]
            if show and (item.whose, item.kind) != (said["whose"], said["kind"]):
                print(
                    row["id"], item.short, item.kind, item.whose, "is", said["kind"], said["whose"]
                )
    if show:
        for item in shown:
            if item not in right:
                print(row["id"], "WRONG", item.short, "|", item.sentence.text)
        if wanted and not any(plain(item.value) in wanted for item in shown):
            print(row["id"], "MISSED", wanted, [item.short for item in shown])


if __name__ == "__main__":
    main()
