"""Names of categories: make ids from text, and find categories by name."""

from __future__ import annotations

import re
import unicodedata

from classifier.errors import UsageError
from classifier.taxonomy.model import Category, Facet, Taxonomy
from classifier.taxonomy.reserved import SECTION_IDS
from classifier.text.normalise import did_you_mean

MAX_PART = 40
"""Maximum length of a part of an id, since ids name files."""
DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")
"""File names that Windows reserves for devices, with any ending."""


_GREEK = re.compile("[\u03b1-\u03c9\u0391-\u03a9]")


def slug(text: str) -> str:
    """Convert a text to part of an id, with Greek letters spelled out; "" if nothing is left.

    >>> slug("Réseaux de neurones (IA)"), slug("τ-bench"), slug("Größe"), slug("面包")
    ('reseaux-de-neurones-ia', 'tau-bench', 'grosse', '')
    """
    text = _GREEK.sub(lambda letter: unicodedata.name(letter[0]).split()[-1].lower(), text)
    plain = (
        unicodedata.normalize("NFKD", text.replace("ß", "ss"))
        .encode("ascii", "ignore")
        .decode()
        .lower()
    )
    return "-".join(re.findall("[a-z0-9]+", plain))


def file_name_of(slug_text: str) -> str:
    """Convert a slug to a valid file name.

    The name is shortened after a word, and is not the name of a Windows device or of a section.

    >>> file_name_of("con"), file_name_of("sources")
    ('con-papers', 'sources-papers')
    >>> file_name_of("the-waggle-dance-of-bees-and-of-nobody-else")
    'the-waggle-dance-of-bees-and-of-nobody'
    """
    if DEVICE.fullmatch(slug_text) or slug_text in SECTION_IDS:
        return f"{slug_text}-papers"
    if len(slug_text) <= MAX_PART:
        return slug_text
    words = slug_text[: slug_text.rfind("-", 0, MAX_PART + 1)]
    return words if "-" in slug_text[:MAX_PART] else slug_text[:MAX_PART]


def find_top_category(taxonomy: Taxonomy, text: str) -> tuple[Facet, Category]:
    """Return the top category with the id, name or alias `text`, and its facet.

    Raises UsageError if there is no such category, or if it is a child category.
    """
    facet, category = find_category(taxonomy, text)
    if category.id not in facet.ids:
        raise UsageError(
            f"--category {text}is a subcategory; expected a top category such as "
            f"{facet.top_id_of(category.id)}."
        )
    return facet, category


def find_category(taxonomy: Taxonomy, text: str) -> tuple[Facet, Category]:
    """Return the first category with the id, name or alias `text`, and its facet.

    Raises UsageError with the closest match if there is no such category.
    """
    for facet in taxonomy.facets.values():
        found = facet.resolve(text)
        if found is not None:
            return facet, found
    known = [name for facet in taxonomy.facets.values() for name in facet.ids]
    expected = f"'{text}' is not a category; expected one of {', '.join(known)}."
    raise UsageError(f"{expected} {did_you_mean(text, known)}".rstrip())
