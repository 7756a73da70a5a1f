"""Words of a paper within a sentence of the survey: where they stand in the paper.

What may differ between the two is written down here, and nothing else may:

1. The paper's text is taken in display form (`classifier.text.normalise.DISPLAY_RULES`).
2. A run of blanks is one blank.
3. Backslashes that keep Markdown from reading a sign are not part of the text.
4. The first letter of a paraphrase may be small where the paper's is a capital, as our own words
   stand before it.
5. A paraphrase may leave the full stop at its end to the sentence that it stands in.
6. A quotation mark whose fellow stands in another sentence is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from classifier.text.roles import RoledSentence

_ESCAPED = re.compile(r"\\([\\`*_{}\[\]<>|#()!.+~-])")
_QUOTED = re.compile(r"“([^“”]+)”")


def unmarked(text: str) -> str:
    r"""Return a sentence of the survey as it reads: blanks folded, no escapes.

    >>> unmarked(r"It wins \[3\]  with a\_b.")
    'It wins [3] with a_b.'
    """
    return " ".join(_ESCAPED.sub(r"\1", text).split())


def says(text: str, words: str) -> bool:
    """Say whether the sentence `text` holds the words of a paper; see above for what may differ.

    >>> says(r"*Bend* \\[1\\] proposes a way.", "Proposes a way."), says("It bends.", "Bends it.")
    (True, False)
    """
    plain = " ".join(words.split())  # its backslashes are its own
    return bool(words) and any(form in unmarked(text) for form in _forms(plain))


def balanced(words: str) -> str:
    """Return the words of a paper without the quotation marks that have no fellow in them.

    >>> balanced("A “rye” loaf.”"), balanced('Bees say "bread')
    ('A “rye” loaf.', 'Bees say bread')
    """
    stray: list[int] = []
    for place, sign in enumerate(words):
        if sign == "”" and stray and words[stray[-1]] == "“":
            stray.pop()
        elif sign in "“”":
            stray.append(place)
    if words.count('"') % 2:
        stray.append(words.rindex('"') if words.endswith(('"', '".')) else words.index('"'))
    left_out = set(stray)
    return "".join(sign for place, sign in enumerate(words) if place not in left_out)


def span_told(text: str, source: str, sentences: Iterable[RoledSentence]) -> tuple[int, int] | None:
    """Return where the words of a paper that `text` tells stand in `source`, or None.

    Looked for are what stands in quotation marks, then the longest of the paper's sentences.
    """
    for quoted in _QUOTED.findall(text):
        start = source.find(unmarked(quoted))
        if start >= 0:
            return start, start + len(unmarked(quoted))
    found = [item.span for item in sentences if says(text, item.span.text)]
    longest = max(found, key=lambda span: (span.end - span.start, -span.start), default=None)
    return (longest.start, longest.end) if longest else None


def _forms(words: str) -> Iterator[str]:
    for said in dict.fromkeys((words, balanced(words))):
        small = said[:1].lower() + said[1:]
        yield from (said, small)
        if said.endswith("."):
            yield from (said[:-1], small[:-1])
