from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from classifier.site.search_shards import written_numbers, written_set

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def read_set(text: str) -> list[int]:
    """Read a set as the module says that it is written."""
    values = [DIGITS.index(digit) for digit in text.removeprefix("=")]
    if text.startswith("="):
        bits = [value >> place & 1 for value in values for place in range(6)]
        return [number for number, bit in enumerate(bits) if bit]
    numbers, last, gap, shift = [], -1, 0, 0
    for value in values:
        gap |= (value & 31) << shift
        shift += 5
        if value < 32:
            last += gap + 1
            numbers.append(last)
            gap = shift = 0
    return numbers


@given(st.integers(1, 5000), st.data())
def test_a_set_is_read_as_it_was_written(size: int, data: st.DataObject) -> None:
    density = data.draw(st.sampled_from([0.0, 0.001, 0.1, 0.5, 1.0]))
    random = data.draw(st.randoms(use_true_random=False))
    numbers = [number for number in range(size) if random.random() < density]
    text = written_set(numbers, size)
    assert read_set(text) == numbers
    assert len(text) <= 1 + (size + 5) // 6


def test_gaps_of_any_length() -> None:
    numbers = [0, 31, 32, 64, 1088, 1089, 40_000, 1_500_000]
    assert read_set(written_set(numbers, 2_000_000)) == numbers


@given(st.lists(st.integers(0, 2**18 - 1)))
def test_numbers_have_so_many_digits_each(numbers: list[int]) -> None:
    text = written_numbers(numbers, 3)
    parts = [text[at : at + 3] for at in range(0, len(text), 3)]
    assert [
        sum(DIGITS.index(digit) << 6 * place for place, digit in enumerate(part)) for part in parts
    ] == numbers
