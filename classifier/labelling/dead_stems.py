"""Find cues whose stem is not a word, such as `galax~`, but begins words of the papers.

A `~` belongs after a complete word, so no regular form of such a stem occurs in any paper. The stem
then matches all words that begin with it, if these are forms of one word: "galaxy", "galaxies". The
rule was measured on seven labelled fields by truncating each of 190 cues (`python -m
tools.dead_stems`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from classifier.errors import Fault
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import inflections
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import category_entries
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import stem as stem_of
from classifier.text.normalise import tokens

_MIN_LETTERS = 3
_MIN_LETTERS_TO_MATCH = 4
_MAX_WORDS = 4


def dead_stem_faults(
    taxonomy: Taxonomy, document: Node, papers: Sequence[Paper]
) -> Iterator[Fault]:
    """Yield a warning for each `stem~` in a cue if no form of the stem occurs in any paper.

    document: the YAML tree of the taxonomy. Only stems that begin words of the papers are reported,
    since other cues may match later papers.
    """
    words = count_words(papers)
    for facet_id, facet in taxonomy.facets.items():
        for entry in category_entries(facet, document.at(("facets", facet_id))):
            for view, cue, _, node in entry.cues():
                for stem in stems_in(cue):
                    longer = words_with_stem(stem, words)
                    if longer:
                        names = ", ".join(f"'{word}'" for word in longer[:_MAX_WORDS])
                        yield node.fault(
                            f"the {view} cue '{cue}' of '{entry.category.id}': no form of '{stem}' "
                            "is in any paper",
                            "a whole word before '~', which also matches its regular endings",
                            hint=_stem_hint(stem, longer, names),
                            severity="warning",
                        )


def _stem_hint(stem: str, longer: Sequence[str], names: str) -> str:
    """Return a hint with the words that begin with the stem."""
    if is_unambiguous(stem, longer):
        return f"It matches {names} for now: write those as cues."
    return f"Papers have {names}: write those as cues."


def matched_stems(taxonomy: Taxonomy, papers: Sequence[Paper]) -> dict[str, frozenset[str]]:
    """Return the words that each dead stem matches, by stem."""
    words = count_words(papers)
    cues = {
        cue
        for facet in taxonomy.facets.values()
        for category in facet.walk()
        for _, listed in category.cues.views()
        for cue in listed
    }
    found = {}
    for stem in {stem for cue in cues for stem in stems_in(cue)}:
        longer = words_with_stem(stem, words)
        if is_unambiguous(stem, longer):
            found[stem] = frozenset(longer)
    return found


def is_unambiguous(stem: str, words: Sequence[str]) -> bool:
    """Return whether the words that begin with a stem are forms of one word."""
    return len(stem) >= _MIN_LETTERS_TO_MATCH and len({stem_of(word) for word in words}) == 1


def count_words(papers: Sequence[Paper]) -> Counter[str]:
    """Return the number of papers in which each word occurs."""
    words: Counter[str] = Counter()
    for paper in papers:
        words.update(set(tokens(paper.full_text)))
    return words


def stems_in(cue: str) -> Iterator[str]:
    """Yield the words of a cue that end with `~`."""
    for word in cue.split():
        parts = tokens(word.removesuffix("~"))
        if word.endswith("~") and parts and len(parts[-1]) >= _MIN_LETTERS:
            yield parts[-1]


def words_with_stem(stem: str, words: Mapping[str, int]) -> list[str]:
    """Return the words that begin with a stem, the most frequent first.

    The list is empty if a regular form of the stem is a word of the papers.
    """
    if inflections(stem) & words.keys():
        return []
    longer = [word for word in words if word.startswith(stem)]
    return sorted(longer, key=lambda word: (-words[word], word))
