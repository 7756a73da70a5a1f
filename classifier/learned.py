"""The results of learning that a build uses, and their cache.

Labels are a pure function of papers, cues, decisions, prior and code. They are cached under a
digest of all of these. Editing a template or the editors' prose does not change the digest, so the
next build need not learn again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from classifier.evaluation.audit import AuditEstimate
from classifier.evaluation.label_metrics import LabelMetrics
from classifier.files.built_folder import file_digest
from classifier.files.cache import BuildCache, cache_key
from classifier.labelling.labels import PaperLabels
from classifier.labelling.trained import Trained, read_trained
from classifier.project import Project
from classifier.review.sheet import QueuedPaper
from classifier.survey.inputs import Inputs
from classifier.taxonomy.model import Taxonomy

FILE = "learned.json"
"""Name of the file in the cache."""
TRAINED_FILE = "trained.npz"
"""Name of the file with the trained classifier, which few commands read."""

# Taxonomy keys that do not affect labels. All other keys are part of the digest, also new ones.
_PROSE_KEYS = {"claims", "rejected"}
# Facets of ledger entries that do not affect labels.
_REMARK_FACETS = {"remark", "key"}


@dataclass(frozen=True, slots=True)
class Learned:
    """The results of learning: labels, their metrics, and the review queue."""

    machine: tuple[PaperLabels, ...]
    """The classifier's labels, one per paper of the corpus, before decisions."""
    metrics: LabelMetrics
    """The quality of the labels."""
    queue: tuple[QueuedPaper, ...]
    """The review queue, most useful papers first."""
    n_doubtful_decisions: int = 0
    """Number of decisions worth a second look: the classifier is sure of another category."""
    estimates: tuple[AuditEstimate, ...] = ()
    """Accuracy of the labels of unreviewed papers, one estimate per facet."""
    trained_file: bytes = field(default=b"", compare=False)
    """The content of TRAINED_FILE; empty for a survey of very many papers, and from the cache."""


def learning_key(project: Project, inputs: Inputs) -> str:
    """Return a digest of everything that affects labels."""
    files = (project.identity_file, project.versions_file, project.prior_file)
    decisions = inputs.decisions
    parts = (
        [(file.name, file.digest) for file in inputs.corpus.files],
        [file_digest(file) for file in files],
        [repr(entry) for entry in inputs.ledger.entries if entry.facet not in _REMARK_FACETS],
        repr(sorted((key, sorted(by_facet.items())) for key, by_facet in decisions.items())),
        [
            (facet_id, _drop_keys(facet.model_dump(mode="json"), _PROSE_KEYS))
            for facet_id, facet in inputs.taxonomy.facets.items()
        ],
        [inputs.taxonomy.survey.stop_words, inputs.taxonomy.survey.use_keywords],
    )
    return cache_key(parts, "numpy", "scipy", "scikit-learn")


def recall_learned(cache: BuildCache, key: str) -> Learned | None:
    """Return the results cached under `key`; None if there are none, or the file is damaged."""
    content = cache.load(FILE, key)
    try:
        return None if content is None else _adapter().validate_json(content)
    except ValidationError:
        return None


def keep_learned(cache: BuildCache, key: str, results: Learned) -> None:
    """Cache the results of learning under `key`."""
    cache.store(FILE, _adapter().dump_json(results, exclude={"trained_file"}), key)
    cache.store(TRAINED_FILE, results.trained_file, key)


def recall_trained(
    cache: BuildCache, key: str, taxonomy: Taxonomy, *, with_step: bool = False
) -> Trained | None:
    """Return the trained classifier cached under `key`; None if it is missing or damaged.

    with_step: whether to read the last step too, which review pages repeat.
    """
    content = cache.load(TRAINED_FILE, key)
    return read_trained(content, taxonomy, with_step=with_step) if content else None


@lru_cache
def _adapter() -> TypeAdapter[Learned]:
    """Return the type adapter of the cached results."""
    return TypeAdapter(Learned)


def _drop_keys(value: object, keys: set[str]) -> object:
    if isinstance(value, dict):
        return {key: _drop_keys(child, keys) for key, child in value.items() if key not in keys}
    if isinstance(value, list):
        return [_drop_keys(item, keys) for item in value]
    return value
