"""Every command and snippet of every page runs, and prints what the page shows."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.docs.page import PAGE_NAMES, PAGES, ROOT, Block, page_blocks
from tests.docs.reader import Reader

NOT_RUN = re.compile(r"no-run: (?P<reason>\w.{7,})")
REASONS = (
    "another program",
    "commits to",
    "in a browser",
    "installs",
    "network",
    "needs a cluster",
    "needs decisions",
    "needs the commit of an edition",
    "needs the labelled abstracts",
    "runs until",
    "takes ",
    "there is nothing",
)
"""How a reason may begin for which a block is not run."""


DEFAULT = "tutorial"
"""The project in which a page is followed that names none."""


def is_run(block: Block) -> bool:
    return block.kind in ("sh", "python") and not block.about.startswith("no-run")


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_a_page_is_followed_to_its_end(
    name: str,
    tmp_path: Path,
    projects: Mapping[str, Callable[[Path], None]],
    tutorial: tuple[Path, list[str]],
    request: pytest.FixtureRequest,
) -> None:
    blocks = [*page_blocks(ROOT / name)]
    if any("../shared/" in block.about for block in blocks if block.kind == "have"):
        request.getfixturevalue("shared")
    if name == "docs/tutorial.md":
        _, faults = tutorial
    else:
        with contextlib.chdir(tmp_path):
            reader = Reader(tmp_path, projects)
            if any(map(is_run, blocks)):
                reader.follow(Block("project", DEFAULT, "", 0, ""))
            faults = reader.to_the_end(ROOT / name)
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def test_what_is_not_run_says_why() -> None:
    """A few blocks: installing, the network, clusters, hours. The table is the whole of them."""
    for page in PAGES:
        for block in page_blocks(page):
            if block.kind in ("sh", "python") and block.about and "exits" not in block.about:
                why = NOT_RUN.fullmatch(block.about)
                assert why, f"{page.name}:{block.line}: {block.about}"
                assert why["reason"].startswith(REASONS), f"{page.name}:{block.line}"
            if block.kind == "python" and not block.about:
                assert ">>>" in block.text, f"{page.name}:{block.line}: no example that runs"
