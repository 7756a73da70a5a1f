"""Cues that are stems: `galax~` matches no word, although papers have words that begin with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from classifier.errors import Fault
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import inflections
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import category_entries
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import tokens

_MIN_LETTERS = 3
_MAX_WORDS = 4


def dead_stems(taxonomy: Taxonomy, document: Node, papers: Sequence[Paper]) -> Iterator[Fault]:
    """Yield a warning for each `stem~` in a cue of which no form occurs in any paper.

    document: the tree from which the taxonomy was read. Only stems with which words of the papers
    begin are reported: any other cue may wait for papers to come.
    """
    words = _words(papers)
    for facet_id, facet in taxonomy.facets.items():
        for entry in category_entries(facet, document.at(("facets", facet_id))):
            for view, cue, _, node in entry.cues():
                for stem in _stems(cue):
                    if inflections(stem) & words.keys():
                        continue
                    longer = _longer_words(stem, words)
                    if longer:
                        category = entry.category.id
                        yield node.fault(
                            f"the {view} cue '{cue}' of '{category}': no form of '{stem}' is in "
                            "any paper",
                            "'~' after a whole word, which adds its regular endings",
                            hint=f"Papers have {', '.join(longer)}: write those as cues.",
                            severity="warning",
                        )


def _words(papers: Sequence[Paper]) -> Counter[str]:
    """Return the number of papers in which each word occurs."""
    words: Counter[str] = Counter()
    for paper in papers:
        words.update(set(tokens(f"{paper.title_display} {paper.abstract_display}")))
    return words


def _stems(cue: str) -> Iterator[str]:
    for word in cue.split():
        parts = tokens(word.removesuffix("~"))
        if word.endswith("~") and parts and len(parts[-1]) >= _MIN_LETTERS:
            yield parts[-1]


def _longer_words(stem: str, words: Counter[str]) -> list[str]:
    """Return the most frequent words that begin with a stem."""
    longer = [word for word in words if word.startswith(stem)]
    longer.sort(key=lambda word: (-words[word], word))
    return [f"'{word}'" for word in longer[:_MAX_WORDS]]
