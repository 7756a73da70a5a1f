"""The figures on claims, levels on a benchmark, and pairs of facets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from inline_snapshot import snapshot

from classifier.survey.entry import SurveyPaper
from classifier.survey.field_figures import claims_figure, designs_figure, levels_figure
from classifier.survey.survey import Survey
from classifier.taxonomy.claims import Claim, Claims, Placement
from classifier.taxonomy.model import DesignMatrix, Figures
from classifier.text.model_size import model_size_of
from tests.survey.conftest import MakeEntry

SurveyOf = Callable[..., Survey]
TEXT = "Presents a spade. Compost doubled the yield of beans. Peat halved it."


def claim(text: str, **papers: str) -> Claim:
    """Return a claim with papers by number -> side; all point at the same sentence."""
    placements = tuple(
        Placement(side, f"p-{int(number[1:]):010x}", "Compost doubled", "claims.yaml", 1)
        for number, side in papers.items()
    )
    return Claim(text, "soil", "Ada", open=False, placements=placements, line=1)


def with_figures(survey: Survey, **changed: object) -> Survey:
    figures = Figures.model_validate(changed)
    return replace(survey, taxonomy=survey.taxonomy.model_copy(update={"figures": figures}))


def test_claims_with_papers_for_and_against_come_first(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    entries = [make_entry(n, text=TEXT, published="2025-03") for n in range(1, 5)]
    claims = (
        claim("Compost helps.", n1="for", n2="for", n3="for"),
        claim("Peat helps.", n1="for", n2="against", n3="mixed"),
        claim("Rain helps.", n1="for", n2="against"),
        claim("One paper is not enough.", n1="for"),
    )
    survey = replace(survey_of(entries), claims=Claims(claims=claims))
    figure = claims_figure(survey)
    assert figure is not None
    assert figure.title == snapshot("Papers are both for and against 2 of three claims")
    assert [row[1:] for row in figure.rows] == [
        ("Peat helps.", "1", "1", "1"),
        ("Rain helps.", "1", "0", "1"),
        ("Compost helps.", "3", "0", "0"),
    ]
    assert figure.anchors[2] == f"soil-{claims[0].name}"
    first = figure.points[0][0]
    assert (first.style, first.label) == ("for", "For: Paper 1, March 2025")
    assert first.sentence == "Compost doubled the yield of beans."
    assert claims_figure(with_figures(survey, claims=False)) is None


def test_two_claims_are_too_few_for_a_figure(survey_of: SurveyOf, make_entry: MakeEntry) -> None:
    entries = [make_entry(n, text=TEXT) for n in (1, 2)]
    claims = tuple(claim(text, n1="for", n2="for") for text in ("A.", "B."))
    assert claims_figure(replace(survey_of(entries), claims=Claims(claims=claims))) is None


def level(make_entry: MakeEntry, number: int, words: str, published: str = "") -> SurveyPaper:
    text = f"Presents a tool. Results show that {words}."
    return make_entry(number, text=text, published=published or f"2025-0{number}")


def test_levels_have_their_month_and_stated_model_size(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    words = {
        1: "Digger reaches 40% accuracy on Worm count",
        2: "A 7B Digger reaches 50% accuracy on Worm count",
        3: "The 32B and 72B models reach 56% and 58% accuracy on Worm count",
        4: "Digger reaches 61% accuracy on Worm count, against 44% for a 70B model",
    }
    entries = [level(make_entry, number, said) for number, said in words.items()]
    undated = level(make_entry, 5, "Digger reaches 80% accuracy on Worm count", "2025")
    survey = survey_of([*entries, undated])
    figure = levels_figure(survey)
    assert figure is not None
    assert figure.rows == snapshot(
        (
            ("Worm count", "2025-01", "40", "", "Paper 1"),
            ("Worm count", "2025-02", "50", "7", "Paper 2"),
            ("Worm count", "2025-03", "56", "32", "Paper 3"),
            ("Worm count", "2025-03", "58", "72", "Paper 3"),
            ("Worm count", "2025-04", "61", "", "Paper 4"),
        )
    )
    assert figure.title == snapshot("Levels on Worm count are between 40 % and 61 %")
    assert levels_figure(survey_of(entries[:3])) is None
    assert levels_figure(with_figures(survey, levels=False)) is None


def test_the_model_size_of_a_rival_is_ignored(make_entry: MakeEntry) -> None:
    said = "Surpassing a 671B rival, Digger reaches 40% accuracy on Worm count"
    assert [model_size_of(result) for result in level(make_entry, 1, said).results] == [0]


def test_the_cells_of_the_matrix_link_to_their_papers(
    survey_of: SurveyOf, make_entry: MakeEntry
) -> None:
    entries = [make_entry(n) for n in (1, 2, 3)]
    entries += [make_entry(4, kind="study"), make_entry(5, "seeds", kind="study")]
    survey = survey_of(entries)
    drawn = with_figures(survey, matrix=DesignMatrix(rows="topic", columns="contribution"))
    figure = designs_figure(drawn)
    assert figure is not None
    assert figure.title == snapshot(
        "Soil and Method are the most frequent combination: 3 of 5 papers"
    )
    assert figure.columns[1:] == ("Method", "Study")
    assert figure.rows == (("Soil", "3", "1"), ("Seeds", "0", "1"))
    assert figure.links[1][1] == "contribution=study&topic=seeds"
    assert designs_figure(survey) is None
