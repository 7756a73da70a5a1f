"""The new taxonomy.yaml as a text that teaches how to go on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from classifier.taxonomy.dump import taxonomy_yaml
from classifier.taxonomy.model import Taxonomy

_TOP: Final = """\
What this survey is about: the one file that you write. Everything else is made from it.

  fieldguide check          says what is wrong or doubtful in it, with the line
  fieldguide build          makes the survey: open out/index.html
  fieldguide check --deep   says which cues mislead, and which categories overlap

{origin}"""
_FILED: Final = """\
The categories are those that your papers were filed under before; where each paper was filed
stands in reviews.csv as a decision (drawn_by imported). Rename, merge, split as you like."""
_DRAFTED: Final = """\
Your papers were filed nowhere, so the categories are a draft: subjects that groups of papers
share. What to do next, in twenty minutes:
  1. fieldguide build; read a few titles of each category in out/index.html
  2. rename, merge and delete here until each is a subject that your field would name
  3. write definitions; `fieldguide check --suggest` proposes cues for what you changed
  4. fieldguide review serve: ten answers show where the cues mislead"""

# The line before which a comment goes, the first time that it occurs, and the comment.
_COMMENTS: Final = (
    (
        r"survey:$",
        "What the survey is called. Add `scope: |` with a paragraph on what is in and what is\n"
        "out, and `editors: [Your Name]`: both are printed.",
    ),
    (
        r"facets:$",
        "The questions asked of every paper. By the first the survey is grouped; a second one\n"
        "could be `design` (kind: single): trial, interviews, review …",
    ),
    (
        r" +kind: multi$",
        "multi: several categories may apply, at most `at_most`; one of them is the primary.",
    ),
    (
        r" +- id: ",
        "One category. The id is for ever (links and reviews hang on it), the name may change.",
    ),
    (
        r" +definition: ",
        "Printed in the survey. Say in a sentence or two what belongs here, and what does not.",
    ),
    (
        r" +cues:$",
        "Phrases that speak for the category, for papers that nobody filed: in the title, in\n"
        "what the paper says that it does (`contribution:`), or anywhere. `against:` speaks\n"
        "against it. `word~` allows inflections, `_` is one open word.",
    ),
    (
        r" +exemplars:",
        "Titles of papers that are certainly in: they teach like a decision.",
    ),
    (
        r" +children:$",
        "Parts of a category, of the same shape. Their ids begin with the category's.",
    ),
)  # fmt: skip


def lesson_yaml(taxonomy: Taxonomy, *, filed: bool, notes: Mapping[str, str]) -> str:
    """Return `taxonomy` as YAML, with a comment at the first of each of its parts.

    notes: category id -> what stands above it as a comment.
    """
    top = _TOP.format(origin=_FILED if filed else _DRAFTED)
    lines = taxonomy_yaml(taxonomy, top).split("\n")
    for identity, note in notes.items():
        above = next(n for n, line in enumerate(lines) if re.match(rf" +- id: {identity}$", line))
        lines[above:above] = ["", *(f"      # {line}" for line in note.split("\n"))]
    for pattern, comment in _COMMENTS:
        at = next((n for n, line in enumerate(lines) if re.match(pattern, line)), None)
        if at is not None:
            indent = re.match(" *", lines[at])
            blanks = indent[0] if indent else ""
            lines[at:at] = [f"{blanks}# {line}" for line in comment.split("\n")]
    return "\n".join(lines)
