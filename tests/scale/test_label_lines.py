"""Lines made of columns are those that are made paper by paper."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifier.commands.label import label_model
from classifier.labelling.bulk_labels import bulk_labels_of
from classifier.labelling.labels import FacetLabels, PaperLabels, Reason
from classifier.papers.paper import Paper, Published
from classifier.project import embedded_project
from classifier.scale.label_lines import decimals, label_lines, label_objects
from classifier.scale.label_model import ModelLabels
from classifier.survey.inputs import read_inputs
from classifier.taxonomy.model import Facet, Taxonomy
from tests.scale.loaves import BREAD

BREAD_TAXONOMY = read_inputs(BREAD).taxonomy
PARTS = st.one_of(
    st.floats(0, 1),
    st.integers(0, 10_000).map(lambda n: n / 10_000),
    st.integers(0, 9_999).map(lambda n: (n + 0.5) / 10_000),  # half-way
    st.integers(0, 9_999).map(lambda n: math.nextafter((n + 0.5) / 10_000, 0)),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@st.composite
def facet_labels(draw: st.DrawFn, facet: Facet) -> FacetLabels:
    """Draw labels such as the classifier gives."""
    tops = draw(st.lists(st.sampled_from(facet.ids), unique=True, max_size=3))
    with_children = [category for category in facet.categories if category.children]
    children = {
        category.id: draw(st.sampled_from(category.children)).id
        for category in with_children
        if draw(st.booleans())
    }
    categories = [name for top in tops for name in (top, children.get(top)) if name]
    reason = st.builds(
        Reason,
        st.sampled_from(facet.ids),
        TEXTS,
        st.sampled_from(["cue", "term", "vote"]),
        st.floats(-9, 9),
        st.sampled_from(["", "in the title"]),
    )
    return FacetLabels(
        tuple(categories),
        tops[0] if tops else "",
        draw(PARTS),
        draw(st.sampled_from(["confident", "provisional"])),
        {name: draw(PARTS) for name in facet.ids},
        children,
        tuple(draw(st.lists(reason, max_size=7))),
        tuple(draw(st.lists(st.sampled_from(facet.ids), unique=True))),
    )


@st.composite
def told_of(draw: st.DrawFn, taxonomy: Taxonomy) -> tuple[Paper, PaperLabels]:
    """Draw a paper and what is said of it; further facets may not be asked."""
    paper = Paper(
        draw(TEXTS),
        draw(st.sampled_from(["p-1", "arxiv:2401.00001", 'doi:10.1000/<x>&"y'])),
        published=Published(draw(st.sampled_from(["", "2024-05", "1999"]))),
        url=draw(st.sampled_from(["", "https://example.org/a,b"])),
    )
    facets = {
        name: draw(facet_labels(facet))
        for name, facet in taxonomy.facets.items()
        if facet is taxonomy.first or draw(st.booleans())
    }
    return paper, PaperLabels(paper.id, facets)


@settings(max_examples=50)
@given(st.lists(told_of(BREAD_TAXONOMY), max_size=4), st.data())
def test_lines_of_columns_are_those_of_objects(
    told: list[tuple[Paper, PaperLabels]], data: st.DataObject
) -> None:
    papers, objects = [paper for paper, _ in told], [labels for _, labels in told]
    decided = data.draw(st.sets(st.sampled_from(range(len(told))))) if told else set()
    bulk = bulk_labels_of(BREAD_TAXONOMY.facets, objects)
    labels = ModelLabels(bulk, {row: objects[row] for row in decided})
    check(BREAD_TAXONOMY, papers, labels, objects)


def check(
    taxonomy: Taxonomy, papers: list[Paper], labels: ModelLabels, objects: list[PaperLabels]
) -> None:
    """Hold lines made of columns against those that are made paper by paper."""
    wanted = [
        json.dumps(told, ensure_ascii=False) + "\n"
        for told in label_objects(taxonomy, papers, objects)
    ]
    assert [line.decode() for line in label_lines(taxonomy, papers, labels)] == wanted


def test_real_abstracts_have_the_same_lines(shared: Path) -> None:
    from tools.benchmarks.corpora import records

    model = label_model(read_inputs(embedded_project()))
    papers = [
        model.recognised(Paper(str(told["title"]), abstract=str(told["abstract"])))
        for told in records(60)
    ]
    labels = model.label(papers)
    check(model.taxonomy, papers, labels, labels.paper_labels())


@given(st.lists(PARTS, max_size=8))
def test_decimals_are_those_of_python(values: list[float]) -> None:
    found = decimals(np.array(values, dtype=float))
    assert found.tolist() == [repr(round(value, 4)) for value in values]


@pytest.mark.parametrize("value", [-0.1, 1.5])
def test_numbers_beyond_probabilities_are_rounded_too(value: float) -> None:
    assert decimals(np.array([value])).tolist() == [repr(round(value, 4))]
