"""Whether a few decisions ever make labels worse: exit code 1 if they do.

    python -m tools.few_decisions [FIELD …]

For each field, with 5, 10, 20 and 30 random decisions, the share filed right is compared to that
without any. The mean of the five differences must not lie below 0 by more than its noise, half of
the 95 % interval. By default two fields with many categories are measured, where decisions once
made labels worse.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tools.background import background_without
from tools.first_hour import curve, read_field

FIELDS = ("math", "ohsumed")
COUNTS = (0, 5, 10, 20, 30)
N_DEALS = 5


def main(names: Sequence[str]) -> int:
    """Measure and print; return the exit code."""
    is_worse = False
    for name in names or FIELDS:
        field = read_field(name)
        background = background_without(name, Path(tempfile.gettempdir()))
        deals = [curve(field, deal, COUNTS, "random", background) for deal in range(N_DEALS)]
        right = np.array([[result.right for result in deal] for deal in deals])
        gains = right[:, 1:] - right[:, :1]
        noise = 1.96 * gains.std(axis=0, ddof=1) / np.sqrt(N_DEALS)
        print(f"{name}: {right[:, 0].mean():.3f} without a decision")
        for count, gain, half in zip(COUNTS[1:], gains.mean(axis=0), noise, strict=True):
            worse = gain < -half
            is_worse |= bool(worse)
            print(f"  {count:3} decisions {gain:+.3f} ± {half:.3f}{'  worse' if worse else ''}")
    return int(is_worse)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
