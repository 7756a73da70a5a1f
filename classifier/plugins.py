"""Plug-ins: readers, exports and commands of other packages, found through entry points.

A package names an object in its `pyproject.toml` under one of the groups `fieldguide.readers`,
`fieldguide.exports` and `fieldguide.commands`; docs/plug-ins.md has an example. The built-in
objects are in literal lists, and plug-ins come after them. Every call of a plug-in is guarded: if
its code fails or returns a wrong type, a PluginError names the package.
"""

from __future__ import annotations

import collections.abc
import re
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass, replace
from functools import cache, wraps
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from classifier.errors import FieldguideError, PluginError, escape_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = Literal["readers", "exports", "commands"]
Loaded = TypeVar("Loaded")
Check = Callable[[Any], str]
_PASSED = (FieldguideError, KeyboardInterrupt, GeneratorExit)


@cache
def plugin_entries(kind: Kind) -> tuple[EntryPoint, ...]:
    """Return the entry points of a kind, sorted by name, without importing them."""
    from importlib.metadata import entry_points  # late: it takes as long as a small command

    return tuple(sorted(entry_points(group=f"fieldguide.{kind}"), key=lambda entry: entry.name))


def package_of(entry: EntryPoint) -> str:
    """Return the name of the package of an entry point."""
    return entry.dist.name if entry.dist else entry.module


def find_plugin(kind: Kind, name: str, is_built_in: bool) -> EntryPoint | None:
    """Return the plug-in with a name, or None; raise PluginError if the name is not unique.

    is_built_in: whether a built-in object has the name.
    """
    entries = [entry for entry in plugin_entries(kind) if entry.name == name]
    if len(entries) + is_built_in <= 1:
        return entries[0] if entries else None
    other = "a built-in one" if is_built_in else f"one of the package {package_of(entries[0])}"
    raise _plugin_error(entries[-1], f"{other} has the same name; expected another name")


def load_plugins(
    kind: Kind, expected: type[Loaded], built_in: Container[str], check: Check
) -> tuple[Loaded, ...]:
    """Return the objects of all plug-ins of a kind, each of the type `expected`.

    built_in: names of the built-in objects, which no plug-in may have. check: see `load_plugin`.
    """
    names = sorted({entry.name for entry in plugin_entries(kind)})
    entries = [find_plugin(kind, name, name in built_in) for name in names]
    return tuple(load_plugin(entry, expected, check) for entry in entries if entry)


def load_plugin(
    entry: EntryPoint, expected: type[Loaded], check: Check = lambda item: ""
) -> Loaded:
    """Import the object of an entry point; functions in it are guarded.

    check: returns the fault of an item that an iterator of the plug-in yields, or "".
    Raises PluginError if the import fails or if the object has the wrong type or another name.
    """
    with guard(entry, f"the import of {entry.value}", passed=(KeyboardInterrupt,)):
        found: Any = entry.load()
    _require_type(entry, found, expected, entry.value)
    if not is_dataclass(expected):
        return cast("Loaded", found)
    name = getattr(found, "name", entry.name)
    if name != entry.name:
        fault = f"its name is '{name}'; expected '{entry.name}', the name of the entry point"
        raise _plugin_error(entry, fault)
    results = {
        name: get_args(hint)[-1]
        for name, hint in _hints_of(expected).items()
        if get_origin(hint) is collections.abc.Callable
    }
    guarded = {
        name: _guard(entry, name, getattr(found, name), result, check)
        for name, result in results.items()
    }
    return cast("Loaded", replace(found, **guarded))


@contextmanager
def guard(
    entry: EntryPoint,
    call: str,
    expected: str = "",
    passed: tuple[type[BaseException], ...] = _PASSED,
) -> Iterator[None]:
    """Turn exceptions of a plug-in's code into PluginError.

    call: name of the call, for the message. expected: type of its result. passed: exceptions that
    are raised unchanged.
    """
    try:
        yield
    except passed:
        raise
    except BaseException as error:  # the code of a plug-in may raise anything
        raised = f"{call} raised {type(error).__name__}: {error}".removesuffix(": ")
        raise _plugin_error(entry, raised + (expected and f"; expected {expected}")) from error


def _guard(
    entry: EntryPoint, name: str, function: Callable[..., Any], result_type: Any, check: Check
) -> Callable[..., Any]:
    """Return a function of a plug-in, guarded, with the type of its result checked."""
    is_iterator = get_origin(result_type) is collections.abc.Iterator
    expected = _type_name(result_type)

    def items(found: Iterable[object], call: str) -> Iterator[object]:
        with guard(entry, call, expected):
            for item in found:
                fault = type_fault(item, get_args(result_type)[0], "an item") or check(item)
                if fault:
                    raise _plugin_error(entry, f"{call}: {fault}")
                yield item

    @wraps(function)
    def run(argument: Any) -> Any:
        call = f"{name}({escape_line(str(getattr(argument, 'name', '')))})"  # the name of a file
        with guard(entry, call, expected):
            found = function(argument)
        _require_type(entry, found, result_type, call)
        return items(found, call) if is_iterator else found

    return run


def _require_type(entry: EntryPoint, value: object, hint: Any, name: str) -> None:
    """Raise PluginError if a value, or a part of it, does not have the type of a type hint."""
    if fault := type_fault(value, hint, name):
        raise _plugin_error(entry, fault)


def type_fault(value: object, hint: Any, name: str) -> str:
    """Return why a value, or a part of it, does not have the type `hint`; "" if it has.

    >>> type_fault(("Ann", 3), tuple[str, ...], "authors")
    'authors[1] is of type int; expected str'
    """
    kind, arguments = get_origin(hint) or hint, get_args(hint)
    parts: Iterable[tuple[str, object, Any]] = ()
    if kind is UnionType:
        is_right = isinstance(value, hint)
        parts = ((name, value, each) for each in arguments if isinstance(value, each))
    elif kind is Literal:
        is_right = value in arguments
    elif kind is tuple and isinstance(value, tuple):
        hints = arguments[:1] * len(value) if arguments[-1] is ... else arguments
        is_right = len(hints) == len(value)
        parts = ((f"{name}[{i}]", each, hints[i]) for i, each in enumerate(value))
    else:
        is_right = isinstance(value, Iterable if kind is collections.abc.Iterator else kind)
        fields = _hints_of(kind) if hasattr(kind, "__dataclass_fields__") else {}
        parts = ((f"{kind.__name__}.{key}", getattr(value, key), fields[key]) for key in fields)
    if not is_right:
        actual = "None" if value is None else f"of type {type(value).__name__}"
        return f"{name} is {actual}; expected {_type_name(hint)}"
    faults = (type_fault(part, part_hint, place) for place, part, part_hint in parts)
    return next(filter(None, faults), "")


@cache
def _hints_of(kind: Any) -> dict[str, Any]:
    """Return the type of each field of a dataclass."""
    return get_type_hints(kind)


def _type_name(hint: Any) -> str:
    """Return a type hint without the modules of its names."""
    return hint.__name__ if isinstance(hint, type) else re.sub(r"[\w.]+\.(?=\w)", "", str(hint))


def _plugin_error(entry: EntryPoint, fault: str) -> PluginError:
    """Return the error about a plug-in, with its package and a hint."""
    package = package_of(entry)
    return PluginError(
        f"The plug-in '{entry.name}' of the package {package} ({entry.group}) cannot be used: "
        f"{fault}. Update the package, or remove it: pip uninstall {package}"
    )
