"""Roles of many texts at once are those of each text by itself."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from classifier.text.bulk.reading import roled_texts
from classifier.text.normalise import display
from classifier.text.roles import roled_sentences

SENTENCES = st.sampled_from(
    [
        "However, agents forget.", "We introduce Recall, a memory.", "It wins 53. 6% (e.g. here).",
        "Code is available at https://a.b/c.", "Introduces Übung – ein Test.", "• We rely on v2.0",
        "AIMS: To ask why.", "METHODS: We asked.", "Results A fifth.", "Conclusions. It dries.",
        "The aim of this study was to ask.", "It is known.",
        "Why?", "“We show” it.", "ﬁne", "A.", "...", "Open problems remain!", "\u00a0", "",
    ]
)  # fmt: skip
TEXTS = st.lists(SENTENCES, max_size=5).map(" ".join) | st.text(max_size=20)


@given(st.lists(TEXTS, max_size=4))
def test_texts_are_read_as_each_by_itself(texts: list[str]) -> None:
    shown = ["We show it.", *map(display, texts)]
    assert list(roled_texts(shown)) == [roled_sentences(text) for text in shown]


def test_abstracts_are_read_as_each_by_itself(shared: Path) -> None:
    with gzip.open(shared / "data" / "arxiv_20k.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [display(json.loads(line)["abstract"]) for line in islice(lines, 400)]
    assert list(roled_texts(texts)) == [roled_sentences(text) for text in texts]


def test_more_texts_than_are_held_at_once_are_read() -> None:
    texts = ["We show it. It wins."] * 1_001
    assert len(list(roled_texts(texts))) == 1_001
