"""Write a taxonomy as taxonomy.yaml and taxonomy.json, and the JSON Schema of taxonomy.yaml."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from classifier.files.writing import write_file
from classifier.taxonomy.model import FACET_ID, Category, Taxonomy
from classifier.text.normalise import without_control_characters

_SCHEMA_LINE = "# yaml-language-server: $schema=taxonomy.schema.json"
_WIDTH = 100
# Longer texts are not written in brackets but on a line of their own.
_MAX_PHRASE = 40

# Text that YAML 1.2 reads unchanged without quotes, also inside brackets.
_PLAIN = re.compile(r"[^\W\d_](?:[\w /'’.+&()~–-]*[\w)'’.+~])?")
_NOT_TEXT = re.compile("true|false|null", re.IGNORECASE)
_NOT_PRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def taxonomy_yaml(taxonomy: Taxonomy, comment: str = "") -> str:
    """Return YAML that `load_taxonomy` reads as the same taxonomy; defaults are omitted.

    comment: text to write at the top, with a `#` before each line.
    """
    fields = taxonomy.model_dump(mode="json", exclude_defaults=True)
    for identifier, facet in taxonomy.facets.items():
        written = fields["facets"][identifier]
        del written["id"], written["categories"]
        written["categories"] = [_category_fields(category) for category in facet.categories]
    for column in fields.get("columns", {}).values():
        del column["id"]
    lines = [_SCHEMA_LINE, "#", *(f"# {line}".rstrip() for line in comment.splitlines())]
    for key, value in fields.items():
        lines += ["", *_entry_lines(key, value)]
    return "\n".join(lines) + "\n"


def _category_fields(category: Category) -> dict[str, Any]:
    """Return the fields of a category that must be written; its children are the last field."""
    fields = category.model_dump(mode="json", exclude_defaults=True)
    fields.pop("children", None)
    if category.children:
        fields["children"] = [_category_fields(child) for child in category.children]
    return fields


def _entry_lines(key: str, value: Any) -> Iterator[str]:
    """Yield the YAML lines of a key and its value."""
    name = _yaml_scalar(key)
    match value:
        case dict() if value:
            yield f"{name}:"
            yield from _indent(_mapping_lines(value))
        case [] | {}:
            yield f"{name}: {json.dumps(value)}"
        case list() if all(isinstance(item, str) and len(item) <= _MAX_PHRASE for item in value):
            yield from _phrase_lines(name, value)
        case list():
            yield f"{name}:"
            for item in value:
                yield from _indent(_item_lines(item))
        case str():
            yield from _text_lines(name, value)
        case _:
            yield f"{name}: {json.dumps(value)}"


def _mapping_lines(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield the YAML lines of a mapping."""
    for key, value in fields.items():
        yield from _entry_lines(key, value)


def _item_lines(item: Any) -> Iterator[str]:
    """Yield the YAML lines of a list item."""
    lines = _mapping_lines(item) if isinstance(item, dict) else iter([_yaml_scalar(item)])
    yield f"- {next(lines)}"
    yield from _indent(lines)


def _phrase_lines(name: str, phrases: Sequence[str]) -> Iterator[str]:
    """Yield the YAML lines of a list in brackets, on one line if it fits."""
    items = ", ".join(map(_yaml_scalar, phrases))
    if len(items) < _WIDTH // 2:
        yield f"{name}: [{items}]"
        return
    yield f"{name}: ["
    line = ""
    for phrase in phrases:
        more = f"{_yaml_scalar(phrase)},"
        if line and len(line) + len(more) > _WIDTH - _MAX_PHRASE // 2:
            yield f"  {line}"
            line = ""
        line = f"{line} {more}".lstrip()
    yield f"  {line}"
    yield "]"


def _text_lines(name: str, text: str) -> Iterator[str]:
    """Yield the YAML lines of a text: a short text is quoted, a longer text becomes a block."""
    lines = text.split("\n")
    if all(line == " ".join(line.split()) and line.isprintable() for line in lines):
        if len(lines) > 1:
            yield f"{name}: |-"
            yield from _indent(iter(lines))
            return
        if len(text) > _WIDTH // 2:
            yield f"{name}: >-"
            width = _WIDTH - _MAX_PHRASE // 2
            folded = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
            yield from _indent(iter(folded))
            return
    yield f"{name}: {_yaml_scalar(text)}"


def _indent(lines: Iterator[str]) -> Iterator[str]:
    """Indent lines by two blanks."""
    for line in lines:
        yield f"  {line}" if line else ""


def _yaml_scalar(text: str) -> str:
    """Return a text as a YAML scalar: unquoted if YAML reads it unchanged, else as a JSON string.

    Invisible control characters are removed, because phrases may come from papers.
    """
    text = without_control_characters(text)
    if _PLAIN.fullmatch(text) and not _NOT_TEXT.fullmatch(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)


SCHEMA_FILE = Path("taxonomy", "taxonomy.schema.json")


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of taxonomy.yaml."""
    schema = Taxonomy.model_json_schema()
    facet = schema["$defs"]["Facet"]["properties"]
    del facet["id"], schema["$defs"]["TypedColumn"]["properties"]["id"]
    properties = schema["properties"]
    for name in ("facets", "columns"):
        properties[name]["propertyNames"] = {"pattern": FACET_ID}
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
    """Return the schema as indented UTF-8 JSON."""
    return (json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n").encode()


# Fields that do not change the meaning of a label.
_OMITTED = frozenset({"cues", "exemplars", "claims"})


def published_taxonomy(taxonomy: Taxonomy) -> dict[str, Any]:
    """Return `digest`, `survey` (its title) and `facets` as plain values, without the cues."""
    facets = {
        facet_id: facet.model_dump(mode="json") for facet_id, facet in taxonomy.facets.items()
    }
    title = taxonomy.survey.title
    return {
        "digest": taxonomy.digest,
        "survey": {"title": title},
        "facets": _without_empty_values(facets),
    }


def parse_published_taxonomy(record: object) -> Taxonomy | None:
    """Parse a taxonomy.json; return None if it does not have this form."""
    if not isinstance(record, dict):
        return None
    try:
        return Taxonomy.model_validate({"survey": record["survey"], "facets": record["facets"]})
    except (KeyError, ValidationError):
        return None


def _without_empty_values(value: Any) -> Any:
    """Return nested values without empty values and without keys that are not published."""
    if isinstance(value, dict):
        kept = {
            key: _without_empty_values(inner) for key, inner in value.items() if key not in _OMITTED
        }
        return {key: inner for key, inner in kept.items() if inner not in (None, "", [], False)}
    return [_without_empty_values(inner) for inner in value] if isinstance(value, list) else value


if __name__ == "__main__":
    write_file(Path(__file__).parents[2] / SCHEMA_FILE, schema_bytes())
