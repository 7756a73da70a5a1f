"""What may be coming up: words that papers share and no category explains."""

from __future__ import annotations

from classifier.survey.document import Section
from classifier.survey.draft import Draft, paragraphs
from classifier.survey.emerging import Emerging, emerging_groups
from classifier.survey.material import Material
from classifier.survey.sections.rules import own_words
from classifier.survey.wording import citations, counted, joined, linked, number, opening, verb

_MOST_PLACES = 3

_INTRODUCTION = (
    "These pairs of words stand in titles or contributions of at least three papers, though no "
    "name, definition, cue or list of the taxonomy knows both words: a theme that the categories "
    "cut across, or one that may ask for a category."
)


def emerging_sections(material: Material) -> list[Section]:
    """Return the section on what no category explains; none where nothing stands out."""
    groups = emerging_groups(material.taxonomy, material.entries, choices=material.choices)
    if not groups:
        return []
    drafts = [_group(material, group) for group in groups]
    blocks = paragraphs("emerging", [own_words("introduction", _INTRODUCTION)], drafts)
    return [Section("emerging", "Emerging: what no category explains", 1, tuple(blocks))]


def _group(material: Material, group: Emerging) -> Draft:
    """Which papers share the words, where they are filed, and how surely."""
    facts, slug = material.facts, group.words.replace(" ", "-")
    size, fact = len(group.entries), f"emerging.{slug}"
    asked = f"papers with “{group.words}” in the title or in the sentence on what they do"
    facts.add(fact, size, asked)
    sources = [fact]
    places = list(dict.fromkeys(entry.first.primary for entry in group.entries))
    named = [linked(c) for c in material.categories if c.id in places]
    filed = f"under {joined(named)}" if len(named) <= _MOST_PLACES else "in several categories"
    text = (
        f"{opening(counted(size, 'paper'))} share the words *{group.words}* "
        f"{citations(group.entries)} and are filed {filed}"
    )
    if group.unsure:
        facts.add(f"{fact}.provisional", group.unsure, f"{asked}, filed provisionally")
        sources.append(f"{fact}.provisional")
        which = "all" if group.unsure == size else number(group.unsure)
        text += f"; {which} of these labels {verb(group.unsure, 'is', 'are')} provisional"
    return Draft(slug, f"{text}.", "T", "facts: " + ", ".join(sources))
