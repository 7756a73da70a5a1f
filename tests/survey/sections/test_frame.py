"""Sections around the categories: quality of labels, rules, appendix, citation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.evaluation.label_metrics import CategoryMetrics, FacetMetrics, LabelMetrics
from classifier.survey.document import Draft, Paragraph, Table
from classifier.survey.entry import SurveyPaper
from classifier.survey.references import citation_sections
from classifier.survey.sections.label_quality import quality_blocks, quality_table
from classifier.survey.sections.method import labelling_drafts
from classifier.survey.sections.rules import quotation_rule, rule_drafts
from classifier.survey.survey import Survey
from classifier.taxonomy.claims import Claim, Claims
from classifier.taxonomy.model import Category

MakeEntry = Callable[..., SurveyPaper]
SurveyOf = Callable[..., Survey]

TOPIC = FacetMetrics(
    decided=40,
    measured=30,
    primary_accuracy=0.754,
    mean_f1=0.8461,
    intervals={"primary_accuracy": (0.7, 0.81), "mean_f1": (0.8, None)},
)
METRICS = LabelMetrics({"topic": TOPIC, "contribution": FacetMetrics()})


def names(runs: list[list[Draft | None]]) -> str:
    return " ".join(draft.name for run in runs for draft in run if draft)


def test_the_card_prints_the_measured_values(garden_survey: Survey) -> None:
    (table,) = quality_table(garden_survey.taxonomy, METRICS)
    assert table.columns == ("Measure", "Topic")
    assert table.rows == snapshot(
        (
            ("Papers that readers decided", "40"),
            ("Of these, tested", "30"),
            ("Assigned to the category that the reader chose", "75% (70% to 81%)"),
            ("F1, mean over the categories", "0.85"),
        )
    )
    assert quality_table(garden_survey.taxonomy, LabelMetrics()) == []


def test_an_interval_of_one_point_is_not_printed(garden_survey: Survey) -> None:
    intervals = {"primary_accuracy": (1.0, 1.0)}
    right = FacetMetrics(decided=35, primary_accuracy=1.0, intervals=intervals)
    (table,) = quality_table(garden_survey.taxonomy, LabelMetrics({"topic": right}))
    assert ("Assigned to the category that the reader chose", "100%") in table.rows


def test_unmeasured_labels_are_listed_below_the_table(garden_survey: Survey) -> None:
    table, paragraph = quality_blocks(garden_survey.taxonomy, METRICS)
    assert isinstance(table, Table)
    assert isinstance(paragraph, Paragraph)
    (sentence,) = paragraph.sentences
    assert sentence.text == snapshot(
        "Parts of topics depend on cues; the table does not measure them."
    )
    assert quality_blocks(garden_survey.taxonomy, LabelMetrics()) == []


def test_unsolved_problems_are_explained_if_the_taxonomy_has_cues(
    garden_survey: Survey,
) -> None:
    lexicons = {"unsolved": {"frost": ["frost~"]}}
    taxonomy = garden_survey.taxonomy.model_copy(update={"lexicons": lexicons})
    _, paragraph = quality_blocks(taxonomy, METRICS)
    assert isinstance(paragraph, Paragraph)
    first, second = (sentence.text for sentence in paragraph.sentences)
    assert first.startswith(
        "Parts of topics and problems that are said to be unsolved depend on cues; "
    )
    assert "a word such as “fails” or “lacks”" in second


@pytest.fixture
def garden_survey(make_entry: MakeEntry, survey_of: SurveyOf) -> Survey:
    """A survey of three papers, one of them reviewed and one provisional."""
    entries = [
        make_entry(1, status="reviewed", text="Introduces a spade."),
        make_entry(2, "seeds", published="2024"),
        make_entry(3, "seeds", status="provisional"),
    ]
    return survey_of(entries)


def test_only_rules_that_apply_are_printed(
    garden_survey: Survey, make_entry: MakeEntry, survey_of: SurveyOf
) -> None:
    always = "sample filed names sentences"  # no paper here has result or code
    assert names(rule_drafts(garden_survey)) == always
    measured = replace(garden_survey, metrics=METRICS)
    assert names(rule_drafts(measured)) == always.replace("sentences", "development sentences")
    crowded = [make_entry(n, "soil") for n in range(301)]
    assert "tables" in names(rule_drafts(survey_of(crowded)))


def test_the_weakest_category_needs_several_measured_ones(
    garden_survey: Survey,
) -> None:
    """Three categories are needed for one to be the weakest; the garden has two in scope."""
    drafts = labelling_drafts(replace(garden_survey, metrics=METRICS))
    assert [draft.name for draft in drafts if draft] == ["labels", "titles"]


def test_the_weakest_category_has_enough_cases(
    garden_survey: Survey,
) -> None:
    facet = garden_survey.first
    more = [Category(id="water", name="Water"), Category(id="air", name="Air")]
    wide = facet.model_copy(update={"categories": (*more, *facet.categories)})
    facets = {**garden_survey.taxonomy.facets, "topic": wide}
    taxonomy = garden_survey.taxonomy.model_copy(update={"facets": facets})
    measured = {"water": (0.1, 4), "soil": (0.5, 5), "seeds": (0.5, 9), "air": (0.9, 6)}
    figures = {name: CategoryMetrics(f1, n, 0.5) for name, (f1, n) in measured.items()}
    metrics = LabelMetrics({"topic": replace(TOPIC, categories=figures)})
    *_, weakest, _ = labelling_drafts(replace(garden_survey, taxonomy=taxonomy, metrics=metrics))
    assert weakest is not None
    assert weakest.text == (
        snapshot(
            "Of the categories in scope, classifier and readers agree least on [Seeds](#seeds): an F1 of 0.50; readers assigned nine papers to it."
        )
    )
    assert weakest.source == ("metrics: topic.categories.seeds.f1, topic.categories.seeds.support")
    figures |= {name: CategoryMetrics(1.0, 9, 0.5) for name in ("soil", "seeds", "air")}
    *_, weakest, _ = labelling_drafts(replace(garden_survey, taxonomy=taxonomy, metrics=metrics))
    assert weakest is None


def test_the_rule_on_quotations_depends_on_the_kinds_of_texts(
    make_entry: MakeEntry, survey_of: SurveyOf
) -> None:
    titles, digests = survey_of([make_entry(1)]), survey_of([make_entry(1, text="It digs.")])
    assert quotation_rule(titles) == snapshot(
        "A sentence in quotation marks is from the paper itself."
    )
    assert quotation_rule(digests).endswith("is from the editors' digest, a summary of it.")
    claims = Claims((), (Claim("Spades win.", "soil", "Ada", True, (), 1),))
    signed = quotation_rule(replace(titles, claims=claims))
    assert signed == (
        snapshot(
            "A sentence in quotation marks is from the paper itself. Arguments, claims and conclusions are the editors' own and rest on the papers that they cite; those without a signature are by Ada."
        )
    )


def test_the_citation_of_the_survey_uses_only_its_inputs(garden_survey: Survey) -> None:
    settings = garden_survey.taxonomy.survey.model_copy(
        update={"title": "Gardens & <b>", "editors": ("Ada Spade", "Shed contributors")}
    )
    taxonomy = garden_survey.taxonomy.model_copy(update={"survey": settings})
    (section,) = citation_sections(replace(garden_survey, taxonomy=taxonomy))
    (sentence,) = section.blocks[0].sentences  # type: ignore[union-attr]
    assert sentence.text.partition("\n\n")[2] == (
        snapshot(
            "    @misc{survey-000000000000,\n"
            "      title = {{Gardens \\& $<$b$>$}},\n"
            "      author = {Spade, Ada and {Shed contributors}},\n"
            "      edition = {version 000000000000},\n"
            "      note = {3 papers, the newest of 2024},\n"
            "    }"
        )
    )
