"""Whose a label is: a person's, or that of the list or library that a paper came from."""

from __future__ import annotations

from classifier.labelling.labels import (
    IMPORTED,
    TAKEN_OVER,
    Decision,
    FacetLabels,
    PaperLabels,
    with_decisions,
)
from classifier.taxonomy.model import Category, Facet, SurveySettings, Taxonomy

BAKERY = Taxonomy(
    survey=SurveySettings(title="Bread"),
    facets={
        "topic": Facet(
            kind="multi",
            categories=[
                Category(id=each, name=each.title(), definition=each) for each in ("rye", "oat")
            ],
        )
    },
)
MACHINE = FacetLabels(("oat",), "oat", 0.7, "confident", {"rye": 0.2, "oat": 0.7})


def _shown(values: tuple[str, ...], reviewer: str) -> FacetLabels:
    decided = {"p-1": {"topic": Decision(values, values[0], reviewer)}}
    (labels,) = with_decisions(BAKERY, [PaperLabels("p-1", {"topic": MACHINE})], decided)
    return labels.facets["topic"]


def test_what_a_source_filed_is_imported_and_what_a_person_says_is_reviewed() -> None:
    assert (_shown(("rye",), IMPORTED).status, _shown(("rye",), "ada").status) == (
        "imported",
        "reviewed",
    )


def test_of_several_places_the_primary_is_the_classifiers_guess_and_says_so() -> None:
    shown = _shown(("rye", "oat"), IMPORTED)
    assert (shown.primary, shown.categories) == ("oat", ("oat", "rye"))
    assert shown.why[0].text == (
        f"{TAKEN_OVER}; of 2 places the likeliest, as the classifier guesses"
    )
    assert _shown(("rye", "oat"), "ada").primary == "rye"
    assert _shown(("rye",), IMPORTED).why[0].text == TAKEN_OVER


def test_few_cues_name_the_part_of_the_topic_that_a_person_filed_a_paper_under() -> None:
    parts = [Category(id=f"rye/{each}", name=each, definition=each) for each in ("dark", "light")]
    rye = Category(id="rye", name="Rye", definition="rye", children=parts)
    bakery = BAKERY.model_copy(
        update={"facets": {"topic": Facet(kind="multi", categories=[rye])}}, deep=True
    )
    machine = FacetLabels(
        ("rye",), "rye", 0.7, "confident", {"rye": 0.7}, likely_children={"rye": "rye/dark"}
    )
    decided = {"p-1": {"topic": Decision(("rye",), "rye", "ada")}}
    (labels,) = with_decisions(bakery, [PaperLabels("p-1", {"topic": machine})], decided)
    assert labels.facets["topic"].categories == ("rye", "rye/dark")
