"""Where a sentence comes from, in words and with links to check it."""

from __future__ import annotations

from collections.abc import Mapping

from classifier.site import paths
from classifier.site.listing import Catalogue
from classifier.survey.document import Kind, Sentence
from classifier.survey.facts import terms_of
from classifier.survey.survey import Survey
from classifier.survey.wording import in_prose

KINDS: Mapping[Kind, str] = {
    "Q": "quoted from an abstract",
    "P": "paraphrased: a sentence of a digest",
    "C": "computed",
    "T": "drawn together from papers that share a fact",
    "H": "written by the editors",
    "D": "a definition of the taxonomy",
}
Link = tuple[str, str, str]
"""What a sentence can be checked against: words, path of a page and value of a fact, or ""."""


def provenance(catalogue: Catalogue, sentence: Sentence) -> tuple[str, list[Link]]:
    """Return the kind and the sources of a sentence, in words."""
    scheme, _, rest = sentence.source.partition(": ")
    named, edition = rest.split(", "), catalogue.edition
    if scheme == "fieldguide":
        return "fixed words", [("Fieldguide’s own words", "method.html", "")]
    if scheme == "facts":
        links = [_fact(edition, name) for name in named]
    elif scheme == "metrics":
        links = [(f"measured: {name}", "method.html", "") for name in named]
    elif scheme in ("paper", "reviews.csv"):
        lead = "" if scheme == "paper" else "reviews.csv: "
        links = [_paper(edition, name, lead) for name in named]
    elif scheme == "taxonomy":
        links = [_category(catalogue, path) for path in named]
    else:
        links = [(sentence.source, "", "")]
    return KINDS[sentence.kind], links


def _fact(edition: Survey, fact_id: str) -> Link:
    value = str(edition.fact_values.get(fact_id, ""))
    if fact_id != "all" and "=" not in fact_id:
        return fact_id, "facts.json", value
    words = " · ".join(_term(edition, key, wanted) for key, wanted in terms_of(fact_id))
    return words or "all papers", paths.browse(fact_id), value


def _term(edition: Survey, key: str, value: str) -> str:
    first = edition.taxonomy.first
    facet = first if key == "filed" else edition.taxonomy.facets.get(key)
    category = facet.get(value) if facet else None
    name = "filed under" if key == "filed" else in_prose(facet.name) if facet else key
    return f"{name} {category.name if category else value}"


def _paper(edition: Survey, paper_id: str, lead: str) -> Link:
    entry = edition.paper(paper_id)
    if entry is None:
        return f"{lead}{paper_id}", "", ""
    return f"{lead}{entry.paper.title_display}", paths.paper_page(entry), ""


def _category(catalogue: Catalogue, path: str) -> Link:
    facet, _, rest = path.partition("/")
    category_id, _, _ = rest.rpartition("/")
    is_paged = facet == catalogue.edition.taxonomy.first.id and category_id in catalogue.paged_ids
    page = paths.category_page(category_id) if is_paged else "taxonomy.json"
    return f"taxonomy.yaml: {path}", page, ""
