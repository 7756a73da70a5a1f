"""Filling `papers/` from the network: the only part that uses it, and never part of a build.

A `Service` is an interface on the network and its manners; a `Source` says how a `Query` becomes
pages of it. `Pages` asks politely and patiently and keeps every answer, so that a command that was
cut off goes on where it was, and `papers_file` joins what came with what is there. `metadata`
finds what title-only records lack.
"""

from importlib.util import find_spec

from classifier.errors import UsageError


def check_installed() -> None:
    """Raise UsageError, with the hint, where the extra `fetch` is not installed."""
    if find_spec("requests") is None:
        raise UsageError(
            "fetch needs the package requests, which is not installed: "
            "pip install 'fieldguide[fetch]'."
        )
