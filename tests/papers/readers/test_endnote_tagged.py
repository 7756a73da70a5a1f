"""EndNote's tagged text; the samples are ours, their shapes are real."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.paper import Paper, Published, Source
from classifier.papers.reader import Record
from classifier.papers.readers.endnote import ENDNOTE_TAGGED

ARTICLE = """\
%0 Journal Article
%A Baker, Ann
%A Oven, Bo
%T Bees in the bakery
%J Journal of Bread
%V 12
%N 3
%P 43-55
%@ 1234-5678
%D 2021
%8 Mar 5
%I Hive Press
%K bees; rye
ovens
%X We heat.

We bake.
%U https://example.org/bees
%R 10.1000/bee.7
%F Baker2021

%0 Conference Paper
%T Wax
%B Proceedings of the Hive
%U https://arxiv.org/abs/2401.10230
"""


def read(text: str) -> list[Record]:
    return list(ENDNOTE_TAGGED.read(text_content("b.enw", text)))


def test_all_fields() -> None:
    article, wax = read(ARTICLE)
    assert article == Paper(
        title="Bees in the bakery", abstract="We heat.\nWe bake.", abstract_kind="abstract",
        authors=("Baker, Ann", "Oven, Bo"), author_count=2, published=Published("2021-03-05"),
        venue="Journal of Bread", doi="10.1000/bee.7", url="https://example.org/bees",
        keywords=("bees", "rye", "ovens"),
        reference=(
            ("ISSN", "1234-5678"), ("citation-key", "Baker2021"), ("issue", "3"),
            ("page", "43-55"), ("publisher", "Hive Press"), ("type", "article-journal"),
            ("volume", "12"),
        ),
        sources=(Source("b.enw", "endnote-tagged", 1),),
    )  # fmt: skip
    assert isinstance(wax, Paper)
    assert (wax.venue, wax.arxiv_id) == ("Proceedings of the Hive", "2401.10230")
    assert wax.detail("type") == "paper-conference"


def test_without_types_a_blank_line_parts_the_entries() -> None:
    found = read("%A Baker, Ann\n%T One\n%D 2001\n\n%T Two\n%A Oven, Bo\n")
    assert [(item.title, item.authors) for item in found if isinstance(item, Paper)] == [
        ("One", ("Baker, Ann",)), ("Two", ("Oven, Bo",)),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["Once upon a time", "%PDF-1.4\n%T x", "% a comment\n%0 x", ""])
def test_what_is_none_of_endnote(text: str) -> None:
    assert ENDNOTE_TAGGED.reject_reason(text_content("x", text)) == snapshot(
        "no lines '%0 ' and '%T '"
    )


@given(st.text() | st.lists(st.sampled_from(["%0 x", "%T x", "", "%"]) | st.text()).map("\n".join))
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    assert all(isinstance(item, Paper | Fault) for item in read(text))
