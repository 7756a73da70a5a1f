"""Sentences that say what a paper says: its own words with its name put to them."""

from __future__ import annotations

import re

from classifier.survey.draft import Draft, told
from classifier.survey.edition import Entry
from classifier.survey.paper_names import called, short_name

_VERB = re.compile(r"[A-Z][a-z]+(?:s|ses|zes)\b(?<!us)(?<!ss)")
# "Introduces WebDancer, a web agent that …" behind the name WebDancer: "… is a web agent that …".
_INTRODUCES = r"(?:Introduces|Presents|Proposes|Releases|Develops|Describes|Builds|Creates)"
_NAMED_ONCE = r"{verb} (?:the )?(?:[^,.;:]{{0,60}}\()?{name}\)?(?: \([^)]*\))?, (?=(?:an?|the) )"


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
    repeated = re.match(_NAMED_ONCE.format(verb=_INTRODUCES, name=known), stated)
    said = f"is {stated[repeated.end() :]}" if repeated else stated[:1].lower() + stated[1:]
    return told(name, f"{lead}{called(entry)} {said}", entry)


def told_behind(name: str, entry: Entry, stated: str) -> Draft:
    """Return what a paper says with its name behind, in parentheses."""
    if entry.paper.abstract_kind != "digest":
        return told(name, f"“{stated}” ({called(entry)}).", entry)
    return told(name, f"{stated.rstrip('.')} ({called(entry)}).", entry)
