"""Fetch papers from the network; no other part of Fieldguide uses it, and no build does.

`client` sends requests, `services` describes the four services, `papers_file` searches them and
writes a file of the project, `rows` merges papers into its rows, `metadata` finds missing fields
and retractions of papers, `zotero` reads a library.
"""

from importlib.util import find_spec

from classifier.errors import UsageError


def check_installed(package: str = "requests", extra: str = "fetch") -> None:
    """Raise UsageError with the command to install if a package of an extra is missing."""
    if find_spec(package) is None:
        raise UsageError(
            f"fetch needs the package {package}, which is not installed: "
            f"pip install 'fieldguide[{extra}]'."
        )
