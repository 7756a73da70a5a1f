"""How the time to understand a text grows: python -m tools.fuzz.texts [--size 40000].

Sentences, their roles, names, results, features and labels of an abstract that goes on and on: a
word repeated, numbers without end, brackets that are never closed. As `tools.fuzz.growth` does for
files, four times the length may take little more than four times as long.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from classifier.learning import train
from classifier.papers.paper import Paper
from classifier.project import Project
from classifier.survey.inputs import read_inputs
from classifier.survey.paper_reading import read_papers
from classifier.text.bulk.reading import roled_texts
from tools.fuzz.growth import FILLERS, OPENERS, UNITS, Work, growth_fault

ROOT = Path(__file__).resolve().parents[2]

FRAMES = (
    "We bake bread. @@", "We bake bread. @@b", "We improve accuracy by 5%@@b", "We bake (see @@b",
    " the accuracy of @@ 5% on WebArena.", "Bread Baking Bench (@@b", "Bread @@b (BBB) is used.",
    "METHODS: @@b RESULTS: It rises.", "The aim of this @@b study was to bake.",
)  # fmt: skip
"""Abstracts; `@@` is where a text is repeated."""

WORDS = (
    "( ", "(BBB) ", "ABC ", "A B ", "of data ", "5% ", "5", "12,", "10 points ", "from 5 to 6 ",
    "%", "e.g. ", "No. ", "we ", "propose ", "not ", "no ", "or ", "a-", "A-", "a_b ", "$x$ ",
    "\\% ", "(a) ", "[1] ", "? ", "!", "...", ". ", "Ę", "٣", "\u2005", "x.y/", "github.com/a ",
    "https://a.b ", "up to ", "over ", "than ", "p < 0.05 ", "(95% CI 1.2-3.4) ", "OR = 1.5, ",
    "METHODS: ", "the aim of ", "current ", "we report a case of ", "limitations ", "open ",
)  # fmt: skip
"""What abstracts are made of, to be repeated."""


def main() -> None:
    """Print every abstract whose time grows faster than its length."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz.texts", description=__doc__)
    parser.add_argument("--size", type=int, default=40_000, help="characters of the longer text")
    size = parser.parse_args().size
    inputs = read_inputs(Project(ROOT))
    model, lexicons = train(inputs), inputs.taxonomy.lexicons

    def understand(text: str) -> None:
        papers = [Paper(title="Bread", id="p-1", abstract=text, abstract_kind="abstract")]
        read_papers(papers, lexicons)

    def understand_many(text: str) -> None:
        roled_texts([text])

    def label(text: str) -> None:
        model.predict([Paper(title="Bread", id="p-1", abstract=text, abstract_kind="abstract")])

    works: tuple[Work, ...] = (understand, understand_many, label)
    found = 0
    for frame, unit in cases():
        for work in works:
            if fault := growth_fault(work, frame, unit, size):
                found += 1
                print(f"{work.__name__}: {unit!r} in {frame!r}: {fault}", flush=True)
    sys.exit(1 if found else 0)


def cases() -> Iterator[tuple[str, str]]:
    """Yield abstract and what is repeated in it."""
    for frame in FRAMES:
        yield from ((frame, unit) for unit in dict.fromkeys([*UNITS, *FILLERS, *WORDS]))
    for frame in FRAMES[:2]:
        for opener in OPENERS:
            yield from ((frame.replace("@@", f"{opener}@@"), unit) for unit in FILLERS)


if __name__ == "__main__":
    main()
