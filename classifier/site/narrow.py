"""What lists, exports and the pages of papers see of an edition: what is not prose.

They are printed from an edition from which the texts of the editors and the sentences of the survey
are taken away. So they cannot depend on these, and an edit of a claim leaves thousands of pages be.
"""

from __future__ import annotations

from dataclasses import replace

from classifier.site.plate import digest_of
from classifier.survey.edition import Edition
from classifier.taxonomy.model import Category, Taxonomy


def narrow_edition(edition: Edition) -> Edition:
    """Return an edition without prose: papers, labels, and names of categories."""
    document = replace(edition.document, version="", sections=(), references=())
    taxonomy = _without_texts(edition.taxonomy)
    return replace(edition, taxonomy=taxonomy, document=document, left_out=(), facts={})


def without_remarks(edition: Edition) -> Edition:
    """Return an edition in which the editors say nothing beside papers: what references see."""
    entries = (replace(entry, remark=None) if entry.remark else entry for entry in edition.entries)
    return replace(edition, entries=tuple(entries))


def content_digest(edition: Edition, entries: str) -> str:
    """Return a digest of all that a narrow edition says, but for what `arrangement` digests.

    entries: a digest of all that its entries are made of.
    """
    return digest_of(entries, edition.taxonomy.model_dump_json(), edition.document)


def arrangement(edition: Edition) -> str:
    """Return a digest of which papers there are, their numbers, and the acts of the editors."""
    return digest_of([(e.paper.id, e.number, e.remark, e.key) for e in edition.entries])


def _without_texts(taxonomy: Taxonomy) -> Taxonomy:
    survey = taxonomy.survey.model_copy(update={"scope": "", "abstract": ""})
    facets = {
        facet.id: facet.model_copy(
            update={"definition": "", "categories": tuple(map(_bare, facet.categories))}
        )
        for facet in taxonomy.facets.values()
    }
    # A copy takes what was looked up before with it: records are made anew.
    return Taxonomy.model_construct(
        survey=survey,
        facets={key: type(facet).model_construct(**dict(facet)) for key, facet in facets.items()},
        lexicons=taxonomy.lexicons,
    )


def _bare(category: Category) -> Category:
    texts = {"definition": "", "includes": (), "excludes": (), "claims": ()}
    children = tuple(map(_bare, category.children))
    return category.model_copy(update={**texts, "children": children})
