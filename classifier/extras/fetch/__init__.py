"""Papers from the network: the only part that uses it, and never part of a build.

`client` sends requests, `services` describes the four services, `papers_file` searches them and
writes a file of the project, `rows` merges papers into its rows, `metadata` finds what papers lack
and which were retracted, `zotero` reads a library.
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
