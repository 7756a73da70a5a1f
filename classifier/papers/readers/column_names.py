"""Find the field for a table column or a JSON key by its name.

The names are in `headers.yaml`. A role is one of: a field of a paper; part of a field (`month`,
`subcollection`); `ids` or `extra`, whose cells may contain ids; or a CSL variable after a colon.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz, process

from classifier.papers.words import load_words

_HEADERS: Final = Path(__file__).with_name("headers.yaml")
_MIN_TAGS: Final = 5
# Columns of screening tools, and columns that many tables have and no field takes.
_NOT_READ: Final = re.compile(
    r"asreview .*|notes?|reasons?|cited by|times cited|affiliations?"
    r"|(?:exclusion|excluded|exclude) reasons?|reasons? for exclusion"
)
_NAMES_OF_FIELDS: Final = ("title", "authors", "abstract", "year", "keywords", "journal", "venue")
_MIN_LENGTH_OF_TYPO: Final = 4
_MIN_LIKENESS: Final = 85
"""Minimum likeness of a misspelt name, in percent."""

Roles = dict[int, tuple[str, int]]
"""Position of a column -> its role and the rank of its name; 0 is the best rank."""
_Ranked = Mapping[str, tuple[str, int]]


@lru_cache(2**12)  # every cell above the papers may be the name of a column
def fold_name(name: str) -> str:
    """Normalise a column name for comparison: lower case, one blank between words.

    >>> fold_name(" Author(s)_ID "), fold_name("publicationDate"), fold_name("ＤＯＩ")
    ('author s id', 'publication date', 'doi')
    """
    name = unicodedata.normalize("NFKC", name[:200])
    if not name.isupper():
        name = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)
    return " ".join(re.sub(r"[\W_]+", " ", name.casefold()).split())


@cache
def _roles_of_names() -> _Ranked:
    """Return (role, rank) by the normalised name without blanks; the first role counts."""
    roles: dict[str, tuple[str, int]] = {}
    for role, names in load_words(_HEADERS)["names"].items():
        for rank, name in enumerate(names):
            roles.setdefault(fold_name(name).replace(" ", ""), (role, rank))
    return roles


@cache
def _roles_of_tags() -> tuple[_Ranked, ...]:
    """Return the role and rank of each tag, for each set of tags."""
    return tuple(
        {tag: (role, rank) for role, tags in roles.items() for rank, tag in enumerate(tags)}
        for roles in load_words(_HEADERS)["tags"].values()
    )


def role_of_name(name: str) -> tuple[str, int] | None:
    """Return the role of a column and the rank of its name (0 is best), or None."""
    return _roles_of_names().get(fold_name(name).replace(" ", ""))


def roles_of(header: Sequence[str]) -> Roles:
    """Return the roles of the columns in a header, by their names or by two-letter tags."""
    stripped = [name.strip() for name in header]
    tags = max(_roles_of_tags(), key=lambda roles: len(roles.keys() & set(stripped)))
    known = [name for name in stripped if name in tags]
    if len(known) >= _MIN_TAGS and any(tags[name][0] == "title" for name in known):
        return {at: tags[name] for at, name in enumerate(stripped) if name in tags}
    found = ((at, role_of_name(name)) for at, name in enumerate(header) if len(name) < 100)
    return {at: role for at, role in found if role is not None}


def closest_name(name: str) -> str:
    """Return the known column name of which `name` is a misspelling, or "".

    >>> closest_name("Tittle"), closest_name("Notes on bread"), closest_name("Title")
    ('Title', '', '')
    """
    folded = fold_name(name)
    if len(folded) < _MIN_LENGTH_OF_TYPO or role_of_name(name) or is_ignored_name(name):
        return ""
    near = process.extractOne(
        folded, _NAMES_OF_FIELDS, scorer=fuzz.ratio, score_cutoff=_MIN_LIKENESS
    )
    return near[0].capitalize() if near else ""


def is_ignored_name(name: str) -> bool:
    """Return whether a column is known and ignored, so that no warning is needed."""
    return bool(_NOT_READ.fullmatch(fold_name(name)))
