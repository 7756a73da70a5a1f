"""How quickly pages are printed, what they cost over bare Jinja2, and how heavy they are.

    python -m tools.benchmarks.rendering [--papers 5000 20000]

The ratio is the time of the whole stage (gathering, Markdown, escaping, printing, encoding) to what
Jinja2 as it is installed takes to print the same pages from records that are already there. It is
the figure to compare between machines. Seconds are those of the one processor that works, so that
a busy machine does not change them much.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jinja2 import Environment
from jinja2.compiler import CodeGenerator

from classifier.build import compute
from classifier.project import Project
from classifier.site.beside import files_beside
from classifier.site.plate import path_of, texts
from classifier.site.press import Annex, Press, make_press
from classifier.site.render import pages
from classifier.site.templating import make_environment
from classifier.survey.edition import Edition

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "site"))

REPEATS = 5


def main() -> None:
    """Print a row for each corpus, then the heaviest page of each kind."""
    from generated import make_large_edition

    parser = argparse.ArgumentParser(description="Speed and weight of printed pages.")
    parser.add_argument("--papers", type=int, nargs="*", default=[5_000])
    sizes = parser.parse_args().papers
    corpora: dict[str, Callable[[], Edition]] = {
        "the shipped 364 papers": lambda: compute(Project(ROOT)).edition,
        **{f"{n:,} made-up papers": (lambda n=n: make_large_edition(n)) for n in sizes},
    }
    gc.disable()  # as the command line does
    print("| corpus | pages | seconds | pages a second | ratio to bare Jinja2 | MB |")
    print("|---|---:|---:|---:|---:|---:|")
    heaviest = {name: row(name, edition()) for name, edition in corpora.items()}
    for name, weights in heaviest.items():
        kinds = ", ".join(f"{kind} {size / 1000:.0f}" for kind, size in weights.items())
        print(f"\nHeaviest page of each kind, kB, {name}: {kinds}")


def row(name: str, edition: Edition) -> dict[str, int]:
    """Print the figures of one corpus and return kind of page -> bytes of the heaviest one."""
    press = make_press(edition, [])
    beside = [path_of(file) for file in files_beside(press)]
    press = replace(press, written=dict.fromkeys(beside, 1))
    noted = _Printed(press)
    files = _printed(replace(press, environment=noted))
    number = sum(path.endswith(".html") for path in files)
    megabytes = sum(map(len, files.values())) / 1e6
    whole, bare = best(lambda: _printed(press), noted.again)
    print(
        f"| {name} | {number} | {whole:.2f} | {number / whole:,.0f} | {whole / bare:.1f} "
        f"| {megabytes:.0f} |"
    )
    return _heaviest(files)


def _printed(press: Press) -> dict[str, bytes]:
    return {path: text.encode() for path, text in texts(pages(press, Annex()))}


def _bare_environment() -> Environment:
    environment = make_environment([])
    environment.code_generator_class = CodeGenerator
    return environment


@dataclass
class _Printed:
    """Stands in for the environment of a press, and notes what is printed with which template."""

    press: Press
    bare: Environment = field(default_factory=_bare_environment)
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)

    def get_template(self, name: str) -> _Template:
        return _Template(self, name)

    def list_templates(self, **options: Any) -> list[str]:
        return self.press.environment.list_templates(**options)

    def again(self) -> None:
        """Print everything once more, with Jinja2 as it is installed."""
        for name, arguments, named in self.calls:
            self.bare.get_template(name).render(*arguments, **named).encode()


@dataclass
class _Template:
    printed: _Printed
    name: str

    def render(self, *arguments: Any, **named: Any) -> str:
        self.printed.calls.append((self.name, arguments, named))
        return self.printed.press.environment.get_template(self.name).render(*arguments, **named)


def _heaviest(files: Mapping[str, bytes]) -> dict[str, int]:
    from browsing import kind_of

    weights: dict[str, int] = {}
    for path, content in files.items():
        if path.endswith(".html"):
            kind = kind_of(path) or path
            weights[kind] = max(weights.get(kind, 0), len(content))
    return dict(sorted(weights.items(), key=lambda item: -item[1]))


def best(*runs: Callable[[], object]) -> list[float]:
    """Return the shortest time of each of some runs that take turns, in seconds."""
    seconds: list[list[float]] = [[] for _ in runs]
    for _ in range(REPEATS):
        for run, taken in zip(runs, seconds, strict=True):
            start = time.process_time()
            run()
            taken.append(time.process_time() - start)
    return [min(taken) for taken in seconds]


if __name__ == "__main__":
    main()
