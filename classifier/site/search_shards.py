"""The index of a survey that is too large to be read whole: parts that are loaded where needed.

Each part is a classic script, `fieldguide.shard(NAME, CONTENT)`, since a page opened from the disk
may load scripts and nothing else. A paper is a number: its place among all, the newest first.

search-index.js holds `keys` as in the index of a small survey and

- `counts`: for how many papers each term holds; `size`: how many there are
- `page`: how many stand in a part of papers; `digits`: of a number in `titles`
- `words`: the first word of each part of words

and in search/ lie

- papers-N.js: the columns of the papers from N times `page` on
- words-N.js: `[word, sets]`; the sets, joined by `.`, are of the papers in which it stands in the
  title, else in a name or topic, else among the authors, else in the text
- key-N.js: of the Nth key the set of papers of each value
- spelling.js: the words of the most papers, the most frequent first
- titles.js: the papers in the order of their titles
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classifier.site import paths
from classifier.site.browse_keys import BrowseKey, browse_keys, term_numbers
from classifier.site.listing import newest_first
from classifier.site.search_index import compact_json, index_script, paper_columns, written_keys
from classifier.site.search_words import fold, indexed_words
from classifier.survey.entry import Entry
from classifier.survey.facts.terms import NONE
from classifier.survey.survey import Survey

File = tuple[str, str]
"""Path from the top of the site, text."""

MAX_PAPERS_READ_WHOLE = 10_000
"""An index of more papers weighs more than a megabyte as a server sends it."""
_PAPERS_IN_A_PART = 25
_LETTERS_IN_A_PART = 50_000
_LETTERS_OF_SPELLING = 250_000
_FIELDS = ("titles", "names", "texts", "categories")


def is_sharded(edition: Survey) -> bool:
    """Say whether the index of a survey comes in parts."""
    return len(edition.entries) > MAX_PAPERS_READ_WHOLE


def search_shards(edition: Survey) -> Iterator[File]:
    """Yield the parts of the index. The same edition gives the same parts."""
    keys = browse_keys(edition)
    numbers = term_numbers(keys)
    entries = newest_first(edition.entries)
    size = len(entries)
    columns = paper_columns(edition, entries, numbers)
    holding = _holding(columns["terms"], len(numbers))
    words = _words(columns, _names(keys, nested=False), _names(keys, nested=True))
    first_words = yield from _word_parts(words, size)
    yield from _paper_parts(columns, size)
    yield from _key_parts(keys, holding, size)
    yield _spelling(words)
    digits = max(1, -(-size.bit_length() // 6))
    yield _part("titles", written_numbers(_by_title(entries), digits))
    directory = {
        "keys": written_keys(keys),
        "counts": [len(papers) for papers in holding],
        "size": size,
        "page": _PAPERS_IN_A_PART,
        "digits": digits,
        "words": first_words,
    }
    yield paths.SEARCH_INDEX, index_script(directory)


def _part(name: str, content: object) -> File:
    return f"{paths.SHARDS}/{name}.js", f'fieldguide.shard("{name}",{compact_json(content)});\n'


def _holding(terms: Sequence[Any], number: int) -> list[array[int]]:
    """Return number of a term -> the papers that it holds for, rising."""
    holding = [array("L") for _ in range(number)]
    for paper, held in enumerate(terms):
        for term in held:
            holding[term].append(paper)
    return holding


def _names(keys: Sequence[BrowseKey], *, nested: bool) -> list[frozenset[str]]:
    """Return number of a term -> the words of its name; none where nobody searches for it.

    nested: those of categories, else those of what texts name.
    """
    return [
        frozenset(
            indexed_words(value.label)
            if key.searched and key.nested == nested and value.id != NONE
            else ()
        )
        for key in keys
        for value in key.values
    ]


def _words(
    columns: Mapping[str, Sequence[Any]],
    names: Sequence[frozenset[str]],
    categories: Sequence[frozenset[str]],
) -> dict[str, array[int]]:
    """Return word -> papers that hold it, rising: paper x 4 + the best field that it stands in."""
    words: dict[str, array[int]] = {}
    texts = (columns["titles"], columns["terms"], columns["authors"], columns["texts"])
    for paper, (title, terms, authors, text) in enumerate(zip(*texts, strict=True)):
        fields = (
            indexed_words(title),
            frozenset[str]().union(*(names[term] for term in terms)),
            indexed_words(authors) | indexed_words(text),
            frozenset[str]().union(*(categories[term] for term in terms)),
        )
        best: dict[str, int] = {}
        for field, found in enumerate(fields):
            for word in found:
                best.setdefault(word, paper * len(_FIELDS) + field)
        for word, place in best.items():
            if word in words:
                words[word].append(place)
            else:
                words[word] = array("L", (place,))
    return words


def _word_parts(words: Mapping[str, array[int]], size: int) -> Generator[File, None, list[str]]:
    """Yield the parts of words, and return the first word of each."""
    firsts: list[str] = []
    part: list[list[str]] = []
    letters = 0
    for word in sorted(words, key=_as_browsers_sort):
        sets = _sets(words[word], size)
        if part and letters + len(word) + len(sets) > _LETTERS_IN_A_PART:
            yield _part(f"words-{len(firsts) - 1}", part)
            part, letters = [], 0
        if not part:
            firsts.append(word)
        part.append([word, sets])
        letters += len(word) + len(sets)
    if part:
        yield _part(f"words-{len(firsts) - 1}", part)
    return firsts


def _as_browsers_sort(text: str) -> bytes:
    """Return what sorts as JavaScript compares texts: by units of UTF-16."""
    return text.encode("utf-16-be", "surrogatepass")


def _sets(places: array[int], size: int) -> str:
    by_field: list[list[int]] = [[] for _ in _FIELDS]
    for place in places:
        by_field[place % len(_FIELDS)].append(place // len(_FIELDS))
    return ".".join(written_set(papers, size) if papers else "" for papers in by_field)


def _paper_parts(columns: Mapping[str, Sequence[object]], size: int) -> Iterator[File]:
    for number, start in enumerate(range(0, size, _PAPERS_IN_A_PART)):
        shown = slice(start, start + _PAPERS_IN_A_PART)
        content = {name: column[shown] for name, column in columns.items()}
        yield _part(f"papers-{number}", content)


def _key_parts(
    keys: Sequence[BrowseKey], holding: Sequence[array[int]], size: int
) -> Iterator[File]:
    start = 0
    for number, key in enumerate(keys):
        end = start + len(key.values)
        yield _part(f"key-{number}", [written_set(papers, size) for papers in holding[start:end]])
        start = end


def _spelling(words: Mapping[str, array[int]]) -> File:
    """Return the words of the most papers: whoever mistypes a word hardly means a rare one."""
    frequent = sorted(words, key=lambda word: (-len(words[word]), word))
    kept: list[str] = []
    letters = 0
    for word in frequent:
        letters += len(word) + 1
        if letters > _LETTERS_OF_SPELLING:
            break
        kept.append(word)
    return _part("spelling", " ".join(kept))


def _by_title(entries: Sequence[Entry]) -> list[int]:
    """Return the places of papers in the order of their folded titles."""
    titles = [_as_browsers_sort(fold(entry.paper.title_display)) for entry in entries]
    return sorted(range(len(entries)), key=titles.__getitem__)


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
