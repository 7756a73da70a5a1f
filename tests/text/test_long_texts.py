"""No text makes a build hang: what once took the square of its length is understood to its end.

`python -m tools.fuzz.texts` tries every word in every place and holds times against each other;
here only the limit of a test does, hundreds of times what such a text takes.
"""

from __future__ import annotations

import pytest
from classifier.text.bulk.reading import roled_texts

from classifier.papers.fields import MOST_ABSTRACT
from classifier.text.results import headline_results
from classifier.text.roles import roled_sentences

# Found by fuzzing: what an abstract repeats.
_FOUND = (".", "A. ", "e.g. ", "1.", "12,", "5% ", "10 points ", "propose ", "METHODS: ")


@pytest.mark.timeout(120)
@pytest.mark.parametrize("unit", _FOUND)
def test_what_was_found_is_understood_to_its_end(unit: str) -> None:
    text = f"We bake bread. {unit * (MOST_ABSTRACT // len(unit) - 10)}b"
    sentences = roled_sentences(text)
    assert headline_results(sentences, lambda words: ()) == ()
    assert roled_texts([text]) == [sentences]
