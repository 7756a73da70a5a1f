"""What is said of a case: of a taxonomy, a ledger, a sheet, a file, a path, a template."""

from __future__ import annotations

from classifier.errors import Fault


def said_of(faults: tuple[Fault, ...] | list[Fault]) -> list[str]:
    """Return faults as the tables have them: `refused: what was found`, `warning: …`, …"""
    words = {"error": "refused", "warning": "warning", "notice": "notice"}
    return [f"{words[fault.severity]}: {fault.actual}" for fault in faults]


def misses(expected: tuple[str, ...], said: list[str]) -> list[str]:
    """Return what was expected and not said, and `refused` where nothing of the kind was expected.

    An expectation is the beginning of what is said.
    """
    missing = [text for text in expected if not any(each.startswith(text) for each in said)]
    refusals = [each for each in said if each.startswith("refused")]
    if refusals and not any(text.startswith("refused") for text in expected):
        missing += [f"not: {refusals[0]}"]
    return missing
