"""A taxonomy that leaves as SKOS comes back as it was, but for its lexicons."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("rdflib", reason="needs rdflib: pip install 'fieldguide[skos]'")

from classifier.extras.skos.read import read_skos
from classifier.extras.skos.write import write_skos
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy

SHIPPED = Path(__file__).parents[3] / "taxonomy" / "taxonomy.yaml"
ENDINGS = [".ttl", ".rdf", ".nt", ".jsonld"]

WORDS = st.sampled_from(
    ["mite~", "varroa", "a _ mite", "multi-hive", "Winter", "WINTER", "bee's", "Includes: it", "é"]
)
PHRASES = st.lists(WORDS, max_size=4)
TEXTS = st.text(st.characters(exclude_categories=["C"]), max_size=20).map(str.strip)
CATEGORY = {
    "core": st.booleans(),
    "name": TEXTS.filter(bool) | WORDS,
    "definition": TEXTS,
    "includes": PHRASES,
    "excludes": PHRASES,
    "exemplars": PHRASES,
    "aliases": PHRASES,
    "cues": st.fixed_dictionaries(
        {}, optional=dict.fromkeys(["title", "contribution", "anywhere", "against"], PHRASES)
    ),
    "claims": st.lists(
        st.fixed_dictionaries({"text": WORDS, "by": WORDS}, optional={"on": st.just("2025-06")}),
        max_size=2,
    ),
}


@st.composite
def categories(draw: st.DrawFn, above: str = "") -> list[dict[str, Any]]:
    """Draw categories with children; the last top one may be replaced by the first."""
    parts = draw(st.lists(st.sampled_from(["b", "a", "c-2"]), min_size=1, unique=True))
    drawn = []
    for part in parts:
        fields = draw(st.fixed_dictionaries({}, optional=CATEGORY))
        identifier = f"{above}/{part}" if above else part
        if not above and draw(st.booleans()):
            fields["children"] = draw(categories(identifier))
        drawn.append({"id": identifier, **fields})
    if len(drawn) > 1 and draw(st.booleans()):
        drawn[-1]["replaced_by"] = drawn[0]["id"]
    return drawn


@st.composite
def taxonomies(draw: st.DrawFn) -> Taxonomy:
    survey = {
        "title": WORDS,
        "scope": TEXTS,
        "editors": PHRASES,
        "base_url": st.sampled_from(["", "https://example.org/bees/", "https://x.org/<a>?b#c"]),
    }
    facets = {
        "topic": {"kind": "multi", "at_most": draw(st.none() | st.integers(1, 3))},
        "a_second": {"kind": "single", "name": draw(WORDS), "applies_to": ["a"]},
    }
    for facet in facets.values():
        facet["categories"] = draw(categories())
    return Taxonomy.model_validate(
        {"survey": draw(st.fixed_dictionaries(survey)), "facets": facets}
    )


def there_and_back(taxonomy: Taxonomy, ending: str, language: str = "en") -> Taxonomy:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"taxonomy{ending}")
        path.write_bytes(write_skos(taxonomy, ending, language=language))
        found = read_skos(path, language=language)
    assert found.is_own
    assert found.warnings == ()
    return found.taxonomy


@settings(max_examples=25)
@given(taxonomies(), st.sampled_from(ENDINGS))
def test_any_taxonomy_comes_back(taxonomy: Taxonomy, ending: str) -> None:
    assert there_and_back(taxonomy, ending, "pt-BR") == taxonomy


def test_the_shipped_taxonomy_comes_back_without_its_lexicons() -> None:
    taxonomy = load_taxonomy(SHIPPED).taxonomy
    found = there_and_back(taxonomy, ".ttl")
    assert without_evidence(found) == without_evidence(taxonomy) | {"lexicons": {}}
    assert found.digest == taxonomy.digest


def without_evidence(taxonomy: Taxonomy) -> dict[str, Any]:
    """Return the taxonomy but for evidence of claims, which may point into lexicons."""
    claims = {"claims": {"__all__": {"evidence"}}}
    below = {"children": {"__all__": claims}}
    categories = {"categories": {"__all__": {**claims, **below}}}
    return taxonomy.model_dump(exclude={"facets": {"__all__": categories}})


EDITS = [
    pytest.param(
        ('"Mites"@en', '"Varroa mites"@en'), {"name": "Varroa mites"}, id="another name"
    ),
    pytest.param(('"tracheal mite"@en', '"bee louse"@en'),
                 {"cues": {"title": ("mite~",), "anywhere": ("bee louse",)}},
                 id="one label for another"),
    pytest.param(('"Excludes: beetles"@en', '"Includes: lice"@en, "no ants"@en'),
                 {"includes": ("ticks", "lice", "no ants"), "excludes": ()}, id="other notes"),
    pytest.param(('"What lives on bees."@en', '"Parasites."@en'), {"definition": "Parasites."},
                 id="another definition"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "changed"), EDITS)
def test_what_another_tool_changed_is_taken_over(
    tmp_path: Path, edit: tuple[str, str], changed: dict[str, Any]
) -> None:
    mites = {
        "id": "mites",
        "definition": "What lives on bees.",
        "includes": ["ticks"],
        "excludes": ["beetles"],
        "cues": {"title": ["mite~", "tracheal mite"]},
    }
    facets = {"topic": {"kind": "single", "categories": [mites]}}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Bees"}, "facets": facets})
    text = write_skos(taxonomy).decode()
    assert text.count(edit[0]) == 1
    (tmp_path / "edited.ttl").write_text(text.replace(*edit), encoding="utf-8")
    found = read_skos(tmp_path / "edited.ttl").taxonomy.first.categories[0]
    expected = Taxonomy.model_validate({
        "survey": {"title": "Bees"},
        "facets": {"topic": {"kind": "single", "categories": [{**mites, **changed}]}},
    }).first.categories[0]  # fmt: skip
    assert found == expected.model_copy(update={"name": changed.get("name", "Mites")})


def test_a_category_moved_by_another_tool_keeps_its_old_id_as_alias(tmp_path: Path) -> None:
    tops = [{"id": "mites", "children": [{"id": "mites/acids"}]}, {"id": "treatments"}]
    facets = {"topic": {"kind": "single", "categories": tops}}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Bees"}, "facets": facets})
    lines = write_skos(taxonomy, ".nt").decode().splitlines()
    kept = [line for line in lines if "#narrower>" not in line]
    moved = [line.replace("/mites> .", "/treatments> .") if "#broader>" in line else line
             for line in kept]  # fmt: skip
    (tmp_path / "moved.nt").write_text("\n".join(moved) + "\n", encoding="utf-8")
    treatments = read_skos(tmp_path / "moved.nt").taxonomy.first.categories[1]
    assert [child.id for child in treatments.children] == ["treatments/acids"]
    assert treatments.children[0].aliases == ("mites/acids",)
