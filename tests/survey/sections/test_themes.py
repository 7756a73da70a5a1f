"""What cuts across the categories, by the shape of the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.survey.assemble import compute_facts
from classifier.survey.document import Paragraph, Table
from classifier.survey.entry import Entry
from classifier.survey.sections.themes import themes_sections
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Facet

MakeEntry = Callable[..., Entry]
MaterialOf = Callable[..., Survey]


def prose(material: Survey) -> str:
    blocks = [block for section in themes_sections(material) for block in section.blocks]
    texts = (s.text for block in blocks if isinstance(block, Paragraph) for s in block.sentences)
    return " ".join(texts)


def test_two_papers_of_two_categories_are_no_theme(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    material = material_of([make_entry(n, "soil", "seeds") for n in (1, 2)])
    assert themes_sections(material) == []


def test_where_two_categories_meet_their_papers_are_listed(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    topics = ["soil seeds", "seeds soil", "seeds soil", "soil"]
    entries = [make_entry(n, *labels.split()) for n, labels in enumerate(topics, 1)]
    material = material_of(entries)
    (section,) = themes_sections(material)
    table = section.blocks[0]
    assert isinstance(table, Table)
    assert table.rows == (
        ("[Soil](#soil) · [Seeds](#seeds)", "3", r"\[[1](#ref-1), [2](#ref-2), [3](#ref-3)\]"),
    )
    assert (section.id, section.title, section.level) == ("themes", "Cross-cutting themes", 1)
    assert (table.columns, table.numeric) == (("Categories", "Papers", "Which"), (1,))
    assert table.caption.endswith("(pairs with 3 papers or more; at most 10)")


def test_a_facet_of_several_categories_is_compared_across_them(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    """Asked of soil and of seeds; one paper does not say."""
    material = material_of([])
    asked = Facet.model_validate(
        {
            "id": "grown_in",
            "kind": "multi",
            "applies_to": ["soil", "seeds"],
            "categories": [{"id": "pots", "name": "Pots"}, {"id": "beds", "name": "Beds"}],
        }
    )
    taxonomy = material.taxonomy
    taxonomy = taxonomy.model_copy(update={"facets": {**taxonomy.facets, "grown_in": asked}})
    entries = [
        answered(make_entry(1, "soil"), "pots"),
        answered(make_entry(2, "seeds"), "pots", "beds"),
        answered(make_entry(3, "seeds")),
    ]
    facts = compute_facts(taxonomy, material_of(entries).corpus, entries)
    material = replace(material, taxonomy=taxonomy, facts=facts, entries=entries)
    (section,) = themes_sections(material)
    table = section.blocks[0]
    assert isinstance(table, Table)
    assert table.columns == ("Grown in", "[Soil](#soil)", "[Seeds](#seeds)", "All asked")
    assert table.numeric == (1, 2, 3)
    assert table.rows == (
        ("Pots", "1", "1", "2"),
        ("Beds", "", "1", "1"),
    )


def answered(entry: Entry, *answers: str) -> Entry:
    """Return a paper with its answers to a further facet."""
    labels = FacetLabels(answers, answers[0] if answers else "", 0.9, "confident", {})
    facets = {**entry.labels.facets, "grown_in": labels}
    return replace(entry, labels=PaperLabels(entry.paper.id, facets))
