"""Quotations: which sentences can be quoted, and where in the paper's text the words are.

A sentence can be quoted if it is complete and is understood without the sentence before it. A
quotation is a slice of the published abstract, character for character; Markdown escapes are not
part of it. A paraphrase (of a digest) may begin with a small letter and leave out its full stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from classifier.papers.paper import Paper
from classifier.text.empty_words import EMPTY, FUNCTION_WORDS, LITTLE, is_adverb, is_participle
from classifier.text.normalise import tokens
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
    small = words[:1].lower() + words[1:]
    yield from (words, small)
    if words.endswith("."):
        yield from (words[:-1], small[:-1])


_LONGEST = 600
"""Signs of a sentence that is one; of more, its full stops were lost."""
# "It wins …", "Moreover, …", "We also …": what is meant stands before it.
_LEANS_BACK = re.compile(
    r"(?:"
    # somebody or something named before
    r"(?:[^,]{1,80}, |compared (?:to|with) .*, )?(?:it|s?he|they)"
    r"|(?:(?:the|an?) \w+ of |in )?(?:its|his|her|their)"
    r"|(?:(?:this|the|our) (?:\w+ )?(?:aim|article|goal|objective|paper|purpose|study|work)s?|we)"
    r"(?: \w+){1,4} (?:its|their)|\w+ of them|another|other|the other|both|such an?"
    r"|we \w+ this|to \w+ (?:it|so|them)|to allow"
    r"|the (?:\w+ )?(?:chapter|part|section)s?|the criteria|(?:in )?(?:our )?previous"
    r"|based on (?:\w+ )*(?:findings|results)|here(?!,? we\b)|there"
    # one step of an argument
    r"|(?:we \w+ that )?(?:(?!(?:and|but|that|which|who) )[^\s,;]+ ){0,14}also"
    r"|[^,]{3,80}, however|(?:\S+ ){0,9}(?:therefore|thus)|(?:more |most )?\w+ly,"
    r"|(?:final|last)ly|(?:second|third),|as (?:a result|our)|further(?:more)?|hence|however"
    r"|instead|meanwhile|moreover|nevertheless|nonetheless|that(?:['’]s| is)|then|having said"
    r"|from here|(?:taken )?together"
    r"|in (?:addition|contrast|each case|fact|particular|the process|turn)"
    r"|on the (?:contrary|other)|(?:[^,]{3,80}, )?(?:i|we) then"
    r"|we (?:\w+ )?(?:further|previously|then)"
    r")(?!\w)",
    re.IGNORECASE,
)
# "We first …" without what comes next.
_FIRST = re.compile(
    r"\b(?:firstly|first(?=,)|(?<=, )first|we (?:\w+ )?first|in a first"
    r"|the first (?:part|section|we))\b(?!.*\b(?:final(?:ly)?|next|second(?:ly)?|then)\b)",
    re.IGNORECASE,
)
# "A more detailed study is presented": than what?
_MORE = re.compile(r"an? (?:more|less) (?!.*\b(?:than|needed|require[sd]?)\b)", re.IGNORECASE)
# "… explores these values": whether what is meant has a name before it is seen by its two words.
_POINTS = re.compile(
    r"\b(?:this|these|those|such|(?<=of )that|(?<=that )the same|all (?:two|three|four|five|six)"
    r"|the (?:former|four|latter|resulting|subsequent|three|two))\b"
    r"(?! (?:an?|as|by|for|from|in|of|that|to|who|whose|with)\b)((?: [\w'’-]+){0,2})",
    re.IGNORECASE,
)
_ITSELF = frozenset(
    "article book case chapter dissertation essay letter manuscript note paper report"
    " research retrospective review study survey systematic thesis trial volume work".split()
)
"""What a paper calls itself, "this paper", "this systematic …": it needs no name before it."""
# "To review the evidence."
_AIM_ALONE = re.compile(r"To \w+ (?!.*, (?:an?|i|it|our|the|these|this|we)\b)", re.IGNORECASE)
_BROKEN = re.compile(
    "|".join(
        (
            # signs and blanks that were lost on the way into the file
            r"[\ufffd¿•†]|\"\"|\$[^$ ]*\$|&\w+;|\[Formula\b",
            r"\( \d|(?<![\w.'’–-])[b-hj-z] (?=[a-z])|\w,[a-z]{5}|[a-z]{3}[.,]\d|[a-z]{7}\. [a-z]",
            r"\b[A-Z][a-z](?:20|zO)\b",  # Cu₂O
            r"\b(?:the|of|in|and)[A-Z][a-z]|\bthe(?:[bcdeghjklpquvwxz]|i[^rs])[a-z]{3,}",
            r"[a-z]{2}- (?!and|or|to|but|versus)[a-z]{2}",
            r"\b((?i:an?|in|of|the|this|to|we)) (?i:\1) ",
            # what stands elsewhere
            r"\b(?:address|described|discussed|mentioned|presented|the) above\b|\baforementioned\b",
            r"\b(?:the|see) (?:Fig\.|Figure\b)|\bthis issue['’]s|\bthe model['’]s\b|\[\d-",
            r"\((?:research )?(?:aim|hypothesis|objective|question) \d"
            r"|\b(?i:experiments? \d)|\bStud(?:y|ies) \d",
            r"\b(?:either|two) groups?\b|\bbetween (?:the )?groups\b",
            r"\b[Tt]he (?:\w+ )?samples?\b|\bboth (?!.*\band\b)",
            r"\b(?:between|for|in|of|than) [Gg]roups? (?:[AB]|\d|I+)\b",
            r"\b(?:complex|compound|\w*ligand)(?:es|s)? \d|(?<![\w.-])\d{1,2}[abc]\b",
            r"\bthe (?:issue|problem)s?(?: (?:at|by)\b|\.$)",
            r"\bsimilar (?:analys[ei]s|methods?|stud(?:y|ies))\b(?! (?:as|to)\b)",
            r"\b(?:current|earlier|present|previous) (?:findings|observations|results|studies)\.$",
            r"\bour (?:earlier|previous) \w+",
            # headings
            r"^[A-Z][A-Z /&]{3,}:|^[A-Z]\w+(?:/\w+)+[:>]|(?i:\btrial registration\b)",
            r"^(?:Aims?|Areas covered|Background|Location|Methods?|Purpose|Results?|Study focus)"
            r"(?::| [-–] | [A-Z])",
            # praise, and what speaks to buyers
            r"(?i:\byou\b|\bback cover|\bhighly accessible|\bof its kind|\bunprecedented\b"
            r"|\b(?:compelling|fascinating|profound|provocative|radiant)\b"
            r"|\bsignificant contributions\b)",
            # the items of a list whose lead stands before it
            r"^\(?\d{1,2}\) ",
            # no verb
            r"^In this \w+, an? (?!.*\b(?:is|are|was|were|has|have)\b)",
            # a beginning or an end that was cut off
            r"^(?:[a-z]{2,}[\s,]|[,;:)\]]|\[[\d.]|\([^)]*\)(?:[ ,]|$))",
            r"(?:\.\.\.|[^.!\"'”’)\]。！])$",
        )
    )
)
_ENGLISH = re.compile(
    r"\b(?:the|of|and|to|for|with|by|from|that|this|we|is|are|which|who|at)\b", re.IGNORECASE
)
_TELLING = 8
"""Words from which on an English sentence has one of these."""
_NUMBERED = re.compile(r"(?<![\w(])(?:\d{1,2}|[a-z]|[ivx]+)\)")


def stands_alone(sentence: str, paper: Paper) -> bool:
    """Say whether a sentence is understood without the one before it.

    One of a paper's abstract must name something of its title; editors see to that in digests.
    """
    is_told = paper.abstract_kind == "digest"
    return (
        _is_whole(sentence)
        and not _hangs(sentence)
        and (is_told or says_something(paper.title_display, sentence))
    )


def stands_beside(title: str, sentence: str) -> bool:
    """Say whether a sentence is understood beside its paper's title as a table shows it.

    None is that is in another language than an English title, or speaks of a patient and not of
    what the title does.
    """
    is_foreign = len(sentence.split()) >= _TELLING and not _ENGLISH.search(sentence)
    return (
        _is_whole(sentence)
        and not (is_foreign and _ENGLISH.search(title))
        and not _hangs(sentence, title)
        and len(_telling(sentence)) >= _LEAST_TELLING
        and (not _OF_A_PATIENT.search(sentence) or says_something(title, sentence))
    )


_OF_A_PATIENT = re.compile(r"\b(?:case|patient|\w+[- ]years?[- ]old)\b", re.IGNORECASE)
_LEAST_TELLING = 3
"""Words of a sentence that says what a paper does."""


def says_something(title: str, sentence: str) -> bool:
    """Say whether a sentence names something of its paper's title: else it is of any paper, or of
    what stands before it. Of a patient it names two things: one may be what ails many.

    >>> says_something("Rust on spades", "We report a retrospective study at two centres.")
    False
    """
    named, known = map(_telling, (sentence, title))
    expected = 2 if _OF_A_PATIENT.search(sentence) else 1
    return len(named & known) >= max(1, min(expected, len(known)))


def names_any(phrases: Iterable[str], text: str) -> bool:
    """Say whether a text holds all telling words of one of the phrases, in some form.

    >>> names_any(["Mental health"], "Health insurance after fires")
    False
    """
    held = _telling(text)
    return any((words := _words_of(each)) and words <= held for each in phrases)


@cache
def _words_of(phrase: str) -> set[str]:
    return _telling(phrase)


_TELLING_NOTHING = EMPTY | LITTLE | FUNCTION_WORDS


def _telling(text: str) -> set[str]:
    return {
        word.removesuffix("s")[:6]
        for word in tokens(text)
        if len(word) > 1
        and word not in _TELLING_NOTHING
        and not (is_participle(word) or is_adverb(word))
    }


_CAPITALS = re.compile(r"\b\w*[A-Z]\w*[A-Z]\w*?(?=s?\b)")


def spells_out(sentence: str, text: str) -> bool:
    """Say whether a sentence holds no abbreviation that its text spells out elsewhere.

    >>> spells_out("The DHI rose.", "We asked for a Dizziness Inventory (DHI). The DHI rose.")
    False
    """
    return not any(
        re.search(rf"\({short}|\b{short} \(", text) and f"({short}" not in sentence
        for short in _CAPITALS.findall(sentence)
    )


def _hangs(sentence: str, title: str = "") -> bool:
    """Say whether a sentence points at what neither it nor the title beside it names before."""
    openings = (_LEANS_BACK, _AIM_ALONE, _MORE)
    if any(each.match(sentence) for each in openings) or _FIRST.search(sentence):
        return True
    for found in _POINTS.finditer(sentence):
        before = {word.removesuffix("s") for word in tokens(f"{title} {sentence[: found.start()]}")}
        meant = [word for word in tokens(found[1]) if len(word) > 3]
        if _ITSELF.isdisjoint(meant) and before.isdisjoint(w.removesuffix("s") for w in meant):
            return True
    return False


@lru_cache(maxsize=2**14)  # examples, findings and limits weigh the same sentences
def _is_whole(sentence: str) -> bool:
    """Say whether nothing of a sentence is lost, and it advertises nothing."""
    is_one = 0 < len(sentence) <= _LONGEST and not _BROKEN.search(sentence)
    return is_one and (_is_balanced(sentence) or _is_balanced(_NUMBERED.sub("", sentence)))


def _is_balanced(text: str) -> bool:
    """Return whether every bracket and quotation mark of a text has its partner."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    is_paired = all(text.count(opening) == text.count(closing) for opening, closing in pairs)
    return is_paired and text.count('"') % 2 == 0
