"""Select the keywords that the classifier reads in addition to title and abstract."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy


def keep_readable_keywords(papers: Iterable[Paper], taxonomy: Taxonomy) -> list[Paper]:
    """Return papers with only the keywords that the classifier reads.

    Keywords that name a category are removed, because they are labels: the classifier would repeat
    them, and an evaluation would be too good. Without `survey: use_keywords`, all keywords are
    removed.
    """
    return [_keep_readable_keywords(paper, taxonomy) for paper in papers]


def _keep_readable_keywords(paper: Paper, taxonomy: Taxonomy) -> Paper:
    """Return the paper with only these keywords."""
    if not paper.keywords:
        return paper
    if not taxonomy.survey.use_keywords:
        return replace(paper, keywords=())
    facets = taxonomy.facets.values()
    read = [word for word in paper.keywords if not any(facet.resolve(word) for facet in facets)]
    return replace(paper, keywords=tuple(read)) if len(read) < len(paper.keywords) else paper
