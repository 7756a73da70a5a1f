"""How quickly pages are printed: pages a second, and what they cost over bare Jinja2.

python -m tests.benchmarks.rendering

The ratio is the time of the whole stage (gathering, Markdown, escaping, printing) to that of
printing pages of papers alone, a page at a time, from views that are already there: what Jinja2
takes for the same number of pages. It is the figure to compare between machines. Seconds are those
of the one processor that works, so that a busy machine does not change them much.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from classifier.build import compute
from classifier.project import Project
from classifier.site.beside import files_beside
from classifier.site.citing import citing_sections
from classifier.site.paper_page import paper_page, surroundings
from classifier.site.plate import path_of, texts
from classifier.site.press import Annex, Press, make_press
from classifier.site.render import pages
from classifier.survey.edition import Edition

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "site"))

REPEATS = 5


def main() -> None:
    """Print a row for each corpus."""
    from generated import make_large_edition

    print("| corpus | pages | seconds | pages a second | ratio to bare Jinja2 |")
    print("|---|---:|---:|---:|---:|")
    row("the shipped 364 papers", compute(Project(ROOT)).edition)
    row("5,000 made-up papers", make_large_edition(5_000))


def row(name: str, edition: Edition) -> None:
    """Print the figures of one corpus: the best of some runs, the first one warming up."""
    press = make_press(edition, [])
    beside = [path_of(file) for file in files_beside(press)]
    press = replace(press, written=dict.fromkeys(beside, 1))
    printed = [path for path, _ in texts(pages(press, Annex()))]
    number = sum(path.endswith(".html") for path in printed)
    seconds = best(lambda: list(texts(pages(press, Annex()))))
    bare = best(printing(press)) / len(edition.entries) * number
    print(f"| {name} | {number} | {seconds:.2f} | {number / seconds:,.0f} | {seconds / bare:.1f} |")


def printing(press: Press) -> Callable[[], object]:
    """Return what prints the pages of all papers from views that are already there."""
    numbers = {page: number for number, page in press.pages_by_number.items()}
    cited = citing_sections(press.edition.document, numbers, press.pages_by_anchor)
    around = surroundings(press.catalogue, press.keys, cited, press.written)
    views = [(press.pages[e.paper.id], paper_page(around, e)) for e in press.edition.entries]
    plates = [press.page(path, "paper.html", page=view) for path, view in views]
    return lambda: [plate.text() for plate in plates]


def best(run: Callable[[], object]) -> float:
    """Return the shortest of some runs, in seconds."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
