"""What the models look for in a text, laid out for thousands of texts at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from classifier.labelling.cue_counts import CueCounter
from classifier.labelling.evidence import EvidenceCounter
from classifier.labelling.passage_reader import PassageReader
from classifier.labelling.passages import Vocabulary
from classifier.labelling.term_counts import TermIndex, feature_terms, term_words


class PassageMatcher:
    """The cues of all facets and the terms of all models, over one vocabulary."""

    def __init__(
        self, counters: Mapping[str, EvidenceCounter], names: Iterable[Sequence[str]]
    ) -> None:
        """Lay out what is looked for.

        counters: of each facet; names: of the features of each model that knows terms.
        """
        terms = feature_terms(name for each in names for name in each)
        words = {
            word
            for counter in counters.values()
            for cues in counter.lists
            for cue in cues.cues
            for word in cue.words
        }
        self.vocabulary = Vocabulary([*term_words(terms), *sorted(words)])
        """All words that mean something to it: what texts are to be numbered by."""
        texts = {
            cue.text for counter in counters.values() for each in counter.lists for cue in each.cues
        }
        self.reader = PassageReader(self.vocabulary, sorted(texts))
        """Reads papers as passages of numbered words."""
        self.cues = CueCounter(counters, self.vocabulary)
        self.terms = TermIndex(terms, self.vocabulary)
