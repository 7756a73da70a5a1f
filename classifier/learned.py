"""What a build takes from the classifier, and its form on the disk.

Labels are a pure function of papers, cues, decisions, prior and code. What they were is kept in
the cache under a digest of all of these, so that an edit of a template or of the editors' words is
built without learning anew; any other edit has another digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from classifier.files.built_folder import file_digest
from classifier.files.cache import Cache, cache_key
from classifier.labelling.labels import PaperLabels
from classifier.project import Project
from classifier.review.sheet import Draw
from classifier.survey.inputs import Inputs

FILE = "learned.json"
"""Its name in the cache."""

# What readers see and the classifier does not read. Whatever is not named here counts: a key of
# the taxonomy that is new makes labels learned anew until somebody thinks about it.
_SHOWN = {"claims"}
# What the editors say of papers in the ledger without deciding a label or leaving a paper out.
_SAID = {"remark", "key"}


@dataclass(frozen=True, slots=True)
class Learned:
    """What learning gave: labels, figures on them, and what to review next."""

    machine: tuple[PaperLabels, ...]
    """What the classifier says of each paper of the corpus, whatever people decided."""
    metrics: Mapping[str, object]
    """The content of metrics.json."""
    draws: tuple[Draw, ...]
    """What is most worth a review, in order."""


def learning_key(project: Project, inputs: Inputs) -> str:
    """Return a digest of all that labels depend on."""
    files = (project.identity_file, project.versions_file, project.prior_file)
    decided = inputs.decisions
    parts = (
        [(file.name, file.digest) for file in inputs.corpus.files],
        [file_digest(file) for file in files],
        [repr(entry) for entry in inputs.ledger.entries if entry.facet not in _SAID],
        repr(sorted((key, sorted(of.items())) for key, of in decided.items())),
        [
            (facet_id, _without(facet.model_dump(mode="json"), _SHOWN))
            for facet_id, facet in inputs.taxonomy.facets.items()
        ],
    )
    return cache_key(parts, "numpy", "scipy", "scikit-learn")


def recall_learned(cache: Cache, key: str) -> Learned | None:
    """Return what was learned under `key`; None where nothing is, or where the file is damaged."""
    content = cache.recall(FILE, key)
    try:
        return None if content is None else _adapter().validate_json(content)
    except ValidationError:
        return None


def keep_learned(cache: Cache, key: str, learned: Learned) -> None:
    """Keep what was learned under `key`."""
    cache.keep(FILE, _adapter().dump_json(learned), key)


@lru_cache
def _adapter() -> TypeAdapter[Learned]:
    return TypeAdapter(Learned)


def _without(value: object, keys: set[str]) -> object:
    if isinstance(value, dict):
        return {key: _without(kept, keys) for key, kept in value.items() if key not in keys}
    if isinstance(value, list):
        return [_without(item, keys) for item in value]
    return value
