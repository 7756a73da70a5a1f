"""All libraries loaded before a process forks, and what is learned remembered."""

from __future__ import annotations

import gc
from importlib import import_module

_LATE = (
    "bibtexparser",
    "classifier.commands.agree",
    "classifier.commands.apply",
    "classifier.pipeline",
    "classifier.cli.commands",
    "classifier.commands.review_batch",
    "classifier.commands.export",
    "classifier.extras.fetch.metadata",
    "classifier.extras.fetch.papers_file",
    "classifier.commands.label",
    "classifier.commands.changes",
    "classifier.commands.new.project",
    "classifier.commands.export",
    "openpyxl",
    "pyarrow.parquet",
    "sklearn.linear_model",
)


_OF_LAYER = (
    "classifier.cli.printing",
    "classifier.files.writing",
    "classifier.files.folder",
    "classifier.files.folder",
    "filelock",
)


def load_layer() -> None:
    """Import what writing files takes."""
    for name in _OF_LAYER:
        import_module(name)
    gc.freeze()


def load_everything() -> None:
    """Import what commands import late."""
    for name in _LATE:
        import_module(name)
    gc.freeze()
