"""What papers say of the claims of editors: on which side, and in a sentence that is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from classifier.errors import Fault, sort_faults
from classifier.papers.paper import Paper
from classifier.taxonomy.claims import Claim, Claims, Placement
from classifier.text.sentences import split_sentences

_SAID = {"for": "for", "against": "against", "mixed": "mixed"}


def tally(claim: Claim, paper: Callable[[str], object | None]) -> str:
    """Return the number of papers on each side of a claim: `3 for, 1 against`, or "".

    paper: returns the paper of an id, or None if the survey does not hold it.
    """
    sides = Counter(each.side for each in claim.placements if paper(each.paper_id) is not None)
    return ", ".join(f"{sides[side]} {words}" for side, words in _SAID.items() if sides[side])


@lru_cache(maxsize=4096)
def pointed_at(words: str, text: str) -> list[str]:
    """Return the sentences of a text (display form) that hold `words`, in any case."""
    expected = " ".join(words.casefold().split())
    sentences = (span.text for span in split_sentences(text))
    return [each for each in sentences if expected in " ".join(each.casefold().split())]


def claim_faults(
    claims: Claims, papers: Sequence[Paper], aliases: Mapping[str, str]
) -> list[Fault]:
    """Return a warning for each pointer that does not lead to one sentence of a paper."""
    known = {paper.id: paper for paper in papers}

    def paper_of(identifier: str) -> Paper | None:
        return known.get(aliases.get(identifier, identifier))

    faults = []
    for claim in claims.claims:
        for placement in claim.placements:
            paper = paper_of(placement.paper_id)
            if paper is None:
                faults.append(_gone(placement.paper_id, placement.file, placement.line))
            elif placement.words or placement.side != "beside":
                faults += _pointer_faults(placement, paper)
    for thesis in claims.theses:
        gone = (paper_id for paper_id in thesis.cited if paper_of(paper_id) is None)
        faults += [_gone(paper_id, claims.file, thesis.line) for paper_id in gone]
    return sort_faults(faults)


def _pointer_faults(placement: Placement, paper: Paper) -> Iterator[Fault]:
    found = len(pointed_at(placement.words, paper.abstract_display))
    if found != 1:
        times = f"{found} sentences" if found else "no sentence"
        yield Fault(
            "warning",
            placement.file,
            placement.line,
            f"{times} of {placement.paper_id} with the words '{placement.words}'",
            "one sentence, which is then printed whole",
            "Take three to six words as they stand in its abstract.",
        )


def _gone(paper_id: str, file: str, line: int) -> Fault:
    found = f"{paper_id}, which is no paper of the survey"
    hint = "Write the id that labels.csv has, or take the paper out."
    return Fault("warning", file, line, found, "a paper of the survey", hint)
