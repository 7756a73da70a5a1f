"""Labels as rows: the cells of the review sheet, and the objects of JSON Lines.

What a row holds is defined paper by paper, by `sheet_rows` and `label_objects`. Here the same is
made of columns, several times faster; only rows that people decided are made one by one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from classifier.corpus.paper import Paper
from classifier.files.json_text import json_line
from classifier.labelling.bulk_labels import NONE, BulkFacetLabels, BulkLabels
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.review.seal import label_columns, seal, with_seal
from classifier.review.sheet import JOINER, columns, human_columns, reasons_cell, sheet_rows
from classifier.scale.label_model import ModelLabels
from classifier.taxonomy.model import Facet, Taxonomy

_DIGITS = 4
_STEPS = 10**_DIGITS
# Half-way between two decimals, give or take more than a product is off.
_NEARLY = 1e-6


def sheet_cells(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: ModelLabels
) -> list[tuple[str, ...]]:
    """Return the cells of each paper's row in the machine's columns, as `sheet_rows` has them."""
    names = columns(taxonomy)[: -len(human_columns(taxonomy))]
    rows = _machine_cells(taxonomy, papers, labels.bulk)
    for row, decided in labels.decided.items():
        (told,) = sheet_rows(taxonomy, [papers[row]], [decided])
        rows[row] = tuple(told.get(name, "") for name in names)
    return rows


def label_lines(taxonomy: Taxonomy, papers: Sequence[Paper], labels: ModelLabels) -> list[bytes]:
    """Return the line of each paper in JSON Lines, as `label_objects` says what it holds."""
    lines = _machine_lines(taxonomy, papers, labels.bulk)
    for row, decided in labels.decided.items():
        (told,) = label_objects(taxonomy, [papers[row]], [decided])
        lines[row] = json_line(told)
    return lines


def label_objects(
    taxonomy: Taxonomy, papers: Sequence[Paper], labels: Sequence[PaperLabels]
) -> Iterable[dict[str, object]]:
    """Yield one object a paper, as `label -o labels.jsonl` writes it."""
    first = taxonomy.first
    for paper, label in zip(papers, labels, strict=True):
        topic = label.facets[first.id]
        yield {
            "id": paper.id,
            "title": paper.title,
            "primary": topic.primary,
            "topics": list(topic.categories),
            **{
                facet_id: _value(facet, label.facets.get(facet_id))
                for facet_id, facet in taxonomy.facets.items()
                if facet is not first
            },
            "confidence": round(topic.confidence, _DIGITS),
            "status": topic.status,
            "scores": {
                facet_id: {key: round(p, _DIGITS) for key, p in labels.probabilities.items()}
                for facet_id, labels in label.facets.items()
            },
        }


def decimals(values: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return `repr(round(value, 4))` of values from 0 to 1, as texts in an array of their shape."""
    scaled = values * _STEPS
    steps = np.floor(scaled + 0.5).astype(np.int64)
    texts: NDArray[np.object_] = _texts_of_steps()[np.clip(steps, 0, _STEPS)]
    # What lies half-way, or nowhere, is left to Python, which rounds by the exact value.
    unsure = ~(np.abs(scaled - steps) < 0.5 - _NEARLY) | (steps < 0) | (steps > _STEPS)
    for place in zip(*np.nonzero(unsure), strict=True):
        texts[place] = repr(round(float(values[place]), _DIGITS))
    return texts


@cache
def _texts_of_steps() -> NDArray[np.object_]:
    """Return (10001,) the texts of 0.0, 0.0001 and so on to 1.0."""
    return np.array([repr(step / _STEPS) for step in range(_STEPS + 1)], dtype=object)


def _machine_cells(
    taxonomy: Taxonomy, papers: Sequence[Paper], bulk: BulkLabels
) -> list[tuple[str, ...]]:
    """Return the rows of what the classifier says."""
    first = bulk.facets[taxonomy.first.id]
    facets = {name: list(map(JOINER.join, _chosen(of))) for name, of in bulk.facets.items()}
    topics = facets.pop(taxonomy.first.id)
    primary, why = _primaries(first), _reasons(first)
    status = ["confident" if sure else "provisional" for sure in first.confident.tolist()]
    confidence = [f"{float(text):.2f}" for text in decimals(first.confidence).tolist()]
    label_names = label_columns(taxonomy)
    rows = []
    for row, paper in enumerate(papers):
        labels = (primary[row], topics[row], *(column[row] for column in facets.values()))
        cells = {"id": paper.id, **dict(zip(label_names, labels, strict=True))}
        sealed = with_seal(why[row], seal(cells, label_names, taxonomy.digest))
        told = (paper.id, paper.title, paper.published.year, paper.link)
        rows.append((*told, status[row], confidence[row], *labels, sealed))
    return rows


