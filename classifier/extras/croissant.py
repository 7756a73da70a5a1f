"""The labelled papers as a data set that describes itself: Croissant 1.0 (MLCommons, JSON-LD).

The data are JSON lists, since readers of Croissant guess the types of CSV and JSON Lines: an arXiv
id would become a number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from classifier.files.json_text import json_bytes, json_rows
from classifier.papers.fields import DETAILS
from classifier.site.exports.citation import one_line
from classifier.site.exports.how_to_cite import survey_bibtex
from classifier.site.exports.labelled import Selection, table_columns, table_values
from classifier.taxonomy.columns import FRONT, WHY, WHY_SAYS
from classifier.taxonomy.model import Taxonomy

CROISSANT = "croissant.json"
PAPERS, CATEGORIES = "papers.json", "categories.json"

# The context that the specification gives (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html).
_PLAIN = (
    "citeAs column conformsTo=dct:conformsTo extract field fileProperty fileObject fileSet format "
    "includes isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated "
    "replace samplingRate separator source subField transform"
).split()
_CONTEXT: Mapping[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{name.partition("=")[0]: name.partition("=")[2] or f"cr:{name}" for name in _PLAIN},
}


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a record set."""

    name: str
    says: str
    type: str = "sc:Text"
    is_list: bool = False


_SAYS: Mapping[str, _Field] = {
    field.name: field
    for field in (
        *(_Field(c.name, c.says, c.type, c.is_list) for c in FRONT),
        _Field(WHY, WHY_SAYS),
        _Field("cite_key", "Key in the BibTeX export"),
        _Field("authors", "Authors in order", is_list=True),
        _Field("author_count", "How many authors there are, named or not", "sc:Integer"),
        _Field("organisation", "Organisation that the paper comes from"),
        _Field("published", "ISO date, cut where knowledge ends"),
        _Field("venue", "Journal or proceedings"),
        _Field("arxiv_id", "arXiv id without version"),
        _Field("doi", "DOI in lower case"),
        _Field("code_urls", "Addresses of code", is_list=True),
        _Field("keywords", "Keywords of authors and librarians", is_list=True),
        _Field("collections", "Where the paper was filed before", is_list=True),
        _Field("abstract", "Abstract or digest, see abstract_kind"),
        _Field("abstract_kind", "abstract: the authors' own; digest: the editors' words; none"),
    )
}
_CATEGORY_FIELDS = (
    _Field("facet", "Id of the facet"),
    _Field("id", "Id of the category, as papers name it; a part stands behind its parent and /"),
    _Field("name", "Name of the category"),
    _Field("definition", "What it takes in, as Markdown"),
)


def croissant_files(selection: Selection) -> dict[str, bytes]:
    """Return path -> bytes of the data set: its description and two lists of records.

    Creator, address and citation are what the taxonomy states; a licence and a date it does not
    state, so none is given. A record has every field: null, or an empty list, where nothing is
    stated.
    """
    taxonomy, document = selection.edition.taxonomy, selection.edition.document
    fields = [_field(taxonomy, name) for name in table_columns(selection)]
    data = {
        PAPERS: json_rows(
            {field.name: _value(field, row.get(field.name)) for field in fields}
            for row in table_values(selection)
        ),
        CATEGORIES: json_rows(
            {"facet": facet.id, "id": c.id, "name": c.name, "definition": c.definition}
            for facet in taxonomy.facets.values()
            for c in facet.walk()
        ),
    }
    stated = {
        "url": taxonomy.survey.base_url or taxonomy.survey.repository,
        "creator": [{"@type": "Person", "name": one_line(name)} for name in document.editors],
        "citeAs": survey_bibtex(selection.edition),
    }
    papers = f"{len(selection.entries)} papers, sorted into the categories of a survey."
    description = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": one_line(document.title),
        "description": f"{papers} {one_line(document.subtitle)}".strip(),
        "version": f"1.0.0+{document.version}",
        **{name: value for name, value in stated.items() if value},
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "contentSize": f"{len(content)} B",
                "encodingFormat": "application/json",
                "sha256": hashlib.sha256(content).hexdigest(),
            }
            for name, content in data.items()
        ],
        "recordSet": [
            _record_set("papers", "One record a paper, with its labels", PAPERS, fields),
            _record_set("categories", "What labels mean", CATEGORIES, _CATEGORY_FIELDS),
        ],
    }
    return {CROISSANT: json_bytes(description), **data}


def _record_set(
    identifier: str, says: str, file: str, fields: Iterable[_Field]
) -> dict[str, object]:
    return {
        "@type": "cr:RecordSet",
        "@id": identifier,
        "name": identifier,
        "description": says,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{identifier}/{field.name}",
                "name": field.name,
                "description": field.says,
                "dataType": field.type,
                "source": {
                    "fileObject": {"@id": file},
                    "extract": {"jsonPath": f"$[*].'{field.name}'"},
                },
                **({"repeated": True} if field.is_list else {}),
            }
            for field in fields
        ],
    }


def _field(taxonomy: Taxonomy, name: str) -> _Field:
    facet = taxonomy.facets.get(name)
    if facet is not None and facet is not taxonomy.first:
        return _Field(name, f"Categories of the facet {one_line(facet.name)}", is_list=True)
    return _SAYS.get(name) or _Field(name, f"CSL variable {name}" if name in DETAILS else name)


def _value(field: _Field, value: object) -> object:
    if value is None:
        return [] if field.is_list else None
    return int(str(value)) if field.type == "sc:Integer" else value
