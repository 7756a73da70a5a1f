"""Plug-ins: readers, exports and commands of other packages, found through entry points.

A package names an object in its `pyproject.toml` under one of the groups `fieldguide.readers`,
`fieldguide.exports` and `fieldguide.commands`; docs/plug-ins.md has an example. The built-in
objects are in literal lists, and plug-ins come after them. Every call of a plug-in is guarded: if
its code fails or returns a wrong type, a PluginError names the package.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass, replace
from functools import cache, wraps
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
    functions = {
        name: _guard(entry, name, getattr(found, name), get_args(hint)[-1], check)
        for name, hint in get_type_hints(expected).items()
        if get_origin(hint) is Callable
    }
    return cast("Loaded", replace(found, **functions))


@contextmanager
def guard(
    entry: EntryPoint, call: str, passed: tuple[type[BaseException], ...] = _PASSED
) -> Iterator[None]:
    """Turn exceptions of a plug-in's code into PluginError.

    call: name of the call, for the message. passed: exceptions that are raised unchanged.
    """
    try:
        yield
    except passed:
        raise
    except BaseException as error:  # the code of a plug-in may raise anything
        raised = f"{call} raised {type(error).__name__}: {error}".removesuffix(": ")
        raise _plugin_error(entry, raised) from error


def _guard(
    entry: EntryPoint, name: str, function: Callable[..., Any], result_type: Any, check: Check
) -> Callable[..., Any]:
    """Wrap a function of a plug-in: report its exceptions and a result of another type."""

    def items(found: Iterable[object], call: str) -> Iterator[object]:
        with guard(entry, call):
            for item in found:
                _require_type(entry, item, get_args(result_type)[0], f"{call}: an item")
                if fault := check(item):
                    raise _plugin_error(entry, f"{call}: {fault}")
                yield item

    @wraps(function)
    def run(argument: Any) -> Any:
        call = f"{name}({escape_line(str(getattr(argument, 'name', '')))})"  # the name of a file
        with guard(entry, call):
            found = function(argument)
        if get_origin(result_type) is not Iterator:
            _require_type(entry, found, result_type, call)
            return found
        _require_type(entry, found, Iterable, call)
        return items(found, call)

    return run


def _require_type(entry: EntryPoint, value: object, hint: Any, name: str) -> None:
    """Raise PluginError if a value, or a field of it, does not have the type of a type hint."""
    from pydantic import ConfigDict, TypeAdapter, ValidationError  # late: plug-ins are rare

    strict = ConfigDict(strict=True, revalidate_instances="always", arbitrary_types_allowed=True)
    try:
        TypeAdapter(tuple[hint], config=strict).validate_python((value,))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, (name, *first["loc"][1:])))
        found = f"{place} is of type {type(first['input']).__name__}: {first['msg']}"
        raise _plugin_error(entry, found) from error


def _plugin_error(entry: EntryPoint, fault: str) -> PluginError:
    """Return the error about a plug-in, with its package and a hint."""
    package = package_of(entry)
    return PluginError(
        f"The plug-in '{entry.name}' of the package {package} ({entry.group}) cannot be used: "
        f"{fault}. Update the package, or remove it: pip uninstall {package}"
    )
