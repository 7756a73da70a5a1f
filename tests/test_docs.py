"""The documentation says what is so: commands and options exist, links lead somewhere.

That commands, snippets and outputs are as shown is seen by `tests/docs/`.

`python -m tests.test_docs` writes docs/cli-reference.md anew.
"""

from __future__ import annotations

import inspect
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from typer.models import ArgumentInfo, OptionInfo

from classifier.cli.commands import app
from tests.docs.page import PAGE_NAMES, PAGES, ROOT, page_blocks

REFERENCE = ROOT / "docs" / "cli-reference.md"

_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """An option or argument of a command, as typer was told."""

    names: tuple[str, ...]
    metavar: str
    help: str
    default: object
    is_option: bool

    @property
    def takes_value(self) -> bool:
        return not isinstance(self.default, bool)


@cache
def commands() -> dict[str, tuple[str, list[Parameter]]]:
    """Return command name -> (its docstring, its parameters), in the order of --help.

    A command of a group has two words: "skos read".
    """
    groups = [("", app.registered_commands)]
    for group in app.registered_groups:
        inner = group.typer_instance
        assert inner is not None
        groups.append((f"{group.name or inner.info.name} ", inner.registered_commands))
    return {
        f"{prefix}{info.name or info.callback.__name__}": (
            inspect.getdoc(info.callback) or "",
            [*_parameters(info.callback)],
        )
        for prefix, registered in groups
        for info in registered
        if info.callback and not info.hidden
    }


def named_command(words: list[str]) -> tuple[str, list[str]]:
    """Return the command that some words begin with, of a group or not, and the words behind."""
    length = 2 if " ".join(words[:2]) in commands() else 1
    return " ".join(words[:length]), words[length:]


def _parameters(function: Any) -> Iterator[Parameter]:
    signature = inspect.signature(function)
    for name, hint in get_type_hints(function, include_extras=True).items():
        for told in get_args(hint):
            if isinstance(told, OptionInfo | ArgumentInfo) and not told.hidden:
                # Inside Annotated, typer takes the first of an option's names for its default.
                declared = [told.default, *(told.param_decls or ())]
                names = tuple(text for text in declared if isinstance(text, str))
                many = isinstance(told, ArgumentInfo) and "list[" in str(get_args(hint)[0])
                yield Parameter(
                    names or (name,),
                    (told.metavar or "N") + "…" * many,
                    told.help or "",
                    signature.parameters[name].default,
                    isinstance(told, OptionInfo),
                )


def cli_reference() -> str:
    """Return docs/cli-reference.md as the commands declare themselves.

    An option that two commands have in the same words is explained once, in the end.
    """
    n_uses = Counter(_item(each) for _, parameters in commands().values() for each in parameters)
    shared = [item for item, n in n_uses.items() if n > 1]
    parts = [
        "# Command reference\n",
        "Generated from the commands' own help by `python -m tests.test_docs`; a test compares.\n",
        f"`fieldguide --help`, `fieldguide --version`. {app.info.epilog}\n",
        "Options after “Also” are explained [at the end](#options-of-several-commands).\n",
    ]
    for name, (text, parameters) in commands().items():
        usage = " ".join([_usage(parameter) for parameter in parameters if not parameter.is_option])
        parts.append(f"## fieldguide {name}\n")
        if usage:
            parts.append(f"```text\nfieldguide {name} [OPTIONS] {usage}\n```\n")
        parts.append(f"{text}\n")
        own = [item for each in parameters if (item := _item(each)) not in shared]
        if own:
            parts.append("".join(own))
        if also := [f"`{_short(each)}`" for each in parameters if _item(each) in shared]:
            parts.append(f"Also {', '.join(also)}.\n")
    parts.append(f"## Options of several commands\n\n{''.join(shared)}")
    return "\n".join(parts)


def _usage(parameter: Parameter) -> str:
    is_optional = parameter.default is None or parameter.default == ""
    return f"[{parameter.metavar}]" if is_optional else parameter.metavar


def _short(parameter: Parameter) -> str:
    """Return the first name of a parameter, with its value for -o, which has several meanings."""
    name = parameter.names[0] if parameter.is_option else parameter.metavar
    return f"{name} {parameter.metavar}" if name == "-o" else name


def _item(parameter: Parameter) -> str:
    names = ", ".join(parameter.names) if parameter.is_option else parameter.metavar
    value = f" {parameter.metavar}" if parameter.is_option and parameter.takes_value else ""
    default = f" Default: {parameter.default}." if type(parameter.default) is int else ""
    return f"- `{names}{value}`: {parameter.help}{default}\n"


def shown_commands(page: Path) -> Iterator[list[str]]:
    """Yield the words behind `fieldguide` of every command that a page shows."""
    text = page.read_text("utf-8")
    lines = [
        line
        for block in page_blocks(page)
        if block.kind == "sh"
        for line in block.text.splitlines()
    ]
    lines += [code for code in _INLINE.findall(_BLOCK.sub("", text)) if "fieldguide " in code]
    for line in lines:
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        for is_sign, part in groupby(words, lambda word: not word.strip("();<>|&")):
            command = [*part]
            if not is_sign and command[0].rpartition("/")[2] == "fieldguide":
                yield command[1:]


def anchors(page: Path) -> set[str]:
    """Return the anchors that a code host gives the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", page.read_text("utf-8")), re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in kept}


def test_the_command_reference_is_current() -> None:
    assert REFERENCE.read_text("utf-8") == cli_reference(), "run python -m tests.test_docs"


def test_arguments_and_choices_are_named_by_what_they_want() -> None:
    text = REFERENCE.read_text("utf-8")
    assert "fieldguide fetch arxiv [OPTIONS] QUERY\n" in text
    assert "fieldguide evaluate [OPTIONS] [FILE…]\n" in text
    assert "- `--ci github|gitlab|none`: " in text
    assert [line for line in text.splitlines() if line.endswith(": ")] == []


# The changelog names commands of former versions, too.
@pytest.mark.parametrize("name", [name for name in PAGE_NAMES if name != "CHANGELOG.md"])
def test_commands_that_a_page_shows_exist(name: str) -> None:
    known = commands()
    for command, words in map(named_command, shown_commands(ROOT / name)):
        is_group = not words and any(name.startswith(f"{command} ") for name in known)
        if is_group or command in ("--help", "--version"):
            continue
        assert command in known, f"{name}: fieldguide {command}"
        options = {option for parameter in known[command][1] for option in parameter.names}
        flags = [word for word in words if word.startswith("-") and word != "-"]
        unknown = [word for word in flags if word.partition("=")[0] not in options]
        assert [word for word in unknown if word != "--help"] == [], f"{name}: fieldguide {command}"


def test_pages_show_commands_at_all() -> None:
    shown = {named_command(words)[0] for page in PAGES for words in shown_commands(page)}
    assert set(commands()) <= shown


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_links_of_a_page_lead_somewhere(name: str) -> None:
    page = ROOT / name
    for link in _LINK.findall(_BLOCK.sub("", page.read_text("utf-8"))):
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name}: {link}"
        assert not anchor or anchor in anchors(target), f"{name}: {link}"


def test_every_page_is_reached_from_the_index_of_the_documentation() -> None:
    linked = set(_LINK.findall((ROOT / "docs" / "index.md").read_text("utf-8")))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"} <= linked


if __name__ == "__main__":
    REFERENCE.write_text(cli_reference(), "utf-8")
