"""Sentences that say what a paper says: its own words with its name put to them."""

from __future__ import annotations

import re

from classifier.survey.draft import Draft, told
from classifier.survey.edition import Entry
from classifier.survey.paper_names import called, short_name
from classifier.survey.wording import citations

_VERB = re.compile(r"[A-Z][a-z]+(?:s|ses|zes)\b(?<!us)(?<!ss)")
# "Introduces WebDancer, a web agent that …" behind the name WebDancer: "… is a web agent that …".
_NAMED_AGAIN = (
    r"(?:Introduces|Presents|Proposes|Releases|Develops|Describes|Builds|Creates) (?:the )?"
    r"(?:[^,.;:]{{0,60}}\()?(?i:{name})\)?(?: \([^)]*\))?(?:, |\b)"
)
_ARTICLE = re.compile(r"(?:an?|the) ")
# "… a benchmark of tasks, and Sci-Reproducer, a framework": the name is not both.
_TWO_THINGS = re.compile(r", and (?:the )?[A-Z][\w-]+(?:, an?| \w+,) ")


def told_of(name: str, entry: Entry, stated: str, lead: str = "") -> Draft:
    """Return what a paper says with the paper as its subject, `lead` in front.

    A digest tells what the paper does and opens with a verb, which then has its subject; where
    it names the paper again, the sentence says what the paper is. An abstract is quoted.
    """
    if entry.paper.abstract_kind != "digest":
        return told(name, f"{lead}{called(entry)} states: “{stated}”", entry)
    if not _VERB.match(stated):
        return told_behind(name, entry, stated)
    known = re.escape(short_name(entry.paper.title_display))
    repeated = re.match(_NAMED_AGAIN.format(name=known), stated)
    if repeated is None:
        return told(name, f"{lead}{called(entry)} {stated[:1].lower()}{stated[1:]}", entry)
    said = stated[repeated.end() :]
    if _TWO_THINGS.search(said) or not _ARTICLE.match(said):
        cited = citations([entry])
        return told(name, f"{lead}Paper {cited} {stated[:1].lower()}{stated[1:]}", entry)
    return told(name, f"{lead}{called(entry)} is {said}", entry)


def told_behind(name: str, entry: Entry, stated: str, lead: str = "") -> Draft:
    """Return what a paper says with its name behind, in parentheses; `lead` in front."""
    if entry.paper.abstract_kind != "digest":
        return told(name, f"{lead}“{stated}” ({called(entry)}).", entry)
    return told(name, f"{lead}{stated.rstrip('.')} ({called(entry)}).", entry)
