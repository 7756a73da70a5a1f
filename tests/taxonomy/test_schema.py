from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from classifier.taxonomy.dump import SCHEMA_FILE, json_schema, schema_bytes
from classifier.taxonomy.model import Category, Claim, Cues, Facet, SurveySettings, Taxonomy


def test_the_shipped_schema_is_current() -> None:
    shipped = (Path(__file__).parents[2] / SCHEMA_FILE).read_bytes()
    assert shipped == schema_bytes(), "run: python -m classifier.taxonomy.dump"


def test_every_key_that_a_person_writes_is_described() -> None:
    schema = json_schema()
    models: dict[str, type[BaseModel]] = {
        "Category": Category,
        "Claim": Claim,
        "Cues": Cues,
        "Facet": Facet,
        "SurveySettings": SurveySettings,
    }
    described: dict[str, dict[str, Any]] = {
        name: schema["$defs"][name]["properties"] for name in models
    }
    described["Taxonomy"] = schema["properties"]
    models["Taxonomy"] = Taxonomy
    for name, model in models.items():
        keys = set(model.model_fields) - ({"id"} if name == "Facet" else set())
        assert set(described[name]) == keys
    undescribed = [
        f"{name}.{key}"
        for name, properties in described.items()
        for key, value in properties.items()
        if not value.get("description")
    ]
    assert undescribed == []


def test_lexicons_may_be_a_file_name() -> None:
    kinds = [option["type"] for option in json_schema()["properties"]["lexicons"]["anyOf"]]
    assert kinds == ["object", "string"]
