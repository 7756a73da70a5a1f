"""How long `review apply` takes over a large sheet, and how much memory.

    python -m tools.benchmarks.apply [--rows 100000]

A sheet of an archive, as `label -o` writes it with the model of the shipped survey: 100,000 papers
that the project does not hold, each with a decision of three facet values and more. Seconds and
memory are of a whole process; seconds of the processor count where others use the machine, too.
Beside them what pandas takes to read and write the same file.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from classifier.files.table import write_table
from classifier.project import Project, embedded_project
from classifier.review.columns import JOINER
from classifier.review.sheet import checksum, label_columns, sheet_columns, with_checksum
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy

_MEASURE = """
import json, resource, time
started = time.perf_counter()
{code}
used = resource.getrusage(resource.RUSAGE_SELF)
seconds = time.perf_counter() - started, used.ru_utime + used.ru_stime
print(json.dumps([*seconds, used.ru_maxrss / 1024]))
"""
_PANDAS = """
import pandas as pd
pd.read_csv({path!r}, dtype=str, keep_default_na=False).to_csv({path!r} + ".copy", index=False)
"""
_APPLY = """
import gc
from pathlib import Path
gc.disable()  # as the command does
from classifier.commands.apply import apply_sheets
from classifier.project import Project
applied = apply_sheets(Project(Path({project!r})), [Path({path!r})], reviewer="ada")
assert applied.is_whole, applied.refused[:3]
assert len({{each.row for each in applied.answers}}) == {rows}
"""


def sheet_rows(taxonomy: Taxonomy, number: int) -> Iterator[dict[str, str]]:
    """Yield rows that people filled in three ways: ok, a full list, a change."""
    names = label_columns(taxonomy)
    topics = taxonomy.first.ids
    fillings = cycle(
        [
            {"verdict": "ok"},
            {"review_topics": f"{topics[1]}, {topics[3]}", "review_primary": topics[3]},
            {"review_topics": f"add {topics[2]}; drop {topics[1]}"},
        ]
    )
    for position in range(number):
        row = dict.fromkeys(sheet_columns(taxonomy), "")
        row |= {
            "id": f"arxiv:{2001 + position // 90_000}.{position % 90_000:05d}",
            "title": f"A study of agents that plan, search and remember, number {position}",
            "url": f"https://arxiv.org/abs/{position}",
            "year": "2025", "status": "confident", "confidence": "0.93",
            "primary": topics[0], "topics": JOINER.join(topics[:2]),
        }  # fmt: skip
        for facet in taxonomy.facets.values():
            if facet is not taxonomy.first and not facet.applies_to:
                row[facet.id] = facet.ids[0]
        why = "‘benchmark~’, ‘evaluation’ in the title +4.6; ‘we propose’ in the text +1.2"
        row["why"] = with_checksum(why, checksum(row, names, taxonomy.digest))
        yield row | next(fillings)


def measure(code: str) -> tuple[float, float, float]:
    """Run a program by itself; return seconds, those of the processor, and peak memory in MB."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(
        [sys.executable, "-c", _MEASURE.format(code=code)],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    seconds, of_processor, megabytes = json.loads(run.stdout.splitlines()[-1])
    return seconds, of_processor, megabytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder) / "project")
        for authored in embedded_project().authored_folders:
            shutil.copytree(authored, project.root / authored.name)
        taxonomy = load_taxonomy(project.taxonomy_file, "taxonomy.yaml").taxonomy
        path = Path(folder) / "labels.csv"
        path.write_bytes(write_table(sheet_columns(taxonomy), sheet_rows(taxonomy, rows)))
        size = path.stat().st_size / 1e6
        by_pandas = measure(_PANDAS.format(path=str(path)))
        apply = _APPLY.format(project=str(project.root), path=str(path), rows=rows)
        copy = path.read_bytes()
        for times in ("first time", "again"):
            path.write_bytes(copy)
            found = measure(apply)
            print(f"{rows:,} rows ({size:.0f} MB), {times}: {told(found)}")
        print(f"pandas alone: {told(by_pandas)}; ratio {found[1] / by_pandas[1]:.1f}")


def told(found: tuple[float, float, float]) -> str:
    seconds, of_processor, megabytes = found
    return f"{seconds:.1f} s ({of_processor:.1f} s of the processor), {megabytes:.0f} MB"


if __name__ == "__main__":
    main()
