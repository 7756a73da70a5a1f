"""`python -m tools.faults`: faults at the writes and reads of each command, as a table."""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tools.faults.campaign import Tally, run_scenario
from tools.faults.layer import LAYER
from tools.faults.loaded import load_everything, load_layer
from tools.faults.scenarios import SCENARIOS

COLUMNS = ("injected", "old", "between", "new", "whole", "healed", "lock left")
BAD = ("mixture", "absent", "lost", "traceback", "claimed", "lie", "silent")
WORSE = ("not stopped", "not healed", "never swept")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__)
    parser.add_argument("--sample", type=int, default=60, help="faults a command (default 60)")
    parser.add_argument("--only", default="", help="scenarios whose name matches this")
    parser.add_argument("--verbose", action="store_true")
    told = parser.parse_args()
    chosen = [each for each in (*LAYER, *SCENARIOS) if re.search(told.only, each.name)]
    load_layer()
    if any(each in SCENARIOS for each in chosen):
        load_everything()
    everything: dict[tuple[str, str], Tally] = {}
    with tempfile.TemporaryDirectory(dir=_quick()) as folder:
        for scenario in chosen:
            tallies = run_scenario(
                scenario,
                Path(folder, "bench"),
                10**6 if scenario in LAYER else told.sample,
                lambda case, words: told.verbose and print(case, words, file=sys.stderr),
            )
            everything |= {(scenario.name, kind): tally for kind, tally in tallies.items()}
            injected = sum(tally.counts["injected"] for tally in tallies.values())
            print(f"{scenario.name}: {injected} faults", file=sys.stderr, flush=True)
    print_table(everything)


def print_table(everything: dict[tuple[str, str], Tally]) -> None:
    """Print a row a scenario, a row a kind of fault, their sum, and all that should not be."""
    head = [*COLUMNS, *BAD, *WORSE]
    print("| | " + " | ".join(head) + " |\n|---" + "|---:" * len(head) + "|")
    for place in (0, 1):
        for name in dict.fromkeys(key[place] for key in everything):
            _print_row(name, [t for key, t in everything.items() if key[place] == name])
    _print_row("all", list(everything.values()))
    for tally in everything.values():
        for fault in tally.faults:
            print(fault)
    sys.exit(any(tally.faults for tally in everything.values()))


def _print_row(name: str, tallies: list[Tally]) -> None:
    counts = sum((tally.counts for tally in tallies), Counter[str]())
    cells = (str(counts[column]) for column in (*COLUMNS, *BAD, *WORSE))
    print(f"| {name} | {' | '.join(cells)} |")


def _quick() -> str | None:
    """Return a folder in memory, where there is one: thousands of copies are made."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


main()
