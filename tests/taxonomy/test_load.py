"""Every fault of a taxonomy, as the person who wrote it reads it.

A case file holds, for each case: title, taxonomy.yaml (with lexicons.yaml behind it), messages.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.taxonomy.load import PATTERN_MESSAGES, load_taxonomy
from classifier.taxonomy.model import (
    FACET_ID,
    Category,
    Claim,
    Cues,
    Facet,
    SurveySettings,
    Taxonomy,
)

LEXICONS = "\n--- lexicons.yaml\n"
SMALL = "survey: {title: One}\nfacets: {topic: {kind: single, categories: [{id: memory}]}}\n"
PIECES = [
    "survey", "facets", "title", "topic", "categories", "id", "cues", "lexicons", "memory",
    "true", "1", "1.10", ": ", "\n", "\n  ", "\n    ", "- ", "[", "]", "{", "}", ", ", "'", '"',
    "#", " # ", "\t", "*", "&a ", "*a", "!", "!!int ", "|", ">", "%", "@", "~",
]  # fmt: skip
SHIPPED = Path(__file__).parents[2] / "taxonomy" / "taxonomy.yaml"


def read_cases(*names: str) -> list[object]:
    texts = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names]
    blocks = [block for text in texts for block in text.rstrip("\n").split("\n\n\n")]
    parts = [block.removesuffix("\n.").split("\n.\n") for block in blocks]
    return [pytest.param(yaml, expected, id=title) for title, yaml, expected in parts]


def messages(folder: Path, yaml: str) -> str:
    taxonomy, _, lexicons = yaml.partition(LEXICONS)
    (folder / "taxonomy.yaml").write_text(taxonomy + "\n", encoding="utf-8")
    if lexicons:
        (folder / "lexicons.yaml").write_text(lexicons + "\n", encoding="utf-8")
    try:
        faults = load_taxonomy(folder / "taxonomy.yaml", "taxonomy.yaml").warnings
    except InputError as error:
        faults = error.faults
    return "\n".join(str(fault) for fault in faults) or "no fault"


@pytest.mark.parametrize(("yaml", "expected"), read_cases("syntax_cases.txt", "fault_cases.txt"))
def test_faults(tmp_path: Path, yaml: str, expected: str) -> None:
    assert messages(tmp_path, yaml) == expected


def test_a_taxonomy_without_faults(tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.yaml"
    path.write_text(SMALL + "lexicons: names.yaml\n", encoding="utf-8")
    (tmp_path / "names.yaml").write_text("games:\n  2048: [twenty forty-eight]\n", encoding="utf-8")
    loaded = load_taxonomy(path)
    assert loaded.taxonomy.lexicons == {"games": {"2048": ("twenty forty-eight",)}}
    assert loaded.warnings == ()
    assert loaded.document.at(("facets", "topic", "categories", 0, "id")).line == 2


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_taxonomy(tmp_path / "taxonomy.yaml", "taxonomy.yaml")
    assert str(caught.value) == (
        snapshot("taxonomy.yaml: error: found no such file; expected a file that exists.")
    )


def test_a_lexicon_file_of_any_name_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "taxonomy.yaml").write_text(f"{SMALL}lexicons: {'x' * 999}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_taxonomy(tmp_path / "taxonomy.yaml", "taxonomy.yaml")
    assert str(caught.value) == (
        snapshot(
            "taxonomy.yaml:3: error: found no such file next to taxonomy.yaml: '…'; expected the file "
            "that 'lexicons' names."
        )
    )


def test_a_folder_before_the_file_name_stands_before_the_lexicons_too(tmp_path: Path) -> None:
    (tmp_path / "taxonomy.yaml").write_text(SMALL + "lexicons: names.yaml\n", encoding="utf-8")
    (tmp_path / "names.yaml").write_text("a: b: c\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_taxonomy(tmp_path / "taxonomy.yaml", "field/taxonomy.yaml")
    assert [fault.file for fault in caught.value.faults] == ["field/names.yaml"]


@pytest.mark.parametrize(
    "licence", ["CC-BY-4.0", "CC BY 4.0", "MIT OR Apache-2.0", "(c) 2026 A. Miller"]
)
def test_a_licence_is_an_spdx_expression_or_any_name(tmp_path: Path, licence: str) -> None:
    path = tmp_path / "taxonomy.yaml"
    path.write_text(SMALL.replace("One}", f"One, licence: {licence}}}"), encoding="utf-8")
    survey = load_taxonomy(path).taxonomy.survey
    assert survey.licence == licence
    assert survey.licence_id == (licence if " " not in licence else "")


def _patterns() -> set[str]:
    """Return the patterns of all models of the taxonomy."""
    schema = json.dumps(Taxonomy.model_json_schema())
    return {json.loads(text) for text in re.findall(r'"(?:pattern)": ("(?:[^"\\]|\\.)*")', schema)}


def test_every_pattern_of_the_models_has_a_message() -> None:
    assert _patterns() - {FACET_ID} <= PATTERN_MESSAGES.keys()  # facet ids are keys, not values


KEYS = [
    *(("survey", key) for key in SurveySettings.model_fields),
    *(("facet", key) for key in Facet.model_fields),
    *(("category", key) for key in Category.model_fields),
    *(("cues", key) for key in Cues.model_fields),
    *(("claim", key) for key in Claim.model_fields),
]
WRONG = ["", "[]", "[[1]]", "{a: 1}", "1.5", "a b/c"]


@pytest.mark.parametrize(("place", "key"), KEYS)
def test_a_wrong_value_of_any_key_is_accepted_or_explained(
    tmp_path: Path, place: str, key: str
) -> None:
    for value in WRONG:
        taxonomy: dict[str, dict[str, str]] = {
            "survey": {"title": "One"},
            "facet": {"kind": "multi"},
            "category": {"id": "memory", "definition": "x"},
            "cues": {"title": "[a]"},
            "claim": {"text": "It helps.", "by": "Ada"},
        }
        taxonomy[place][key] = value
        text = {
            name: ", ".join(f"{k}: {v}" for k, v in keys.items()) for name, keys in taxonomy.items()
        }
        if (place, key) != ("category", "cues"):
            text["category"] += f", cues: {{{text['cues']}}}"
        if (place, key) != ("category", "claims"):
            text["category"] += f", claims: [{{{text['claim']}}}]"
        if (place, key) != ("facet", "categories"):
            text["facet"] += f", categories: [{{{text['category']}}}]"
        found = messages(
            tmp_path, f"survey: {{{text['survey']}}}\nfacets: {{topic: {{{text['facet']}}}}}"
        )
        for line in found.splitlines():
            if line != "no fault":
                assert re.match(
                    r"taxonomy\.yaml:\d+: (error|warning): found .*; expected .", line
                ), line
                assert "_type" not in line
                assert "_parsing" not in line
                assert "pattern" not in line


def test_applies_to_follows_a_renamed_category(tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.yaml"
    path.write_text(
        "survey: {title: One}\n"
        "facets:\n"
        "  topic: {kind: multi, categories: [{id: memories, aliases: [memory]}]}\n"
        "  store: {kind: multi, applies_to: [memory], categories: [{id: disk}]}\n",
        encoding="utf-8",
    )
    loaded = load_taxonomy(path)
    assert loaded.warnings == ()
    assert loaded.taxonomy.facet("store").applies_to == ("memories",)


def test_the_shipped_taxonomy_has_no_fault() -> None:
    assert [str(fault) for fault in load_taxonomy(SHIPPED).warnings] == []


@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=30,
    ).map("".join)
)
def test_no_text_leads_to_a_traceback(yaml: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert messages(Path(folder), f"survey: {{title: One}}\n{yaml}")
