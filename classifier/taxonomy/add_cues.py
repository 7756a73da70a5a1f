"""Add phrases to the cues of categories in taxonomy.yaml, without changing comments or layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import yaml

from classifier.taxonomy.edit import YamlFile, items_of, value_of, yaml_scalar


def add_cues(
    file: YamlFile, facet_id: str, additions: Mapping[tuple[str, str], Sequence[str]]
) -> None:
    """Add phrases to lists of cues.

    additions: phrases by (id of a top category, name of a list under its `cues`).
    """
    nodes = dict(_categories(file, facet_id))
    new: dict[str, dict[str, Sequence[str]]] = {}
    for (category_id, key), phrases in additions.items():
        cues = value_of(nodes[category_id], "cues")
        if isinstance(value_of(cues, key), yaml.SequenceNode) and isinstance(
            cues, yaml.MappingNode
        ):
            file.add_to_list(cues, key, *phrases)
        else:
            new.setdefault(category_id, {})[key] = phrases
    for category_id, lists in new.items():
        node = nodes[category_id]
        cues = value_of(node, "cues")
        pairs = [f"{key}: [{', '.join(map(yaml_scalar, texts))}]" for key, texts in lists.items()]
        if isinstance(cues, yaml.MappingNode):
            file.add_first_pairs(cues, pairs)
        else:
            file.add_key(node, "cues", f"{{{', '.join(pairs)}}}")


def _categories(file: YamlFile, facet_id: str) -> Iterator[tuple[str, yaml.MappingNode]]:
    """Yield the id and the YAML node of each top category of a facet."""
    facet = value_of(value_of(file.root, "facets"), facet_id)
    for node in items_of(value_of(facet, "categories")):
        identifier = value_of(node, "id")
        if isinstance(node, yaml.MappingNode) and identifier is not None:
            yield identifier.value, node
