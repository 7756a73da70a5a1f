"""Every figure has its command: near a measured number stands what makes it.

A figure is a number with a unit of time or size, a share of one with two digits or more, or a
percentage. Its command stands in the same section, or in what a section above says before its
first subsection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.page import ROOT

PAGES = ["README.md"] + [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))]
MADE_OTHERWISE = {
    "docs/architecture.md": "decisions; commands stand where figures have one",
    "docs/cli-reference.md": "generated from the commands' own help",
    "docs/file-formats.md": "formats: examples of values, and constants",
}
"""Pages whose numbers are not results, and what they are."""

FIGURE = re.compile(
    r"\b\d[\d,.]*\s?(?:ms|µs|s|seconds|minutes|kB|KB|MB|GB|dollars)\b(?! or| of which)"
    r"|(?<![\d.])0\.\d{2,3}\b"
    r"|\b\d[\d.]* ?%"
)
COMMAND = re.compile(r"python (?:-m )?[\w./]+|fieldguide \w+|\bpytest\b|\bannif \w+|\btime \(")
OTHERWISE = re.compile(r"\bno command\b|classifier/\w+/")
"""A passage may say instead that no command is kept, or name the code whose constants these are."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of a section up to the next heading, and what stands above it."""

    heading: str
    line: int
    text: str
    above: str
    """The text between the heading of each enclosing section and the next heading."""


def passages(page: Path) -> Iterator[Passage]:
    """Yield the passages of a page."""
    text = page.read_text("utf-8")
    plain = re.sub(r"^```.*?^```$", _without_headings, text, flags=re.MULTILINE | re.DOTALL)
    above: list[tuple[int, str]] = []
    starts = [0, *(found.start() for found in re.finditer(r"^#+ ", plain, re.MULTILINE))]
    for start, end in zip(starts, [*starts[1:], len(plain)], strict=True):
        own = plain[start:end]
        heading = own.partition("\n")[0]
        level = len(heading) - len(heading.lstrip("#"))
        above = [(depth, told) for depth, told in above if depth < level]
        yield Passage(
            heading, text.count("\n", 0, start) + 1, own, "".join(told for _, told in above)
        )
        above.append((level, own))


def _without_headings(block: re.Match[str]) -> str:
    """Return a fenced block of the same length in which no line looks like a heading."""
    return re.sub(r"^#", " ", block[0], flags=re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in PAGES if name not in MADE_OTHERWISE])
def test_figures_have_their_command(name: str) -> None:
    faults = [
        f"{name}:{passage.line} {passage.heading}: {found[0]}"
        for passage in passages(ROOT / name)
        for found in [FIGURE.search(passage.text)]
        if found
        and not COMMAND.search(passage.text + passage.above)
        and not OTHERWISE.search(passage.text)
    ]
    assert not faults, "no command in sight of a figure\n" + "\n".join(faults)


@pytest.mark.parametrize("name", PAGES)
def test_no_figures_are_still_to_be_filled_in(name: str) -> None:
    """What stands for figures while they are measured is a word in capitals that ends a line."""
    text = re.sub(
        r"^```.*?^```$", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    assert re.findall(r"(?:^|: )([A-Z]{4,})$", text, re.MULTILINE) == []


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "SECURITY.md"])
def test_every_tool_that_a_page_names_is_there(page: str) -> None:
    for name in re.findall(r"python -m (tools\.[\w.]*\w)", (ROOT / page).read_text("utf-8")):
        path = ROOT / name.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), name
