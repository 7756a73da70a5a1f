"""What a command printed, held against what a page shows of it."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+\.\d+(?![\w.])")
_SECONDS = re.compile(r"\b\d+(?:\.\d+)? s\b")
_DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
_NEARLY = 0.03
"""How far a printed fraction may be off: other versions of libraries move last digits."""


def differs(shown: str, printed: str) -> str:
    """Return how `printed` differs from what is shown of it; nothing if it does not.

    In what is shown, a line `…` stands for any lines, `…` within a line for any text. Seconds and
    days may differ, and fractions by a little.
    """
    expected = [line.rstrip() for line in shown.rstrip("\n").splitlines()]
    lines = [line.rstrip() for line in printed.rstrip("\n").splitlines()]
    at = 0
    anywhere = False
    for want in expected:
        if want.strip() == "…":
            anywhere = True
            continue
        rest = lines[at:] if anywhere else lines[at : at + 1]
        place = next((n for n, line in enumerate(rest) if same_line(want, line)), None)
        if place is None:
            found = "\n".join(lines[at : at + 3]) or "nothing more"
            return f"expected: {want}\nfound: {found}"
        at += place + 1
        anywhere = False
    return "" if anywhere or at == len(lines) else f"not shown: {lines[at]}"


def same_line(shown: str, printed: str) -> bool:
    """Return whether a line was printed as shown."""
    shown, printed = _steady(shown), _steady(printed)
    pattern = "".join(
        r"([-+−]?\d+\.\d+)"
        if _NUMBER.fullmatch(part)
        else ".*".join(re.escape(piece) for piece in part.split("…"))
        for part in re.split(f"({_NUMBER.pattern})", shown)
    )
    match = re.fullmatch(pattern, printed)
    if match is None:
        return False
    pairs = zip(_NUMBER.findall(shown), match.groups(), strict=True)
    return all(abs(_value(one) - _value(two)) <= _NEARLY for one, two in pairs)


def _value(text: str) -> float:
    return float(text.replace("−", "-"))


def _steady(line: str) -> str:
    return _DAY.sub("DAY", _SECONDS.sub("SECONDS", line))
