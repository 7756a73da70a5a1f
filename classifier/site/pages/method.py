"""How the survey came about, how good its labels are, and how to correct them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from classifier.site.blocks import Relink, SectionView, section_views
from classifier.site.pages.survey import parts
from classifier.survey.document import Document
from classifier.taxonomy.model import Facet, Taxonomy

_FIGURES: Mapping[str, str] = {
    "decided": "papers that readers decided",
    "measured": "papers on which the figures are measured",
    "primary_accuracy": "filed as the reader did",
    "mean_f1": "mean F1",
    "core_f1": "mean F1 over the core categories",
    "confident_share": "share of which the classifier is confident",
    "confident_accuracy": "of these, filed as the reader did",
    "confidence_cut": "below this confidence a label is provisional",
    "ece": "expected calibration error",
}


@dataclass(frozen=True, slots=True)
class FacetQuality:
    """How good the labels of one facet are."""

    name: str
    figures: tuple[tuple[str, str], ...]
    """(what, value) of those that were measured."""
    categories: tuple[tuple[str, str, str, str], ...]
    """(name, F1, papers that readers gave it, threshold)."""


@dataclass(frozen=True, slots=True)
class MethodPage:
    """What the page on the method shows."""

    sections: tuple[SectionView, ...]
    quality: tuple[FacetQuality, ...]


def method_page(
    document: Document, taxonomy: Taxonomy, metrics: Mapping[str, object], relink: Relink
) -> MethodPage:
    """Return the page; metrics: what metrics.json holds, empty where nothing was measured."""
    method = [part for part in parts(document) if part[0].id == "method"]
    facets = metrics.get("facets", {})
    assert isinstance(facets, dict)
    return MethodPage(
        tuple(section_views([section for part in method for section in part], relink)),
        tuple(
            _quality(taxonomy.facets[name], figures)
            for name, figures in facets.items()
            if name in taxonomy.facets and figures.get("decided")
        ),
    )


def _quality(facet: Facet, figures: Mapping[str, object]) -> FacetQuality:
    categories = figures.get("categories") or {}
    assert isinstance(categories, dict)
    return FacetQuality(
        facet.name,
        tuple(
            (words, _figure(figures[key]))
            for key, words in _FIGURES.items()
            if figures.get(key) is not None
        ),
        tuple(
            (
                category.name,
                _figure(of.get("f1")),
                _figure(of.get("support")),
                _figure(of.get("threshold")),
            )
            for category in facet.walk()
            if (of := categories.get(category.id)) is not None
        ),
    )


def _figure(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
