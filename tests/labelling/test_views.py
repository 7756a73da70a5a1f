from __future__ import annotations

from classifier.labelling.views import text_views
from classifier.papers.paper import Paper

ABSTRACT = "Bread is dry. We present a lid for pans. It keeps 20% more water."


def test_three_views_of_a_paper() -> None:
    views = text_views(Paper("A Lid for Bread-Pans", abstract=ABSTRACT))
    assert views.title_text == "a lid for bread pans"
    assert views.contribution_text == "we present a lid for pans"
    assert views.whole_text == (
        "a lid for bread pans bread is dry we present a lid for pans it keeps 20 % more water"
    )
    assert [" ".join(sentence) for sentence in views.sentences] == [
        "bread is dry",
        "we present a lid for pans",
        "it keeps 20 % more water",
    ]


def test_an_abstract_and_a_digest_of_it_are_seen_alike() -> None:
    digest = text_views(Paper("A Lid", abstract="Presents a lid for pans. It keeps more water."))
    assert digest.contribution_text == "presents a lid for pans"


def test_without_an_abstract_the_title_alone_is_there() -> None:
    views = text_views(Paper("A Lid"))
    assert (views.title, views.contribution, views.sentences) == (("a", "lid"), (), ())
    assert views.whole_text == "a lid"
