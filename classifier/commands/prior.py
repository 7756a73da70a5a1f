"""Making a prior from labelled abstracts: `fieldguide prior`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from classifier import __version__
from classifier.errors import UsageError
from classifier.evaluation.gold import match_gold, read_gold
from classifier.files.atomic import check_target
from classifier.files.built_folder import digest
from classifier.labelling.labels import Decision
from classifier.labelling.learn_prior import MIN_PAPERS, learn_prior
from classifier.labelling.prior import Prior, is_prior
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.project import Project
from classifier.survey.inputs import Inputs, read_inputs


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
    provenance = {
        "made_by": f"fieldguide {__version__}",
        "command": _command(paths, gold, background),
        "taxonomy": inputs.taxonomy.digest,
        "learned_from": sources,
        "background": len(others),
    }
    return learn_prior(
        inputs.taxonomy, papers, truth, others, provenance=provenance, progress=progress
    )


def check_output(path: Path, project: Project, inputs: Sequence[Path]) -> None:
    """Raise where a prior cannot be written to `path`, or would replace what is none.

    The project's own prior is replaced even where it is broken: that is how it is mended.

    Raises UsageError for one of the `inputs` and for a place among what people wrote, OutputError
    for another file that is no prior and for a folder that is missing.
    """
    own = path.resolve() == project.prior_file.resolve()
    ours = own or (path.is_file() and is_prior(path))
    check_target(
        path,
        "-o",
        is_ours=lambda _: ours,
        inputs=inputs,
        folders=() if ours else project.authored_folders,
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


def _command(paths: Sequence[Path], gold: Sequence[Path], background: Sequence[Path]) -> str:
    """Return how to make the prior again, by the names of the files."""
    parts = ["fieldguide prior", *(path.name for path in paths)]
    parts += [f"--gold {path.name}" for path in gold]
    parts += [f"--background {path.name}" for path in background]
    return " ".join(parts)
