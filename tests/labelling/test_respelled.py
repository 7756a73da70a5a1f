from __future__ import annotations

from classifier.labelling.cue_tree import CueTree
from classifier.labelling.passages import Vocabulary, passages_of
from classifier.labelling.respelled import RespelledPassages
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import parse_cue

PAPERS = [
    Paper("Rye", abstract="Rye is grey. Rye leaven (RL) is old. RL is wet."),
    Paper("Ovens", abstract="Leaven is old."),
    Paper("The RL loaf", abstract="A rye leaven (RL) is RL. We sift the RL."),
]


def matches(*cues: str) -> list[tuple[str, str]]:
    """Return (cue, the words as written) of what matches a form that was put in."""
    views = [text_views(paper) for paper in PAPERS]
    parsed = [parse_cue(cue) for cue in cues]
    vocabulary = Vocabulary(sorted({word for cue in parsed for word in cue.words}))
    passages = passages_of(views, vocabulary)
    words = [
        word for paper in views for each in (paper.heading, *paper.body) for word in each.words
    ]
    respelled = RespelledPassages(passages)
    texts, found, starts, ends = respelled.matches(CueTree(parsed, vocabulary), vocabulary)
    spans = zip(*(each.tolist() for each in respelled.as_written(texts, starts, ends)), strict=True)
    return [
        (cues[cue], " ".join(words[start:end]))
        for cue, (start, end) in zip(found.tolist(), spans, strict=True)
    ]


def test_the_whole_form_that_was_put_in_is_matched_and_told_as_written() -> None:
    assert matches("rye leaven", "leaven", "the rye leaven") == [
        ("rye leaven", "rl"),
        ("rye leaven", "rl"),
        ("rye leaven", "rl"),
        ("rye leaven", "rl"),
        ("the rye leaven", "the rl"),
        ("the rye leaven", "the rl"),
    ]


def test_no_cues_and_no_acronyms() -> None:
    assert matches() == []
    assert matches("ovens", "is old") == []
