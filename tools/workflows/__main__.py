"""Run the workflows that Fieldguide writes through good and bad days; exit code 1 if one fails.

`python -m tools.workflows [--forge github|gitlab] [--only PATTERN]`
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from tools.workflows.scenarios import SCENARIOS, Trial


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--forge", choices=["github", "gitlab"])
    options.add_argument("--only", default="")
    told = options.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for forge in ("github", "gitlab"):
            if told.forge not in (None, forge):
                continue
            trial = Trial(Path(folder) / forge, forge)
            first = trial.publish()
            assert "failure" not in first.jobs.values(), first.log
            print(
                f"{forge}: the first push publishes {len(list(trial.forge.site.iterdir()))} files"
            )
            for scenario in SCENARIOS:
                if scenario.forge == forge and re.search(told.only, scenario.name):
                    faults = trial.faults(scenario)
                    failed += bool(faults)
                    come = f"stops at {scenario.stops_at}" if scenario.stops_at else "goes well"
                    print(
                        f"  {'FAILS' if faults else 'ok':5} {scenario.name:36} {come}", flush=True
                    )
                    for fault in faults:
                        print(f"        {fault}")
    print(f"{failed} failed")
    return bool(failed)


if __name__ == "__main__":
    raise SystemExit(main())
