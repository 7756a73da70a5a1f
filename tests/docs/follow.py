"""Follow a page as the test does, and print what its commands print.

    python -m tests.docs.follow docs/tutorial.md

For whoever writes a page: what is printed here is what belongs into its ```text blocks.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

from classifier.project import Project
from tests.docs.conftest import copies, follow_tutorial
from tests.docs.page import Block, page_blocks
from tests.docs.reader import PageError, Reader


def main() -> None:
    """Follow the page that the command line names."""
    page = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        home = Path(folder)
        tutorial, _ = follow_tutorial(home)
        reader = Reader(home, copies(tutorial, Project(home / "built-bread")))
        blocks = [*page_blocks(page)]
        reader.follow(Block("project", "tutorial", "", 0, ""))
        for block in blocks:
            try:
                reader.follow(block)
            except PageError as fault:
                sys.stdout.write(f"!! {page.name}:{block.line}: {fault}\n")
            if block.kind == "sh":
                told = f"--- {page.name}:{block.line}\n{block.text}\n"
                sys.stdout.write(told + "".join(reader.printed) + "\n")


if __name__ == "__main__":
    main()
