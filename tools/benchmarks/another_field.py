"""Another field with a few cues and no labels: news, by `python -m tools.benchmarks.another_field`.

Learns from 800 unlabelled news texts, labels 800 others, and prints how many it got right. The
texts lie beside the project, in ../shared/data (AG News: Zhang, Zhao & LeCun, "Character-level
convolutional networks for text classification", 2015).
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from pathlib import Path

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy

HERE = Path(__file__).parent
TEXTS = HERE.parents[2] / "shared" / "data" / "agnews_800.jsonl.gz"


def read_part(part: str) -> tuple[list[Paper], list[int]]:
    """Return the texts of a part, `train` or `test`, and the column of each one's category."""
    with gzip.open(TEXTS, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["part"] == part]
    papers = [
        Paper("", f"{part}-{n:04d}", record["text"], "abstract") for n, record in enumerate(records)
    ]
    return papers, [record["label"] for record in records]


def measure() -> tuple[float, float]:
    """Return (accuracy on the test part, seconds) of a classifier that saw no label."""
    taxonomy = load_taxonomy(HERE / "another_field.yaml").taxonomy
    learned, _ = read_part("train")
    asked, truth = read_part("test")
    start = time.perf_counter()
    labels = TaxonomyClassifier(taxonomy).fit(learned).predict(asked)
    seconds = time.perf_counter() - start
    ids = taxonomy.first.ids
    right = [
        ids.index(label.facets["topic"].primary) == column
        for label, column in zip(labels, truth, strict=True)
    ]
    return sum(right) / len(right), seconds


if __name__ == "__main__":
    if not TEXTS.is_file():
        sys.exit(f"needs {TEXTS.name} in {TEXTS.parent}, which is not there")
    accuracy, seconds = measure()
    print(f"accuracy {accuracy:.3f} on 800 texts, {seconds:.1f} s")
