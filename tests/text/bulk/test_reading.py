from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifier.text.bulk.reading import Reading, read_texts, roled_texts
from classifier.text.bulk.word_table import hashes_of
from classifier.text.negation import negated
from classifier.text.normalise import display, tokens
from classifier.text.roles import ROLES, roled_sentences, says_what_the_paper_does
from tests.text.bulk.odd_texts import texts


def passages_of(text: str, is_whole: bool) -> list[tuple[object, ...]]:
    """What the functions for one text say of its passages: words, negated, role, main, stated."""
    if is_whole:
        return [(text, tokens(text), sorted(negated(text)))]
    return [
        (
            item.span.text,
            tokens(item.span.text),
            sorted(negated(item.span.text)),
            item.role,
            item.main,
            says_what_the_paper_does(item),
        )
        for item in roled_sentences(text)
    ]


def passages_in(reading: Reading, is_whole: np.ndarray) -> list[list[tuple[object, ...]]]:
    """What a reading says of the passages of each text; its words as hashes."""
    found: list[list[tuple[object, ...]]] = [[] for _ in is_whole]
    spans, roles, starts = reading.spans, reading.roles, reading.tokens.starts
    for at, text in enumerate(spans.texts.tolist()):
        told = (
            reading.characters.text[spans.starts[at] : spans.ends[at]],
            reading.tokens.hashes[starts[at] : starts[at + 1]].tolist(),
            np.flatnonzero(reading.negated[starts[at] : starts[at + 1]]).tolist(),
        )
        does = (ROLES[roles.roles[at]], bool(roles.main[at]), bool(roles.stated[at]))
        found[text].append(told if is_whole[text] else (*told, *does))
    return found


def assert_read_alike(written: list[str]) -> None:
    """Each text is read as a whole and in sentences, as the functions for one text read it."""
    is_whole = np.arange(len(written)) % 2 == 0
    read = passages_in(read_texts(written, is_whole), is_whole)
    for text, whole, found in zip(written, is_whole.tolist(), read, strict=True):
        wanted = [
            (said, hashes_of(words).tolist(), *others)
            for said, words, *others in passages_of(text, whole)
        ]
        assert found == wanted, text


@settings(max_examples=400)
@given(st.lists(texts().map(display), min_size=1, max_size=4))
def test_texts_are_read_as_one_by_one(written: list[str]) -> None:
    assert_read_alike([text for each in written for text in (each, each)])


@settings(max_examples=100)
@given(st.lists(st.text().map(display), min_size=1, max_size=4))
def test_any_characters_are_read_as_one_by_one(written: list[str]) -> None:
    assert_read_alike([text for each in written for text in (each, each)])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Bread",
        "Bread is dry. We present a lid without a handle, by hand.",
        "It wins 53.6% (e.g. on v2.0). We release it! “Why?” (Nobody knows.) • Bread.",
        "It rises by 53. 6 points. 4. Ovens. J. Doe bakes. Cf. Doe et al. Who",
        "It rises by 53. 6",
        "points of no return",
        "a'b'c d’e's f's' 'g rock'n'roll agents' model’s",
        "snake_case _we propose_ a__b we_propose we propose_ it",
        "We use ³H and 2½ ﬁelds. We propose Σίσυφος in ΑΣ. İstanbul ſtands.",
        "We, the bakers, of all, the towns, here, propose bread.",
        "We take the position that ovens matter. We put forward a lid. Takes the positions.",
        "Open-sources an oven. Opens an oven. Open source is fine.",
        "We fine-tune ovens. We carefully fine tune them. We then also further apply heat.",
        "We will also openly release code. We are open-sourcing ovens. Our data is here.",
        "We don't need yeast. It doesn’t rely on salt, though. We do not use ovens'.",
        "See http://a.b/c.d, https://e.f. HTTPS is no link, httpd is one, http is a word.",
        "10 GPT-4 hard-won tasks. 1,000.5 of the many other bread samples. 5 a b c d tasks.",
        "The method introduces, over many many many words and more, a new framework of breads.",
        f"We {'very ' * 70}carefully bake. {'Bread, ' * 70}in which we propose it.",
    ],
)
def test_what_each_rule_reads(text: str) -> None:
    assert_read_alike([text, text, "Bread", text])


@settings(max_examples=100)
@given(st.lists(st.one_of(texts(), st.text()), max_size=6))
def test_roles_are_those_of_each_text(written: list[str]) -> None:
    assert roled_texts(written) == [roled_sentences(text) for text in written]


def test_no_text_and_texts_of_nothing() -> None:
    assert len(read_texts([], np.array([], dtype=bool)).spans.starts) == 0
    assert_read_alike(["", "", "", ""])


def test_real_abstracts_are_read_as_one_by_one(shared: object) -> None:
    from tools.benchmarks.passages import papers_of

    papers = papers_of("arxiv_20k.jsonl.gz", 150)
    assert_read_alike([display(text) for paper in papers for text in (paper.title, paper.abstract)])
