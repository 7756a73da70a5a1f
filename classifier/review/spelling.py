"""Parse the categories in a reviewer's cell, with `add` and `drop`, in any case and quotes."""

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
# A sign is followed by a word: `-` alone is a list mark.
_SIGN = re.compile(r"([+-])\s*(?=\w)")


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a typed list."""

    text: str
    """As typed, without `add` or `drop`."""
    sign: Sign
    """The change; "" in a full list."""
    category: str | None
    """Id of the current category; None if unknown."""
    instead_of: str = ""
    """Id of the typed category if `category` replaced it; else ""."""


@dataclass(frozen=True)
class Spellings:
    """The spellings of a facet's categories: ids, names, aliases."""

    facet: Facet

    def read(self, cell: str) -> list[Item]:
        """Return the entries of a cell in order; `add` and `drop` also apply after a comma.

        Entries are separated by semicolons, commas or newlines. A name may contain a separator:
        the longest name wins.
        """
        parts = _SEPARATORS.split(plain_characters(cell))
        items: list[Item] = []
        position = 0
        verb: Sign = ""
        while position < len(parts):
            length, item = self._longest_entry(parts[position : position + 2 * self._max_parts - 1])
            if item is not None:
                if position == 0 or parts[position - 1] not in _COMMAS:
                    verb = ""
                items.append(replace(item, sign=item.sign or verb))
                if item.sign:  # `+` and `-` apply to their entry alone
                    verb = item.sign if _VERB.match(parts[position].strip()) else ""
            position += length + 1
        return items

    def _longest_entry(self, parts: list[str]) -> tuple[int, Item | None]:
        """Return the number of parts of the first entry, and the entry; None if it is empty."""
        for length in range(len(parts), 0, -2):
            for sign, text in _possible_readings("".join(parts[:length]).strip()):
                typed = self._categories_by_spelling.get(
                    _spelling_key(text)
                ) or self._categories_by_spelling.get(_spelling_key(_strip_quotes(text)))
                if typed is not None:
                    current = self.facet.resolve(typed.id)
                    old_id = typed.id if current and current.id != typed.id else ""
                    return length, Item(text, sign, current.id if current else None, old_id)
        sign, text = list(_possible_readings(parts[0].strip()))[-1]
        return 1, Item(text, sign, None) if text else None

    @cached_property
    def order(self) -> dict[str, int]:
        """Position in the taxonomy, by category id."""
        return {category.id: number for number, category in enumerate(self.facet.walk())}

    @cached_property
    def _categories_by_spelling(self) -> dict[str, Category]:
        return self.facet.by_normalised_name(_spelling_key)

    @cached_property
    def _max_parts(self) -> int:
        return max(len(_SEPARATORS.findall(form)) for form in self._categories_by_spelling) + 1


def plain_characters(cell: str) -> str:
    """Return `cell` with plain characters.

    Full-width characters, non-breaking blanks, curly quotes and dashes become their ASCII forms;
    invisible characters are removed.

    >>> plain_characters("“safety”；\\u00a0ｏｋ\\u200b")
    '"safety"; ok'
    """
    text = unicodedata.normalize("NFKC", cell.translate(_SIGNS)).translate(_SIGNS)
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _possible_readings(text: str) -> Iterator[tuple[Sign, str]]:
    """Yield (sign, name) of an entry: the whole entry, then the entry without its verb or sign."""
    yield "", text
    found = _VERB.match(text) or _SIGN.match(text)
    if found:
        yield _VERBS[found[1].lower()], text[found.end() :].strip()


def _strip_quotes(text: str) -> str:
    return text.rstrip(".").strip("\"' ").rstrip(".")


@lru_cache(maxsize=2**12)  # Many rows have the same few names.
def _spelling_key(text: str) -> str:
    return " ".join(_WORD_JOINER.sub(" ", plain_characters(text)).split()).casefold()


_WORD_JOINER = re.compile(r"(?<=\w)[-_](?=\w)|_")
"""A hyphen in a word equals a blank: `agent-architecture` is “Agent architecture”."""
_MAX_LISTED = 15


def spelling_hint(unknown: Sequence[str], facet: Facet) -> str:
    """Return a hint about the `unknown` entries of a cell: similar names, or all categories."""
    names = [name for each in facet.walk() for name in (each.id, each.name)]
    hints = dict.fromkeys(did_you_mean(plain_characters(text), names) for text in unknown)
    more = ", …" if len(facet.ids) > _MAX_LISTED else ""
    listed = f"Categories: {', '.join(facet.ids[:_MAX_LISTED])}{more}."
    return " ".join(filter(None, hints)) or listed
