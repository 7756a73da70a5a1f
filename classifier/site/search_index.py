"""search-index.js: what the browser needs to find papers and to show them in a list.

A classic script that sets one variable, `fieldguideIndex`, since a page opened from the disk may
load scripts and no other file. One column a property, papers in the order of the newest first:

| property | value |
|---|---|
| keys | what can be asked, as `BrowseKey`; `values` are `[id, label, phrase]` |
| pages | the slug of each paper: its page is `p/SLUG.html` |
| titles | the display title |
| authors | names joined by `; `, the last `et al.` where more are known; else the organisation |
| dates | ISO 8601, cut where knowledge ends, or "" |
| texts | the beginning of the sentence that says what the paper does |
| terms | the numbers of the terms that hold for it, rising: places among the values of all keys |
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from unicodedata import category, normalize

from classifier.papers.names import plain_name
from classifier.papers.paper import Paper
from classifier.site.browse_keys import BrowseKey, browse_keys, term_numbers
from classifier.site.listing import newest_first
from classifier.survey.entry import Entry
from classifier.survey.facts import Term, entry_terms
from classifier.survey.survey import Survey

# Five thousand papers are to stay below 700 KB when compressed: texts and authors weigh the most.
_MOST_AUTHORS = 8
_LONGEST_TEXT = 200


def search_index(edition: Survey) -> str:
    """Return the script. The same edition gives the same text."""
    keys = browse_keys(edition)
    columns = {
        "keys": written_keys(keys),
        **paper_columns(edition, newest_first(edition.entries), term_numbers(keys)),
    }
    return index_script(columns)


def index_script(columns: Mapping[str, object]) -> str:
    """Return the script that sets the variable."""
    written = ",\n".join(f'"{name}":{compact_json(column)}' for name, column in columns.items())
    return f"var fieldguideIndex={{\n{written}\n}};\n"


def paper_columns(
    edition: Survey, entries: Sequence[Entry], numbers: Mapping[Term, int]
) -> dict[str, list[object]]:
    """Return what is shown of papers and what holds for them; numbers: term -> its number."""
    return {
        "pages": [entry.slug for entry in entries],
        "titles": [entry.paper.title_display for entry in entries],
        "authors": [indexed_authors(entry.paper) for entry in entries],
        "dates": [entry.paper.published.date for entry in entries],
        "texts": [shortened(entry.contribution) for entry in entries],
        "terms": [_terms(edition, entry, numbers) for entry in entries],
    }


def written_keys(keys: Sequence[BrowseKey]) -> list[object]:
    """Return keys with their values, ready for JSON."""
    return [_key(key) for key in keys]


def _key(key: BrowseKey) -> dict[str, object]:
    """Return a key without what is false of it."""
    fields = {name: value for name, value in asdict(key).items() if value is not False}
    return {**fields, "values": [[value.id, value.label, value.phrase] for value in key.values]}


def _terms(edition: Survey, entry: Entry, numbers: Mapping[Term, int]) -> list[int]:
    return sorted({numbers[term] for term in entry_terms(edition.taxonomy, entry)})


def compact_json(value: object) -> str:
    """Return a value as JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def indexed_authors(paper: Paper) -> str:
    """Return the authors that can be searched for, the organisation where none is known, or "".

    >>> indexed_authors(Paper("T", authors=("Ada One", "Ben Two"), author_count=4))
    'Ada One; Ben Two; et al.'
    """
    if not paper.authors:
        return paper.organisation
    shown = [plain_name(name) for name in paper.authors[:_MOST_AUTHORS]]
    more = paper.has_more_authors or len(paper.authors) > len(shown)
    return "; ".join((*shown, "et al.") if more else shown)


def shortened(text: str) -> str:
    """Return a text cut behind a word, with an ellipsis where it goes on.

    >>> shortened("Presents a method."), shortened("word " * 50)[-11:]
    ('Presents a method.', 'word word …')
    """
    if len(text) <= _LONGEST_TEXT:
        return text
    return text[: _LONGEST_TEXT - 1].rpartition(" ")[0].rstrip(" ,;:") + " …"


STOP_WORDS = frozenset(
    "a al an and are as at be by can et for from has in is it its of on or that the their this "
    "to via we which with".split()
)
_UNFOLDED = {
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
}  # fmt: skip
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
        "sigma tau upsilon phi chi psi omega".split(),
        strict=True,
    )
)
# A Greek letter by itself is read by its name: τ-bench is tau-bench.
_LONE_GREEK = re.compile("(?<![α-ω])[α-ω](?![α-ω])")
_LETTER = r"[^\W_]"
# Unicode's script Han, whose texts have no spaces.
_HAN = (
    "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9\U00016fe2\U00016fe3\U00016ff0\U00016ff1"
    "\U00020000-\U0002a6df\U0002a700-\U0002ebe0\U0002f800-\U0002fa1d\U00030000-\U000323af"
)
_COMPOUND = re.compile(rf"{_LETTER}+(?:[-\u2010\u2011\u2013'\u2019.]{_LETTER}+)*")
_PART = re.compile(rf"[{_HAN}]|(?:(?![{_HAN}]){_LETTER})+")
_ASCII_PART = re.compile(r"[A-Za-z0-9]+")
_ASCII_HUMP = re.compile(r"([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])")


def fold(text: str) -> str:
    """Return a text in small letters without accents.

    >>> fold("Łukasz Müller"), fold("τ²-bench")
    ('lukasz muller', 'tau2-bench')
    """
    if text.isascii():
        return text.lower()
    letters = (c for c in normalize("NFKD", text) if not category(c).startswith("M"))
    folded = "".join(_UNFOLDED.get(c, c) for c in "".join(letters).lower())
    return _LONE_GREEK.sub(lambda letter: _GREEK.get(letter[0], letter[0]), folded)


def indexed_words(text: str) -> set[str]:
    """Return the words of a text and other ways to write them, without those that stand everywhere.

    >>> sorted(indexed_words("The WebArena of SWE-bench"))
    ['arena', 'bench', 'swe', 'swebench', 'web', 'webarena']
    """
    words: set[str] = set()
    for compound in _COMPOUND.findall(text):
        words |= _words_of(compound)
    return words


@lru_cache(maxsize=2**16)
def _words_of(compound: str) -> frozenset[str]:
    parts = _parts(compound)
    words = set(parts)
    if len(parts) > 1:
        words.add("".join(parts))
    apart = _humps_apart(compound)
    if apart != compound:
        words.update(_parts(apart))
    return frozenset(words - STOP_WORDS)


def _parts(text: str) -> list[str]:
    folded = fold(text)
    return (_ASCII_PART if folded.isascii() else _PART).findall(folded)


def _humps_apart(compound: str) -> str:
    """Return a name with a space before each part of it that begins with a capital."""
    if compound.isascii():
        return _ASCII_HUMP.sub(r"\1\3 \2", compound)
    kinds = [category(letter) for letter in compound] + ["", ""]
    apart, at = "", 0
    while at < len(compound):
        if kinds[at : at + 2] == ["Ll", "Lu"]:
            apart += f"{compound[at]} {compound[at + 1]}"
            at += 2
        else:
            apart += compound[at] + " " * (kinds[at : at + 3] == ["Lu", "Lu", "Ll"])
            at += 1
    return apart
