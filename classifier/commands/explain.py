"""Why a paper has its labels, and where each of its fields came from: `fieldguide explain`."""

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
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.learning import train
from classifier.papers.identity import read_identity
from classifier.papers.load import read_file
from classifier.papers.paper import Paper, ids_in
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.review.acts import editorial_acts
from classifier.survey.inputs import Inputs, labels_in_force, read_inputs
from classifier.taxonomy.names import find_category
from classifier.text.normalise import display, title_id, title_key

MOST_LISTED = 10
_SUGGESTED = 5
_LEAST_LIKENESS = 60


def find_paper(query: str, papers: Sequence[Paper], aliases: Mapping[str, str]) -> Paper:
    """Return the one paper that `query` names.

    An id, an alias, an arXiv id, a DOI, an address or a whole title name it exactly; else words
    of the title do, if no other title holds them. aliases: every other id -> id.

    Raises UsageError where it names several (they are listed) or none (the likest are).
    """
    query = query.strip()
    found = _named(query, papers, aliases) or _titled(query, papers)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(_none(query, papers))
    more = len(found) - MOST_LISTED
    lines = [f"'{query}' names {len(found)} papers; give an id or more words:"]
    lines += _listed(found[:MOST_LISTED]) + ([f"  … and {more} more"] if more > 0 else [])
    raise UsageError("\n".join(lines))


def _named(query: str, papers: Sequence[Paper], aliases: Mapping[str, str]) -> list[Paper]:
    """Return the paper that bears an exact name, if one does."""
    by_id = {paper.id.casefold(): paper for paper in papers}
    also = {alias.casefold(): target.casefold() for alias, target in aliases.items()}
    for name in (query, *ids_in(query), title_id(query)):
        name = name.casefold()
        paper = by_id.get(name) or by_id.get(also.get(name, ""))
        if paper:
            return [paper]
    address = _address(query)
    return [paper for paper in papers if address and _address(paper.link) == address]


def _address(url: str) -> str:
    """Return an address in the form in which two are compared; "" for what is none."""
    return url.partition("://")[2].rstrip("/").casefold()


def _titled(query: str, papers: Sequence[Paper]) -> list[Paper]:
    """Return the papers whose title is `query`, whatever its case, blanks and hyphens.

    Where none is, those whose title holds it; else those that hold all of its words.
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


def _none(query: str, papers: Sequence[Paper]) -> str:
    names = [f"{paper.id} {display(paper.title)}".casefold() for paper in papers]
    likest = process.extract(
        query.casefold(), names, scorer=fuzz.partial_ratio, limit=_SUGGESTED,
        score_cutoff=_LEAST_LIKENESS,
    )  # fmt: skip
    lines = _listed([papers[position] for _, _, position in likest])
    expected = "an id, an arXiv id, a DOI, an address or words of a title"
    head = f"No paper is '{query}'; expected {expected}.{' The likest:' if lines else ''}"
    return "\n".join([head, *lines])


def _listed(papers: Sequence[Paper]) -> list[str]:
    return [f"  {paper.id}  {paper.title_display}" for paper in papers]


def explain_paper(
    project: Project,
    query: str,
    *,
    category: str | None = None,
    progress: Progress | None = None,
) -> Explanation:
    """Explain the labels of the paper of `project` that `query` names (see `find_paper`).

    category: account for this category alone, given or not, with all that speaks for and against.
    Raises InputError with the faults of the project's files, UsageError where `query` names no
    paper or several, or `category` is none of the taxonomy's.
    """
    inputs = read_inputs(project, progress)
    paper = find_paper(query, inputs.corpus.papers, inputs.corpus.aliases)
    asked: tuple[str, str] | None = None
    if category:
        facet, named = find_category(inputs.taxonomy, category)
        asked = facet.id, named.id
    classifier = train(inputs, progress)
    report(progress, "Explaining", 0, 1)
    facets = _facets(inputs, classifier, paper, asked)
    records = _records(project, inputs, paper)
    report(progress, "Explaining", 1, 1)
    return Explanation(
        paper,
        tuple(alias for alias, target in inputs.corpus.aliases.items() if target == paper.id),
        field_origins(paper, records),
        missing_fields(paper),
        tuple(told for told in facets.values() if told is not None),
        tuple(facet_id for facet_id, told in facets.items() if told is None),
        editorial_acts(inputs.ledger, inputs.corpus.aliases).of(paper.id),
        joins(records, read_identity(project.identity_file)),
    )


def _facets(
    inputs: Inputs, classifier: TaxonomyClassifier, paper: Paper, asked: tuple[str, str] | None
) -> dict[str, FacetExplanation | None]:
    """Return facet id -> its explanation, or None where it does not apply to the paper.

    asked: the only facet to explain, and its category; None for all.
    """
    labels = labels_in_force(inputs, classifier.predict([paper]))[0]
    decided = inputs.decisions.get(paper.id, {})
    explained: dict[str, FacetExplanation | None] = {}
    for facet_id, scores in classifier.facet_scores([paper]).items():
        if asked and asked[0] != facet_id:
            continue
        shown, category_id = labels.facets.get(facet_id), asked[1] if asked else ""
        model, decision = classifier.models_[facet_id], decided.get(facet_id)
        explained[facet_id] = (
            explain_facet(model, scores, paper, shown, decision, category_id) if shown else None
        )
    return explained


def _records(project: Project, inputs: Inputs, paper: Paper) -> list[Paper]:
    """Return the records that a paper was merged from, read from their files once more.

    Merging keeps the best value of each field and where the records stand, not who gave what.
    """
    paths = project.paper_files(inputs.taxonomy.survey.sources)
    files = {project.shown(path): path for path in paths}
    # A record may stand in a file of an archive, `papers.zip/list.bib`.
    expected = {source.file for source in paper.sources}
    names = [
        name for name in sorted(files) if any(f"{w}/".startswith(f"{name}/") for w in expected)
    ]
    read = (file for name in names for file in read_file(files[name], name))
    records = (record for file in read for record in file.papers)
    return [record for record in records if set(record.sources) & set(paper.sources)]