def _machine_lines(taxonomy: Taxonomy, papers: Sequence[Paper], bulk: BulkLabels) -> list[bytes]:
    """Return the lines of what the classifier says."""
    first = bulk.facets[taxonomy.first.id]
    primary, confidence = _primaries(first), decimals(first.confidence).tolist()
    topics = _json_values(_chosen(first))
    further = [
        (_json(name), _json_values(_primaries(of) if of.facet.kind == "single" else _chosen(of)))
        for name, of in bulk.facets.items()
        if of is not first
    ]
    scores = [_score_texts(name, of) for name, of in bulk.facets.items()]
    lines = []
    for row, paper in enumerate(papers):
        status = "confident" if first.confident[row] else "provisional"
        stated = "".join(f"{name}: {values[row]}, " for name, values in further)
        known = ", ".join(text for texts in scores if (text := texts[row]))
        line = (
            f'{{"id": {_json(paper.id)}, "title": {_json(paper.title)}, '
            f'"primary": {_json(primary[row])}, "topics": {topics[row]}, {stated}'
            f'"confidence": {confidence[row]}, "status": "{status}", "scores": {{{known}}}}}\n'
        )
        lines.append(line.encode())
    return lines


def _chosen(labels: BulkFacetLabels) -> list[tuple[str, ...]]:
    """Return (n,) the categories shown of each paper, a child behind its parent; () of no label."""
    facet, chosen = labels.facet, labels.chosen
    children = np.where(
        chosen == NONE, NONE, np.take_along_axis(labels.children, np.maximum(chosen, 0), axis=1)
    )
    names: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[str, ...]] = {}
    found: list[tuple[str, ...]] = []
    asked = zip(labels.asked.tolist(), chosen.tolist(), children.tolist(), strict=True)
    for is_asked, tops, below in asked:
        key = (tuple(tops), tuple(below)) if is_asked else ((), ())
        if key not in names:
            names[key] = _names(facet, *key)
        found.append(names[key])
    return found


def _names(facet: Facet, tops: Sequence[int], children: Sequence[int]) -> tuple[str, ...]:
    found: list[str] = []
    for top, child in zip(tops, children, strict=True):
        if top != NONE:
            category = facet.categories[top]
            found += (category.id, *((category.children[child].id,) if child != NONE else ()))
    return tuple(found)


def _primaries(labels: BulkFacetLabels) -> list[str]:
    """Return (n,) where each paper is filed; "" of no label."""
    ids = labels.facet.ids
    if not labels.chosen.shape[1]:
        return [""] * len(labels.asked)
    filed = np.where(labels.asked, labels.chosen[:, 0], NONE).tolist()
    return ["" if column == NONE else ids[column] for column in filed]


def _reasons(labels: BulkFacetLabels) -> list[str]:
    """Return (n,) the cells `why`, without their seals."""
    ids = labels.facet.ids
    primary = _primaries(labels)
    told = []
    for row, candidates in enumerate(labels.candidates.tolist()):
        open_ones = () if labels.confident[row] else [ids[c] for c in candidates if c != NONE]
        told.append(reasons_cell(labels.why[row], primary[row], open_ones))
    return told


def _score_texts(name: str, labels: BulkFacetLabels) -> list[str]:
    """Return (n,) the member of `scores` for one facet; "" where it is not asked."""
    keys = [_json(key).replace("%", "%%") for key in (name, *labels.facet.ids)]
    members = ", ".join(f"{key}: %s" for key in keys[1:])
    frame = f"{keys[0]}: {{{members}}}"
    asked, texts = labels.asked.tolist(), decimals(labels.probabilities).tolist()
    return [frame % tuple(row) if told else "" for told, row in zip(asked, texts, strict=True)]


def _json_values(values: Iterable[object]) -> list[str]:
    """Return values as JSON; the same few come again and again."""
    known: dict[object, str] = {}
    return [known.get(value) or known.setdefault(value, _json(value)) for value in values]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _value(facet: Facet, labels: FacetLabels | None) -> object:
    """Return the labels, "" or [] where nothing is stated or the facet is not asked."""
    if facet.kind == "single":
        return labels.primary if labels else ""
    return list(labels.categories) if labels else []
