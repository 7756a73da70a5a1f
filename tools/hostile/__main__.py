"""All hostile cases: python -m tools.hostile [--no-browser]. Exit code 1 where one does harm.

Prints kind x cases x executed / escaped / tracebacks / not as the table says. Records and texts are
built as one project, whose every file is read by other parsers than ours and whose pages are opened
in Chromium under a strict policy; the cases of the other tables are handed in one by one.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(
    0, str(Path(__file__).resolve().parents[2] / "tests" / "site")
)  # as pytest's pythonpath

from tools.hostile.campaign import Outcome, built_project, table_outcome
from tools.hostile.cases import read_cases
from tools.hostile.in_browser import browser_dangers, pages_of
from tools.hostile.project import CANARY
from tools.hostile.tables import TABLES

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main() -> int:
    """Run all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-browser", action="store_true")
    told = parser.parse_args()
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as home:
        built = built_project(Path(home), read_cases("records"), read_cases("texts"))
        outcomes += built.outcomes
        if not told.no_browser:
            outcomes.append(_browsed(built.folder / "out", dict(built.files)))
    outcomes += [table_outcome(kind) for kind in TABLES]
    _print(outcomes)
    return int(any(outcome.faults for outcome in outcomes))


def _browsed(out: Path, files: dict[str, bytes]) -> Outcome:
    from playwright.sync_api import sync_playwright

    paths = pages_of(files)
    outcome = Outcome("pages in Chromium", len(paths))
    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        outcome.executed += browser_dangers(browser, out, files, paths)
        browser.close()
    return outcome


def _print(outcomes: list[Outcome]) -> None:
    print(f"{'kind':<20}{'cases':>7}{'executed':>10}{'escaped':>9}{'tracebacks':>12}{'missed':>8}")
    handed_in = [each for each in outcomes if each.kind != "pages in Chromium"]
    total = Outcome("all cases", sum(each.cases for each in handed_in))
    for each in outcomes:
        _print_row(each)
        for name in ("executed", "escaped", "tracebacks", "missed"):
            getattr(total, name).extend(getattr(each, name))
    _print_row(total)
    for fault in total.faults:
        print(f"  {ascii(fault)[:300]}")
    if total.executed:
        print(f"`{CANARY}` is what payloads set where they run.")


def _print_row(each: Outcome) -> None:
    print(
        f"{each.kind:<20}{each.cases:>7}{len(each.executed):>10}{len(each.escaped):>9}"
        f"{len(each.tracebacks):>12}{len(each.missed):>8}"
    )


if __name__ == "__main__":
    sys.exit(main())
