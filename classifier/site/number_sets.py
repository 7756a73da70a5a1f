"""Sets of numbers as text, for data that a browser reads out of scripts.

Digits are those of base64url. A set of few numbers is written as the gaps between them, five bits
a digit, the lowest first, with 32 added to each digit but the last of a gap; a set of many is `=`
and a bit a number, six to a digit, the lowest first. templates/search-shards.js reads both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_DIGIT_BYTES = np.frombuffer(_DIGITS.encode("ascii"), dtype=np.uint8)
_BITS_OF_A_DIGIT = 1 << np.arange(6, dtype=np.uint8)


def written_set(numbers: Sequence[int], size: int) -> str:
    """Return rising numbers from 0 to `size` - 1 as text, in the shorter of two ways.

    >>> written_set([0, 1, 5, 42], 1000), written_set(range(0, 36, 2), 36)
    ('AADkB', '=VVVVVV')
    """
    if len(numbers) * 6 > size:  # a digit a number at least
        return _as_bits(numbers, size)
    text = _as_gaps(numbers)
    return text if len(text) * 6 <= size else _as_bits(numbers, size)


def written_numbers(numbers: Sequence[int], digits: int) -> str:
    """Return numbers as text, each as so many digits of six bits, the lowest first.

    >>> written_numbers([0, 65, 4095], 2)
    'AABB__'
    """
    parts = np.asarray(numbers, dtype=np.int64)[:, None] >> (6 * np.arange(digits)) & 63
    return _text(parts)


def _as_bits(numbers: Sequence[int], size: int) -> str:
    bits = np.zeros((size + 5) // 6 * 6, dtype=np.uint8)
    bits[np.asarray(numbers, dtype=np.int64)] = 1
    digits = bits.reshape(-1, 6) @ _BITS_OF_A_DIGIT
    return "=" + _text(digits)


def _text(digits: NDArray[Any]) -> str:
    return bytes(_DIGIT_BYTES[digits]).decode("ascii")


def _as_gaps(numbers: Sequence[int]) -> str:
    before = [-1, *numbers]
    gaps = [number - last - 1 for number, last in zip(numbers, before, strict=False)]
    most = len(_GAPS)
    return "".join([_GAPS[gap] if gap < most else _gap(gap) for gap in gaps])


def _gap(gap: int) -> str:
    digits = ""
    while gap > 31:
        digits += _DIGITS[gap & 31 | 32]
        gap >>= 5
    return digits + _DIGITS[gap]


_GAPS = [_gap(gap) for gap in range(1 << 10)]
