"""All libraries loaded before a process forks, and what is learned remembered."""

from __future__ import annotations

import gc
from typing import Any

import classifier.agree
import classifier.apply
import classifier.build
import classifier.cli.commands
import classifier.draw
import classifier.export
import classifier.fetch.metadata.project
import classifier.fetch.run
import classifier.files.swap
import classifier.label
import classifier.lock
import classifier.new.first_look
import classifier.new.project
import classifier.readme


def load_everything(*, two_steps: bool = False) -> None:
    """Import what commands import late; with `two_steps` no folders are exchanged in one."""
    import bibtexparser  # noqa: F401
    import openpyxl  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import sklearn.linear_model  # noqa: F401

    if two_steps:
        swap: Any = classifier.files.swap
        swap.exchange = lambda *_: False
    gc.freeze()
