"""The JSON Schema of taxonomy.yaml, with which editors complete and check it while one types.

`python -m classifier.taxonomy.schema` writes it anew to taxonomy/taxonomy.schema.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from classifier.files.atomic import write_file
from classifier.taxonomy.model import (
    FACET_ID,
    RESERVED_FACET_IDS,
    RESERVED_FACET_START,
    Taxonomy,
)

SCHEMA_FILE = Path("taxonomy", "taxonomy.schema.json")


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of what a person writes."""
    schema = Taxonomy.model_json_schema()
    facet = schema["$defs"]["Facet"]["properties"]
    del facet["id"]
    properties = schema["properties"]
    reserved = "|".join(sorted(RESERVED_FACET_IDS))
    properties["facets"]["propertyNames"] = {
        "pattern": FACET_ID,
        "not": {"pattern": f"^(?:(?:{reserved})$|{RESERVED_FACET_START})"},
    }
    mapping = properties["lexicons"]
    properties["lexicons"] = {
        "title": mapping.pop("title"),
        "description": mapping.pop("description"),
        "anyOf": [mapping, {"type": "string", "minLength": 1}],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Fieldguide taxonomy",
    }


def schema_bytes() -> bytes:
    """Return the schema as the file holds it: indented UTF-8 JSON."""
    return (json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    write_file(Path(__file__).parents[2] / SCHEMA_FILE, schema_bytes())
