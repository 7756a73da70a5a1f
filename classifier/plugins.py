"""Plug-ins: readers, exports and commands of other packages, found through entry points.

A package names an object in its `pyproject.toml` under one of the groups `fieldguide.readers`,
`fieldguide.exports` and `fieldguide.commands`; docs/plug-ins.md has an example. The built-in
objects are in literal lists, and plug-ins come after them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

from classifier.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = Literal["readers", "exports", "commands"]
Loaded = TypeVar("Loaded")


@cache
def plugin_entries(kind: Kind) -> tuple[EntryPoint, ...]:
    """Return the entry points of a kind in the order of their names, without importing them."""
    from importlib.metadata import entry_points  # late: it takes as long as a small command

    return tuple(sorted(entry_points(group=f"fieldguide.{kind}"), key=lambda entry: entry.name))


def load_plugins(kind: Kind, expected: type[Loaded]) -> tuple[Loaded, ...]:
    """Return the objects of all plug-ins of a kind, each of the type `expected`."""
    return tuple(load_plugin(entry, expected) for entry in plugin_entries(kind))


def load_plugin(entry: EntryPoint, expected: type[Loaded]) -> Loaded:
    """Import the object of an entry point; raises UsageError that names the package if it fails."""
    package = entry.dist.name if entry.dist else entry.module
    place = f"plug-in '{entry.name}' of the package {package} ({entry.group})"
    remedy = f"Update the package, or remove it: pip uninstall {package}"
    try:
        found = entry.load()
    except Exception as error:  # the code of a plug-in may raise anything
        raise UsageError(
            f"The {place} cannot be loaded: {type(error).__name__}: {error}. {remedy}"
        ) from error
    if not isinstance(found, expected):
        name = type(found).__name__
        raise UsageError(f"The {place} is of type {name}, not {expected.__name__}. {remedy}")
    return found
