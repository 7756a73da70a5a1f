"""Read the number of parameters of the model behind a result from the words around its number."""

from __future__ import annotations

import re

from classifier.text.result import Result

# "32B", "Qwen3-Coder-30B-A3B" (30 billion in total), "1.5 billion parameters"; no "3B tokens".
_SIZE = re.compile(
    r"(?<![\w.])(?:[A-Z][\w.]*-)*?(\d+(?:\.\d+)?)(?:B| billion parameters)\b(?!\s*tokens)"
)
_SHARE = re.compile(r"\d+(?:\.\d+)?\s?%")
_RIVAL = re.compile(r"\b(?:against|than|over|versus|vs|surpass\w*|outperform\w*)\b", re.IGNORECASE)


def model_size_of(result: Result) -> float:
    """Return the number of parameters in billions, or 0 if the text does not state it.

    A size in the name of the system is used. Otherwise the size must be stated before the number,
    without another system in between. In "the 32B and 72B models resolve 56.1 % and 58.5 %", sizes
    and shares are paired in their order.
    """
    if stated := model_sizes_in(result.system):
        return stated[0]
    before = _RIVAL.split(result.split_clause[0])[0]
    start = result.span.start - result.clause.start
    shares = [match.start() for match in _SHARE.finditer(result.clause.text)]
    sizes = model_sizes_in(before[: shares[0]] if shares else before)
    if len(sizes) == 1:
        return sizes[0]
    if len(sizes) == len(shares) and start in shares:
        return sizes[shares.index(start)]
    return 0


def model_sizes_in(text: str) -> list[float]:
    """Return the numbers of parameters that a text states, in billions.

    >>> model_sizes_in("Qwen3-Coder-30B-A3B, a 1.5 billion parameters model, 3B tokens")
    [30.0, 1.5]
    """
    return [float(match[1]) for match in _SIZE.finditer(text)]
