"""Fieldguide: a taxonomy in YAML and a pile of abstracts in, a living survey out.

The names below are the public API; each is imported when it is first used, so that
`import classifier` is instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from classifier.api import Project, open_project
    from classifier.errors import FieldguideError
    from classifier.labelling.classifier import TaxonomyClassifier
    from classifier.labelling.labels import Decision, PaperLabels
    from classifier.papers.load import Corpus, load_papers
    from classifier.papers.paper import Paper
    from classifier.pipeline import BuildResult, build, label
    from classifier.taxonomy.load import load_taxonomy
    from classifier.taxonomy.model import Taxonomy

_MODULES = {
    "BuildResult": "classifier.pipeline",
    "Corpus": "classifier.papers.load",
    "Decision": "classifier.labelling.labels",
    "FieldguideError": "classifier.errors",
    "Paper": "classifier.papers.paper",
    "PaperLabels": "classifier.labelling.labels",
    "Project": "classifier.api",
    "Taxonomy": "classifier.taxonomy.model",
    "TaxonomyClassifier": "classifier.labelling.classifier",
    "build": "classifier.pipeline",
    "label": "classifier.pipeline",
    "load_papers": "classifier.papers.load",
    "load_taxonomy": "classifier.taxonomy.load",
    "open_project": "classifier.api",
}

__all__ = [
    "BuildResult",
    "Corpus",
    "Decision",
    "FieldguideError",
    "Paper",
    "PaperLabels",
    "Project",
    "Taxonomy",
    "TaxonomyClassifier",
    "build",
    "label",
    "load_papers",
    "load_taxonomy",
    "open_project",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'classifier' has no attribute {name!r}")
    globals()[name] = getattr(import_module(module), name)
    return globals()[name]
