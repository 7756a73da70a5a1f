"""Why a paper has its labels, and where each of its fields came from: `fieldguide explain`."""

from __future__ import annotations

from classifier.explanation.explanation import Explanation, FacetExplanation, explain_facet
from classifier.explanation.find import find_paper
from classifier.explanation.provenance import field_origins, joins, missing_fields
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.learning import train
from classifier.papers.identity import read_identity
from classifier.papers.load import read_file
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.review.acts import editorial_acts
from classifier.survey.inputs import Inputs, labels_in_force, read_inputs
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.names import find_category


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
    asked = _asked(inputs.taxonomy, category) if category else None
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
        tuple(facet for facet in facets.values() if facet is not None),
        tuple(facet_id for facet_id, facet in facets.items() if facet is None),
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
        explained[facet_id] = None
        if shown is not None:
            model, decision = classifier.models_[facet_id], decided.get(facet_id)
            told = explain_facet(model, scores, paper, shown, decision, category_id)
            explained[facet_id] = told
    return explained


def _asked(taxonomy: Taxonomy, category: str) -> tuple[str, str]:
    facet, found = find_category(taxonomy, category)
    return facet.id, found.id


def _records(project: Project, inputs: Inputs, paper: Paper) -> list[Paper]:
    """Return the records that a paper was merged from, read from their files once more.

    Merging keeps the best value of each field and where the records stand, not who gave what.
    """
    paths = project.paper_files(inputs.taxonomy.survey.sources)
    files = {project.shown(path): path for path in paths}
    # A record may stand in a file of an archive, `papers.zip/list.bib`.
    wanted = {source.file for source in paper.sources}
    names = [name for name in sorted(files) if any(f"{w}/".startswith(f"{name}/") for w in wanted)]
    read = (file for name in names for file in read_file(files[name], name))
    records = (record for file in read for record in file.papers)
    return [record for record in records if set(record.sources) & set(paper.sources)]
