"""How many small faults in a part the tests of that part notice: python -m tools.mutation survey.

Draws mutants of a package at random (the seed says which), runs against each those of the tests in
`tests/PACKAGE` and `tests/golden` that run its lines, and prints the share that some test notices,
with those that none does. Needs `pip install -e '.[test]'`. Without an argument: the three
parts that answer for what the survey says.

Why no ready-made tool. mutmut 3 tests a copy of the project in a folder of its own, where the
abstracts beside the checkout are missing and their tests skip, leaves out what stands outside of
functions, and draws no sample. cosmic-ray rewrites the files of the checkout and starts Python and
pytest anew for each mutant, which takes longer than nearly all of our tests.
"""

from __future__ import annotations

import argparse
import tempfile
from math import sqrt
from pathlib import Path
from random import Random

from tools.mutation.covering import Covering, run_with_coverage
from tools.mutation.judging import import_slowly, survives
from tools.mutation.mutants import Mutant, mutants

PACKAGES = ("labelling", "review", "survey")


def main() -> None:
    """Draw, judge and print."""
    arguments = _arguments()
    import_slowly()
    rows = []
    for package in arguments.packages or PACKAGES:
        covering = _covering(package, arguments.keep)
        sample = draw(package, arguments.sample, arguments.seed)
        survivors = []
        for number, mutant in enumerate(sample, start=1):
            tests = covering.of(mutant)
            lives = not tests or survives(mutant, tests)
            if lives:
                survivors.append(mutant)
            print(
                f"{number:3}/{len(sample)} {'SURVIVES' if lives else 'killed  '} {mutant}",
                *(() if tests else ("(no test runs it)",)),
                flush=True,
            )
        rows.append(row(package, len(sample), len(survivors)))
        print(rows[-1], flush=True)
    print("\n".join(["", f"seed {arguments.seed}", HEAD, *rows]))


HEAD = "package     mutants  killed  score   95 % interval"


def row(package: str, drawn: int, survivors: int) -> str:
    """A line of the table: the share killed with its interval (Wilson 1927)."""
    killed = drawn - survivors
    low, high = wilson(killed, drawn)
    return f"{package:<10} {drawn:>8} {killed:>7}  {killed / drawn:>5.1%}   {low:.1%} to {high:.1%}"


def wilson(killed: int, drawn: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of Wilson for a share, 95 % by default."""
    share = killed / drawn
    middle = (share + z * z / (2 * drawn)) / (1 + z * z / drawn)
    half = sqrt(share * (1 - share) / drawn + z * z / (4 * drawn**2)) * z / (1 + z * z / drawn)
    return middle - half, middle + half


def draw(package: str, size: int, seed: int) -> list[Mutant]:
    """`size` mutants of a package at random, in no order: the first ones are a sample as well."""
    paths = sorted(Path("classifier", package).rglob("*.py"))
    offered = [mutant for path in paths for mutant in mutants(path)]
    drawn = Random(seed).sample(range(len(offered)), min(size, len(offered)))
    return [offered[number] for number in drawn]


def _covering(package: str, keep: Path | None) -> Covering:
    """Which test runs what; worked out anew unless it was kept."""
    folder = keep or Path(tempfile.mkdtemp(prefix="mutation-"))
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / f"{package}.coverage"
    if not data.exists():
        settings = f"[run]\nbranch = True\nrelative_files = True\ndata_file = {data}\n"
        data.with_suffix(".rc").write_text(settings, encoding="utf-8")
        run_with_coverage(package, data)
    return Covering(data, package)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="of classifier/")
    parser.add_argument("--sample", type=int, default=60, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn")
    parser.add_argument("--keep", type=Path, help="folder for which test runs what, read again")
    return parser.parse_args()


if __name__ == "__main__":
    main()
