"""The garbage collector, off for a command that makes much and ends soon."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collector() -> Iterator[None]:
    """Look for no circles of garbage inside: millions of small objects, next to none in one."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
