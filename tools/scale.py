"""Time, memory and growth of what is large: `python -m tools.scale [--small] [CASE …]`.

Each case is run at two sizes, the second four times the first, by the command that a user types, in
a process of its own. `growth` is the power of the size with which the time grows: 1 is
proportional, 2 the square. `--small` takes a tenth of each size. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.files.table import write_table
from classifier.project import Project
from classifier.review.sheet import sheet_columns
from classifier.taxonomy.load import load_taxonomy
from tools.benchmarks.apply import sheet_rows
from tools.benchmarks.corpora import records, write_project

_MEASURE = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
run = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([time.perf_counter() - started, used.ru_utime + used.ru_stime,
                  used.ru_maxrss / 1024, run.returncode, run.stderr[-300:]]))
"""


@dataclass(frozen=True)
class Case:
    """Something large, and the command that has to cope with it."""

    what: str
    size: int
    """The larger of both sizes."""
    make: Callable[[int, Path], Sequence[str]]
    """Writes the files into an empty folder; returns the arguments of `fieldguide`."""


def _build(count: int, folder: Path) -> Sequence[str]:
    write_project(count, folder)
    return "build", "--project", str(folder)


def _categories(count: int, folder: Path) -> Sequence[str]:
    """Write a taxonomy of so many categories, 20 cues each, over 2,000 papers."""
    texts = [str(record["abstract"]).split() for record in _some(2_000)]
    words = sorted(
        {word.strip(".,()").lower() for text in texts for word in text if word.isalpha()}
    )
    categories = [
        {
            "id": f"c{number}",
            "name": f"Category {number}",
            "definition": f"Papers of the kind {number}.",
            "cues": {"anywhere": [words[(number * 20 + k) % len(words)] for k in range(20)]},
        }
        for number in range(count)
    ]
    facets = {"topic": {"kind": "multi", "categories": categories}}
    _project(folder, {"survey": {"title": "Many"}, "facets": facets}, _some(2_000))
    return "build", "--project", str(folder)


def _alike(count: int, folder: Path) -> Sequence[str]:
    """Write titles that differ by a word or two."""
    made = ({**r, "title": f"A survey of agents that plan and search {number}"}
            for number, r in enumerate(_some(count)))  # fmt: skip
    _project(folder, _TWO, ({k: v for k, v in r.items() if k != "id"} for r in made))
    return "build", "--project", str(folder)


def _one_title(count: int, folder: Path) -> Sequence[str]:
    made = ({"title": "A survey of agents", "abstract": r["abstract"]} for r in _some(count))
    _project(folder, _TWO, made)
    return "build", "--project", str(folder)


def _sheet(count: int, folder: Path) -> Sequence[str]:
    write_project(364, folder)
    taxonomy = load_taxonomy(Project(folder).taxonomy_file, "taxonomy.yaml").taxonomy
    sheet = folder / "labels.csv"
    sheet.write_bytes(write_table(sheet_columns(taxonomy), sheet_rows(taxonomy, count)))
    return "review", "apply", str(sheet), "--project", str(folder), "--reviewer", "ada"


def _short(count: int, folder: Path) -> Sequence[str]:
    write_project(364, folder)
    lines = (
        json.dumps({"title": f"Agents that plan {number}", "abstract": "We plan and search."})
        + "\n"
        for number in range(count)
    )
    (folder / "short.jsonl").write_text("".join(lines), "utf-8")
    out = folder / "labels.jsonl"
    return "label", str(folder / "short.jsonl"), "-o", str(out), "--project", str(folder)


CASES = {
    "papers": Case("papers built", 20_000, _build),
    "categories": Case("categories of 20 cues, 2,000 papers built", 500, _categories),
    "alike": Case("nearly equal titles built", 3_000, _alike),
    "one-title": Case("records of one title built", 5_000, _one_title),
    "sheet": Case("rows of a sheet taken over", 100_000, _sheet),
    "short": Case("short records labelled", 1_000_000, _short),
}
_TWO = {
    "survey": {"title": "Two"},
    "facets": {
        "topic": {
            "kind": "multi",
            "categories": [
                {
                    "id": "a",
                    "name": "Plans",
                    "definition": "Plans.",
                    "cues": {"anywhere": ["plan"]},
                },
                {
                    "id": "b",
                    "name": "Search",
                    "definition": "It.",
                    "cues": {"anywhere": ["search"]},
                },
            ],
        }
    },
}


def _some(count: int) -> Iterator[dict[str, object]]:
    return iter(records(count))


def _project(
    folder: Path, taxonomy: dict[str, object], papers: Iterator[dict[str, object]]
) -> None:
    for name in ("taxonomy", "papers"):
        (folder / name).mkdir(parents=True)
    # JSON is YAML.
    (folder / "taxonomy" / "taxonomy.yaml").write_text(json.dumps(taxonomy, indent=1), "utf-8")
    with (folder / "papers" / "papers.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(paper, ensure_ascii=False) + "\n" for paper in papers)


def _measured(case: Case, size: int) -> tuple[float, float, float]:
    """Return seconds, seconds of the processor and MB of the largest process."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        project.mkdir()
        arguments = case.make(size, project)
        command = [sys.executable, "-m", "classifier", *arguments]
        run = subprocess.run(
            [sys.executable, "-c", _MEASURE, *command], capture_output=True, text=True, check=True
        )
    seconds, processor, megabytes, code, said = json.loads(run.stdout)
    if code not in (0, 1):
        print(f"  {case.what}, {size}: exit {code}: {said}", file=sys.stderr)
    return seconds, processor, megabytes


def main() -> None:
    """Measure each case at two sizes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", choices=[*CASES, []], help="which; all without any")
    parser.add_argument("--small", action="store_true", help="a tenth of each size")
    options = parser.parse_args()
    print(
        "| what | size | seconds | of one processor | MB | growth |\n|---|---:|---:|---:|---:|---:|"
    )
    for name in options.cases or CASES:
        case = CASES[name]
        larger = case.size // 10 if options.small else case.size
        before = 0.0
        for size in (larger // 4, larger):
            seconds, processor, megabytes = _measured(case, size)
            # Of processes that work for another nobody tells the time; then the clock does.
            spent = processor if processor > seconds / 3 else seconds
            growth = f"{math.log(spent / before, 4):.2f}" if before else ""
            print(
                f"| {case.what} | {size:,} | {seconds:.0f} | {processor:.0f} | {megabytes:.0f}"
                f" | {growth} |",
                flush=True,
            )
            before = spent


if __name__ == "__main__":
    main()
