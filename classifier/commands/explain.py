"""Explain the labels of a paper and the sources of its fields: `fieldguide explain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz, process

from classifier.errors import UsageError
from classifier.explanation.explanation import (
    Explanation,
    FacetExplanation,
    explain_facet,
    field_origins,
    joins,
    missing_fields,
)
from classifier.labelling.labels import PaperLabels
from classifier.labelling.trained import Trained
from classifier.papers.identity import read_identity
from classifier.papers.load import read_file
from classifier.papers.paper import Paper, ids_in
from classifier.progress import Progress
from classifier.project import Project
from classifier.recall import recall_or_train
from classifier.review.acts import editorial_acts
from classifier.survey.inputs import Inputs, labels_to_publish, read_inputs
from classifier.taxonomy.names import find_category
from classifier.text.normalise import format_for_display, title_id, title_key

MAX_LISTED = 10
"""Maximum number of papers in an error message."""
_MAX_SUGGESTED = 5
_MIN_SIMILARITY = 60
"""Minimum similarity, 0 to 100, of a suggested paper to the query."""


def find_paper(query: str, papers: Sequence[Paper], aliases: Mapping[str, str]) -> Paper:
    """Return the paper that matches `query`.

    An id, alias, arXiv id, DOI, address or whole title is an exact match. Otherwise words of the
    title match, if no other title contains them. aliases: other id of a paper -> its id.

    Raises UsageError if several papers match (with a list) or none (with similar titles).
    """
    query = query.strip()
    found = _find_by_id(query, papers, aliases) or _find_by_title(query, papers)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(_not_found(query, papers))
    more = len(found) - MAX_LISTED
    lines = [f"'{query}' matches {len(found)} papers. Use an id or more words of the title:"]
    lines += _listed(found[:MAX_LISTED]) + ([f"  … and {more} more"] if more > 0 else [])
    raise UsageError("\n".join(lines))


def _find_by_id(query: str, papers: Sequence[Paper], aliases: Mapping[str, str]) -> list[Paper]:
    """Return the paper with this id or address as a list, or []."""
    by_id = {paper.id.casefold(): paper for paper in papers}
    ids = {alias.casefold(): target.casefold() for alias, target in aliases.items()}
    for name in (query, *ids_in(query), title_id(query)):
        name = name.casefold()
        paper = by_id.get(name) or by_id.get(ids.get(name, ""))
        if paper:
            return [paper]
    address = _address(query)
    return [paper for paper in papers if address and _address(paper.link) == address]


def _address(url: str) -> str:
    """Return the key to compare addresses; "" if `url` is not an address."""
    return url.partition("://")[2].rstrip("/").casefold()


def _find_by_title(query: str, papers: Sequence[Paper]) -> list[Paper]:
    """Return the papers whose title is `query`, ignoring case, blanks and hyphens.

    Without one, return the papers whose title contains `query`, or else all of its words.
    """
    titles = [(title_key(paper.title), paper) for paper in papers]
    whole, words = title_key(query), [title_key(word) for word in query.split()]
    if not whole:
        return []
    return (
        [paper for title, paper in titles if whole == title]
        or [paper for title, paper in titles if whole in title]
        or [paper for title, paper in titles if all(word in title for word in words)]
    )


def _not_found(query: str, papers: Sequence[Paper]) -> str:
    names = [f"{paper.id} {format_for_display(paper.title)}".casefold() for paper in papers]
    similar = process.extract(
        query.casefold(), names, scorer=fuzz.partial_ratio, limit=_MAX_SUGGESTED,
        score_cutoff=_MIN_SIMILARITY,
    )  # fmt: skip
    lines = _listed([papers[position] for _, _, position in similar])
    expected = "an id, an arXiv id, a DOI, an address or words of a title"
    ending = " Similar papers:" if lines else ""
    return "\n".join([f"No paper matches '{query}'; expected {expected}.{ending}", *lines])


def _listed(papers: Sequence[Paper]) -> list[str]:
    return [f"  {paper.id}  {paper.title_display}" for paper in papers]


def explain_paper(
    project: Project,
    query: str,
    *,
    category: str | None = None,
    progress: Progress | None = None,
) -> Explanation:
    """Explain the labels of the paper of `project` that matches `query` (see `find_paper`).

    Uses the classifier of the last build; trains one if the project has changed since.

    category: explain only this category, with all reasons for and against it. Raises InputError
    with the faults of the project's files, and UsageError if `query` does not match exactly one
    paper or `category` is not in the taxonomy.
    """
    inputs = read_inputs(project, progress)
    paper = find_paper(query, inputs.corpus.papers, inputs.corpus.aliases)
    only: tuple[str, str] | None = None
    if category:
        facet, chosen = find_category(inputs.taxonomy, category)
        only = facet.id, chosen.id
    label, trained = recall_or_train(project, inputs, paper, progress)
    facets = _facets(inputs, trained, label, paper, only)
    records = _records(project, inputs, paper)
    return Explanation(
        paper,
        tuple(alias for alias, target in inputs.corpus.aliases.items() if target == paper.id),
        field_origins(paper, records),
        missing_fields(paper),
        tuple(facet for facet in facets.values() if facet is not None),
        tuple(facet_id for facet_id, facet in facets.items() if facet is None),
        editorial_acts(inputs.ledger, inputs.corpus.aliases).of(paper.id),
        joins(records, read_identity(project.identity_file)),
    )


def _facets(
    inputs: Inputs, trained: Trained, label: PaperLabels, paper: Paper, only: tuple[str, str] | None
) -> dict[str, FacetExplanation | None]:
    """Return facet id -> explanation, or None if the facet does not apply to the paper.

    label: the labels of the classifier. only: facet id and category id to explain; None for all.
    """
    labels = labels_to_publish(inputs, [label])[0]
    decided = inputs.decisions.get(paper.id, {})
    explained: dict[str, FacetExplanation | None] = {}
    for facet_id, (model, scores) in trained.models_of(paper).items():
        if only and only[0] != facet_id:
            continue
        published, category_id = labels.facets.get(facet_id), only[1] if only else ""
        explained[facet_id] = None
        if published:
            decision = decided.get(facet_id)
            explained[facet_id] = explain_facet(
                model, scores, paper, published, decision, category_id
            )
    return explained


def _records(project: Project, inputs: Inputs, paper: Paper) -> list[Paper]:
    """Return the records that a paper was merged from, by reading their files again.

    A merged paper has the best value of each field, but not the record with that value.
    """
    paths = project.paper_files(inputs.taxonomy.survey.sources)
    files = {project.shown(path): path for path in paths}
    # A record may be in a file of an archive, such as `papers.zip/list.bib`.
    expected = {source.file for source in paper.sources}
    names = [
        name
        for name in sorted(files)
        if any(f"{file}/".startswith(f"{name}/") for file in expected)
    ]
    contents = (file for name in names for file in read_file(files[name], name))
    records = (record for file in contents for record in file.papers)
    return [record for record in records if set(record.sources) & set(paper.sources)]
