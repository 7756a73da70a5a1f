"""A fixed sample of the faults that `python -m tools.faults` injects."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.faults.scenarios import SCENARIOS, Scenario

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")

QUICK = ("build, warm after an edit", "review apply", "fetch")


@pytest.mark.parametrize(
    "scenario", [each for each in SCENARIOS if each.name in QUICK], ids=lambda each: each.name
)
def test_after_a_fault_there_is_the_old_or_the_new(scenario: Scenario, tmp_path: Path) -> None:
    """Nothing is mixed or lost, no traceback is shown, and the next run makes all good."""
    from tools.faults.campaign import run_scenario
    from tools.faults.loaded import load_everything

    load_everything()
    tallies = run_scenario(scenario, tmp_path / "bench", 4, lambda *_: None)
    assert [fault for tally in tallies.values() for fault in tally.faults] == []
    assert sum(tally.counts["injected"] for tally in tallies.values()) == 4
