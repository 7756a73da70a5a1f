"""What people type into a cell, read as categories: any case, any quotes, `;` or `,`, changes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from classifier.taxonomy.model import Category, Facet
from classifier.text.normalise import did_you_mean

Sign = Literal["", "add", "drop"]

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_SEPARATORS = re.compile(r"([;,、\n])")
_COMMAS = (",", "、")
_VERB = re.compile(r"(add|drop|remove)(?:\s*:\s*|\s+)(?=\S)", re.IGNORECASE)
_VERBS: dict[str, Sign] = {"add": "add", "drop": "drop", "remove": "drop", "+": "add", "-": "drop"}
# A sign without a word behind it is what stands in lists: `-` alone names nothing.
_SIGN = re.compile(r"([+-])\s*(?=\w)")


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list that somebody typed."""

    text: str
    """As typed, without `add` or `drop`."""
    sign: Sign
    """What to do with it; "" in a full list."""
    category: str | None
    """The id of the category in use that is meant; None where none is."""
    instead_of: str = ""
    """The id of the retired category that was named, where `category` took its place."""


@dataclass(frozen=True)
class Spellings:
    """How the categories of a facet may be written: ids, names, aliases."""

    facet: Facet

    def read(self, cell: str) -> list[Item]:
        """Return the entries of a cell in order; `add` and `drop` hold on over commas.

        Entries are separated by semicolons, commas or newlines. A name may hold such a sign: of
        several readings the longest name is taken.
        """
        parts = _SEPARATORS.split(plain(cell))
        items: list[Item] = []
        position = 0
        verb: Sign = ""
        while position < len(parts):
            length, item = self._longest(parts[position : position + 2 * self._most_parts - 1])
            if item is not None:
                if position == 0 or parts[position - 1] not in _COMMAS:
                    verb = ""
                items.append(replace(item, sign=item.sign or verb))
                if item.sign:  # a sign without a word holds for its entry alone
                    verb = item.sign if _VERB.match(parts[position].strip()) else ""
            position += length + 1
        return items

    def _longest(self, parts: list[str]) -> tuple[int, Item | None]:
        """Return how many parts the first entry takes, and the entry; None where it is empty."""
        for length in range(len(parts), 0, -2):
            for sign, text in _readings("".join(parts[:length]).strip()):
                named = self._by_form.get(_form(text)) or self._by_form.get(_form(_bare(text)))
                if named is not None:
                    meant = self.facet.resolve(named.id)
                    before = named.id if meant and meant.id != named.id else ""
                    return length, Item(text, sign, meant.id if meant else None, before)
        sign, text = list(_readings(parts[0].strip()))[-1]
        return 1, Item(text, sign, None) if text else None

    @cached_property
    def order(self) -> dict[str, int]:
        """Category id -> its place in the taxonomy."""
        return {category.id: place for place, category in enumerate(self.facet.walk())}

    @cached_property
    def _by_form(self) -> dict[str, Category]:
        return self.facet.by_form(_form)

    @cached_property
    def _most_parts(self) -> int:
        """How many parts the longest name falls into."""
        return max(len(_SEPARATORS.findall(form)) for form in self._by_form) + 1


def plain(cell: str) -> str:
    """Return `cell` without what spreadsheets and keyboards slip in.

    Full-width signs and non-breaking blanks become plain ones, smart quotes and dashes straight
    ones, invisible signs go.

    >>> plain("“safety”；\\u00a0ｏｋ\\u200b")
    '"safety"; ok'
    """
    text = unicodedata.normalize("NFKC", cell.translate(_SIGNS)).translate(_SIGNS)
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _readings(text: str) -> Iterator[tuple[Sign, str]]:
    """Yield the ways to read an entry: as it stands, then without a verb or sign before it."""
    yield "", text
    found = _VERB.match(text) or _SIGN.match(text)
    if found:
        yield _VERBS[found[1].lower()], text[found.end() :].strip()


def _bare(text: str) -> str:
    """Return a name without quotes around it and a full stop behind it."""
    return text.rstrip(".").strip("\"' ").rstrip(".")


@lru_cache(maxsize=2**12)  # the same few names, many thousand times
def _form(text: str) -> str:
    """Return the form in which two spellings of a name are the same."""
    return " ".join(_WORD_JOINER.sub(" ", plain(text)).split()).casefold()


_WORD_JOINER = re.compile(r"(?<=\w)[-_](?=\w)|_")
"""A hyphen in a word stands for a blank: `agent-architecture` is also “Agent architecture”."""
_MOST_LISTED = 15


def cure_of(unknown: Sequence[str], facet: Facet) -> str:
    """Return what the writer of a cell should do about its `unknown` entries."""
    names = [name for each in facet.walk() for name in (each.id, each.name)]
    cures = dict.fromkeys(did_you_mean(plain(text), names) for text in unknown)
    more = ", …" if len(facet.ids) > _MOST_LISTED else ""
    listed = f"There are: {', '.join(facet.ids[:_MOST_LISTED])}{more}."
    return " ".join(filter(None, cures)) or listed
