"""Make a prior: term weights from labelled abstracts, from which every build starts.

    python -m tools.prior FILE ... [--gold FILE.csv ...] [--background FILE ...] [-o FILE]

A prior is worth making where hundreds of papers have labels under the same taxonomy. It contains
terms and numbers, no text. Default output: taxonomy/prior.npz of the project (`--project`).
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from classifier import __version__
from classifier.errors import UsageError
from classifier.evaluation.gold import match_gold, read_gold
from classifier.files.built_folder import digest
from classifier.labelling.cue_index import CueIndex, Evidence
from classifier.labelling.decide import (
    DEFAULT_THRESHOLD,
    USUAL_CUT,
    best_thresholds,
    confidence_cut,
)
from classifier.labelling.features import TextFeatures, cue_features
from classifier.labelling.labels import Decision, Decisions
from classifier.labelling.prior import (
    FORMAT,
    FacetPrior,
    LinearModel,
    Prior,
    meaning_digest,
    paper_key,
)
from classifier.labelling.regression import PooledPlatt, fit_estimator
from classifier.labelling.training_data import assign_folds
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Facet, Taxonomy


def make_prior(
    project: Project,
    paths: Sequence[Path],
    *,
    gold: Sequence[Path] = (),
    background: Sequence[Path] = (),
    progress: Progress | None = None,
) -> Prior:
    """Learn a prior for the project's taxonomy from the papers of `paths`.

    gold: CSV files that say what is true of them (title, primary, topics, contribution), the first
    that knows a paper counts; the ledger where there is none. background: papers of the wider field
    without labels. Raises InputError and UsageError.
    """
    inputs = read_inputs(project, progress, prior="none")
    papers = load_papers(paths, Path.cwd(), progress=progress).papers
    truth, sources = _truth(inputs, project, papers, gold)
    if len(truth) < MIN_PAPERS:
        raise UsageError(
            f"{len(truth)} papers with labels; a prior wants {MIN_PAPERS} at least, and is worth "
            "making from hundreds. Are the gold titles those of the papers?"
        )
    others = load_papers(background, Path.cwd(), progress=progress).papers if background else ()
    # How to make the prior again, by the names of the files.
    command = ["python -m tools.prior", *(path.name for path in paths)]
    command += [f"--gold {path.name}" for path in gold]
    command += [f"--background {path.name}" for path in background]
    provenance = {
        "made_by": f"fieldguide {__version__}",
        "command": " ".join(command),
        "taxonomy": inputs.taxonomy.digest,
        "learned_from": sources,
        "background": len(others),
    }
    return learn_prior(
        inputs.taxonomy, papers, truth, others, provenance=provenance, progress=progress
    )


def _truth(
    inputs: Inputs, project: Project, papers: Sequence[Paper], gold: Sequence[Path]
) -> tuple[dict[str, Mapping[str, Decision]], list[dict[str, object]]]:
    """Return paper id -> facet -> truth, and what each source gave."""
    if not gold:
        known = {paper.id for paper in papers}
        decided = {key: value for key, value in inputs.decisions.items() if key in known}
        name = project.ledger_file.name
        # Without a decision there may be no ledger to read.
        return decided, [_source(name, project.ledger_file, len(decided))] if decided else []
    truth: dict[str, Mapping[str, Decision]] = {}
    sources = []
    for path in gold:
        matched, _ = match_gold(read_gold(path, inputs.taxonomy, str(path)), papers)
        new = {key: value for key, value in matched.items() if key not in truth}
        truth |= new
        sources.append(_source(path.name, path, len(new)))
    return truth, sources


def _source(name: str, path: Path, papers: int) -> dict[str, object]:
    return {"file": name, "papers": papers, "sha256": digest(path.read_bytes())[:12]}


Array = NDArray[np.float64]

FOLDS = 5
MIN_PAPERS = 10
"""Papers with labels in a facet from which anything is learned of it."""
MAX_TERMS = (5_000, 15_000)
"""Terms of titles and of texts, the most frequent: of 60,000 the labels are no better."""
DIMENSIONS = 100
_LABELLED_COUNT = 3
"""Times that labelled papers count when latent dimensions are found."""
_C = 4.0
_ACCURACY = 0.9


def learn_prior(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    decisions: Decisions,
    background: Sequence[Paper] = (),
    *,
    provenance: Mapping[str, object] | None = None,
    progress: Progress | None = None,
) -> Prior:
    """Learn a prior from papers and what people decided of them (paper id -> facet -> decision).

    background: unlabelled abstracts of the wider field; one that is also a labelled paper is left
    out. The order of papers does not matter.

    For each facet two logistic regressions a category on TF-IDF of title and text and on latent
    dimensions, once without cue features and once with them; their logits are averaged. The
    latent dimensions (truncated SVD of the text columns; Deerwester et al., "Indexing by latent
    semantic analysis", 1990) are linear, and fold into the weights of the terms.
    """
    labelled = {paper_key(p): p for p in _by_id(papers) if decisions.get(p.id)}
    keys = sorted(labelled)
    known = [labelled[key] for key in keys]
    seen = {paper_key(paper): paper for paper in _by_id(background)}
    others = [seen[key] for key in sorted(seen.keys() - labelled.keys())]
    features = TextFeatures(taxonomy.stop_words, min_df=(3, 5), max_terms=MAX_TERMS)
    with threadpool_limits(limits=1):
        features.fit([*known, *others])
        rows = features.transform([*known, *others])
        titles = len(features.blocks_[0].terms)
        basis = _latent(rows[:, titles:], len(known))
        own = rows[: len(known)]
        text = sparse.hstack([own, own[:, titles:] @ basis], format="csr")
        evidence = CueIndex(taxonomy).count(known)
        facets = {}
        asked = [f for f in taxonomy.facets.values() if not f.may_be_unstated]
        for number, facet in enumerate(asked):
            report(progress, "Learning a prior", number, len(asked))
            found = _facet(taxonomy, facet, known, keys, decisions, text, basis, titles, evidence)
            if found:
                facets[facet.id] = found
    title, body = features.blocks_
    return Prior(
        dict(provenance or {}),
        frozenset(keys),
        tuple(sorted(features.stop_words)),
        (title, body),
        facets,
    )


def _by_id(papers: Sequence[Paper]) -> list[Paper]:
    return sorted(papers, key=lambda paper: paper.id)


def _latent(rows: sparse.csr_matrix, labelled: int) -> Array:
    """Return (terms, d) what each term is worth in d latent dimensions.

    All of them by one number, so that the labelled papers have length one on average.
    """
    dimensions = min(DIMENSIONS, rows.shape[0] // 20, rows.shape[1] - 1)
    if dimensions < 1:
        return np.zeros((rows.shape[1], 0))
    own = rows[:labelled]
    every = sparse.vstack([rows, *[own] * (_LABELLED_COUNT - 1)], format="csr")
    basis = TruncatedSVD(dimensions, random_state=0).fit(every).components_.T
    length = np.sqrt((np.asarray(own @ basis) ** 2).sum(axis=1).mean())
    return np.asarray(basis / max(length, 1e-12))


def _facet(
    taxonomy: Taxonomy,
    facet: Facet,
    papers: Sequence[Paper],
    keys: Sequence[str],
    decisions: Decisions,
    text: sparse.csr_matrix,
    basis: Array,
    titles: int,
    evidence: Mapping[str, Evidence],
) -> FacetPrior | None:
    """Return what is learned of one facet; None of too few papers."""
    rows = [row for row, p in enumerate(papers) if facet.id in decisions.get(p.id, {})]
    if len(rows) < MIN_PAPERS:
        return None
    told = [decisions[papers[row].id][facet.id] for row in rows]
    filed = np.array([[name == each.primary for name in facet.ids] for each in told], dtype=float)
    applies = np.array([[name in each.values for name in facet.ids] for each in told], dtype=float)
    first = taxonomy.first
    about = None if facet is first else evidence[first.id]
    names, values = cue_features(evidence[facet.id], facet.ids, about, first.ids)
    sight = sparse.hstack([text, sparse.csr_matrix(values)], format="csr")[rows]
    width = text.shape[1]
    folds = assign_folds([keys[row] for row in rows], filed.argmax(axis=1), FOLDS)
    truths = {"filed": filed} if facet.kind == "single" else {"applies": applies, "filed": filed}
    models: dict[str, LinearModel] = {}
    unseen: dict[str, Array] = {}
    for which, truth in truths.items():
        z = np.zeros(truth.shape)
        for fold in range(FOLDS):
            here = folds == fold
            model = _learned(sight[~here], truth[~here], width)
            z[here] = sight[here] @ model.weights.T + model.intercepts
        platt = PooledPlatt().fit(z, truth)
        unseen[which] = platt.transform(z)
        whole = _learned(sight, truth, width)
        models[which] = LinearModel(
            platt.slope_ * _unfolded(whole.weights, basis, titles, width),
            platt.slope_ * whole.intercepts + platt.offset_ + platt.shifts_,
        )
    shares = unseen["filed"] * unseen.get("applies", 1.0)
    shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
    right = shares.argmax(axis=1) == filed.argmax(axis=1)
    start_at = np.full(len(facet.ids), DEFAULT_THRESHOLD)
    applied = unseen.get("applies", shares)
    return FacetPrior(
        facet.ids,
        tuple(meaning_digest(top) for top in facet.tops),
        names,
        models,
        tuple(best_thresholds(applied, applies, start_at).round(4).tolist()),
        round(confidence_cut(shares.max(axis=1), right, _ACCURACY, USUAL_CUT), 4),
    )


def _learned(rows: sparse.csr_matrix, truth: Array, width: int) -> LinearModel:
    """Return the mean of the regressions on the first `width` columns and on all of them."""
    regression = LogisticRegression(C=_C, solver="liblinear")
    weights, intercepts = np.zeros((truth.shape[1], rows.shape[1])), np.zeros(truth.shape[1])
    for column in range(truth.shape[1]):
        for part in (rows[:, :width], rows):
            found, intercept = fit_estimator(regression, part, truth[:, column])
            weights[column, : part.shape[1]] += found / 2
            intercepts[column] += intercept / 2
    return LinearModel(weights, intercepts)


def _unfolded(weights: Array, basis: Array, titles: int, width: int) -> Array:
    """Return weights on terms in place of those on latent dimensions."""
    terms = width - basis.shape[1]
    folded = weights[:, :terms].copy()
    folded[:, titles:] += weights[:, terms:width] @ basis.T
    return np.hstack([folded, weights[:, width:]])


def prior_bytes(prior: Prior) -> bytes:
    """Return the file: a .npz of plain arrays, the same bytes for the same prior."""
    head = {
        "format": FORMAT,
        "provenance": prior.provenance,
        "stop_words": prior.stop_words,
        "papers": sorted(prior.papers),
        "terms": [block.terms for block in prior.blocks],
        "facets": {
            name: {
                "category_ids": facet.category_ids,
                "meanings": facet.meanings,
                "cues": facet.cues,
                "thresholds": facet.thresholds,
                "cut": facet.cut,
                "models": sorted(facet.models),
            }
            for name, facet in prior.facets.items()
        },
    }
    text = json.dumps(head, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    arrays: dict[str, NDArray[Any]] = {"head": np.frombuffer(text.encode(), dtype=np.uint8)}
    for block in prior.blocks:
        arrays[f"idf.{block.prefix}"] = block.idf.astype(np.float32)
    for name, facet in prior.facets.items():
        for which, model in facet.models.items():
            arrays[f"{name}.{which}.weights"] = model.weights.astype(np.float16)
            arrays[f"{name}.{which}.intercepts"] = model.intercepts.astype(np.float32)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in sorted(arrays.items()):
            member = io.BytesIO()
            np.lib.format.write_array(member, array, allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy"), member.getvalue(), zipfile.ZIP_DEFLATED, 9
            )
    return stream.getvalue()


def main() -> int:
    """Learn and write a prior; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.prior",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="labelled papers")
    parser.add_argument("--gold", nargs="*", type=Path, default=[], help="labels; default: ledger")
    parser.add_argument("--background", nargs="*", type=Path, default=[], help="unlabelled papers")
    parser.add_argument("--project", type=Path, default=Path(), metavar="DIR")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    options = parser.parse_args()
    project = Project(options.project)
    prior = make_prior(project, options.files, gold=options.gold, background=options.background)
    path = options.output or project.prior_file
    path.write_bytes(prior_bytes(prior))
    weights = sum(m.weights.size for f in prior.facets.values() for m in f.models.values())
    print(f"{path}: {weights:,} weights, learned from {len(prior.papers)} papers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
