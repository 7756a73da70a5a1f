"""Whether a cue that is cut off, as `galax~` for `galaxy~`, should match words that begin with it.

    python -m tools.dead_stems [FIELD …]

Each cue of one word of the labelled fields that occurs in three of 364 papers is cut by one to four
letters, until no form of the rest occurs in any paper. Printed is the share of papers in the cue's
category: of those with the whole word, and of those with a word that begins with the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from classifier.labelling.dead_stems import (
    count_words,
    is_unambiguous,
    words_with_stem,
)
from classifier.taxonomy.cue import inflections
from classifier.text.normalise import tokens
from tools.first_hour import N_PROJECT, Field, read_field

FIELDS = ("ohsumed", "cei", "math", "astro", "hoc", "icrs", "econfin")
MIN_PAPERS, MIN_LETTERS, MAX_CUT, MUCH_WORSE = 3, 4, 4, 0.1


@dataclass(frozen=True, slots=True)
class CutCue:
    """Precision of a cue before and after it is cut off."""

    whole: float
    cut: float
    is_unambiguous: bool


def main(names: Sequence[str]) -> int:
    """Measure and print; return the exit code."""
    found = [cue for name in names or FIELDS for cue in cut_cues(read_field(name))]
    clear = [cue for cue in found if cue.is_unambiguous]
    for title, some in (("all", found), ("unambiguous", clear)):
        whole, cut = np.mean([(cue.whole, cue.cut) for cue in some], axis=0)
        worse = sum(cue.whole - cue.cut > MUCH_WORSE for cue in some)
        print(
            f"{title:12} {len(some):4} cues: {whole:.3f} whole, {cut:.3f} cut, {worse} much worse"
        )
    return 0


def cut_cues(field: Field) -> Iterator[CutCue]:
    """Yield the cues of a field of which no form is left once they are cut off."""
    rows = np.random.default_rng(0).permutation(len(field.papers))[:N_PROJECT]
    papers, labels = [field.papers[row] for row in rows], field.labels[rows]
    texts = [frozenset(tokens(paper.full_text)) for paper in papers]
    words = count_words(papers)
    facet = field.taxonomy.first

    def precision(forms: Sequence[str] | frozenset[str], column: int) -> tuple[float, int]:
        has = np.array([not text.isdisjoint(forms) for text in texts])
        return float((labels[has] == column).mean()) if has.any() else 0.0, int(has.sum())

    for column, category in enumerate(facet.tops):
        cues = {cue.removesuffix("~") for _, cues in category.cues.views() for cue in cues}
        for word in sorted(cue for cue in cues if len(tokens(cue)) == 1):
            whole, n_papers = precision(inflections(word), column)
            stems = [word[:-cut] for cut in range(1, MAX_CUT + 1) if len(word) - cut >= MIN_LETTERS]
            dead = ((stem, words_with_stem(stem, words)) for stem in stems)
            stem, longer = next(((s, found) for s, found in dead if found), ("", []))
            if n_papers >= MIN_PAPERS and longer:
                cut, _ = precision(longer, column)
                yield CutCue(whole, cut, is_unambiguous(stem, longer))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
