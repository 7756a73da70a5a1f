"""Every command and snippet of every page runs, and prints what the page shows."""

from __future__ import annotations

import contextlib
import doctest
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.docs.page import PAGE_NAMES, PAGES, ROOT, Block, page_blocks
from tests.docs.reader import PageFault, Reader

NOT_RUN = re.compile(r"no-run: (?P<reason>\w.{7,})")
REASONS = (
    "another program",
    "installs",
    "network",
    "needs a cluster",
    "needs the labelled abstracts",
    "takes ",
)
"""How a reason may begin for which a block is not run."""


def as_doctest(block: Block, page: str) -> doctest.DocTest:
    return doctest.DocTestParser().get_doctest(block.text, {}, page, page, block.line)


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_a_page_is_followed_to_its_end(
    name: str, tmp_path: Path, projects: Mapping[str, Callable[[Path], None]]
) -> None:
    faults: list[str] = []
    with contextlib.chdir(tmp_path):
        reader = Reader(tmp_path, projects)
        blocks = [*page_blocks(ROOT / name)]
        if any(block.kind == "sh" for block in blocks):
            reader.follow(Block("project", "bread", "", 0, ""))
        names: dict[str, object] = {}
        for block in blocks:
            try:
                reader.follow(block)
                if block.kind == "python" and ">>>" in block.text:
                    run_python(block, name, names)
            except PageFault as fault:
                faults.append(f"{name}:{block.line}: {fault}")
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def run_python(block: Block, page: str, names: dict[str, object]) -> None:
    """Run an example; what earlier ones of the page have named is known to it."""
    example = as_doctest(block, page)
    example.globs = names
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
    if runner.run(example, out=said.append, clear_globs=False).failed:
        raise PageFault("".join(said))


def test_what_is_not_run_says_why() -> None:
    """A few blocks: installing, the network, clusters, hours. The table is the whole of them."""
    for page in PAGES:
        for block in page_blocks(page):
            if block.kind in ("sh", "python") and block.about and "exits" not in block.about:
                why = NOT_RUN.fullmatch(block.about)
                assert why and why["reason"].startswith(REASONS), f"{page.name}:{block.line}"
            if block.kind == "python" and not block.about:
                assert ">>>" in block.text, f"{page.name}:{block.line}: no example that runs"


def test_data_that_a_page_shows_can_be_read() -> None:
    for page in PAGES:
        for block in page_blocks(page):
            if block.kind == "json":
                for line in [block.text] if block.about else block.text.splitlines():
                    json.loads(line)
            elif block.kind == "yaml" and "broken" not in block.about:
                YAML(typ="safe").load(block.text)
