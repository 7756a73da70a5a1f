"""Decide which sentences can be quoted, and find a quotation in the paper's text.

A sentence can be quoted if it is complete and can be understood without the sentence before it.
Apart from Markdown escapes, a quotation is an exact part of the published abstract. A paraphrase
(of a digest) may begin with a small letter and omit the full stop.
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


def remove_markup(text: str) -> str:
    r"""Return a sentence of the survey as plain text, without escapes, with single blanks.

    >>> remove_markup(r"It wins \[3\]  with a\_b.")
    'It wins [3] with a_b.'
    """
    return " ".join(_ESCAPED.sub(r"\1", text).split())


def contains_words(text: str, words: str) -> bool:
    r"""Return whether the sentence `text` of the survey contains these words of a paper.

    The first letter may be in lower case, and the full stop at the end may be missing.

    >>> contains_words(r"*Bend* \[1\] proposes a way.", "Proposes a way.")
    True
    >>> contains_words("It bends.", "Bends it.")
    False
    """
    plain = " ".join(words.split())  # its backslashes are its own
    return bool(words) and any(form in remove_markup(text) for form in _forms(plain))


def quoted_span(
    text: str, source: str, sentences: Iterable[RoledSentence]
) -> tuple[int, int] | None:
    """Return start and end of the words in `source` that `text` quotes, or None.

    text: a sentence of the survey. source: the paper's abstract, with its `sentences`. Words in
    quotation marks are searched for first, then whole sentences of the paper, the longest first.
    """
    for quoted in _QUOTED.findall(text):
        start = source.find(remove_markup(quoted))
        if start >= 0:
            return start, start + len(remove_markup(quoted))
    found = [item.span for item in sentences if contains_words(text, item.span.text)]
    longest = max(found, key=lambda span: (span.end - span.start, -span.start), default=None)
    return (longest.start, longest.end) if longest else None


def _forms(words: str) -> Iterator[str]:
    """Yield the forms in which the survey may print a sentence."""
    small = words[:1].lower() + words[1:]
    yield from (words, small)
    if words.endswith("."):
        yield from (words[:-1], small[:-1])


_MAX_LENGTH = 600
"""Maximum length of a quotable sentence, in characters; a longer one misses full stops."""
# "It wins …", "Moreover, …" and "We also …" depend on the sentence before.
_DEPENDENT_START = re.compile(
    r"(?:"
    # refers to someone or something mentioned before
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
# "We first …" without a next step.
_FIRST_STEP_ONLY = re.compile(
    r"\b(?:firstly|first(?=,)|(?<=, )first|we (?:\w+ )?first|in a first"
    r"|the first (?:part|section|we))\b(?!.*\b(?:final(?:ly)?|next|second(?:ly)?|then)\b)",
    re.IGNORECASE,
)
# "A more detailed study is presented": the comparison is missing.
_INCOMPLETE_COMPARISON = re.compile(
    r"an? (?:more|less) (?!.*\b(?:than|needed|require[sd]?)\b)", re.IGNORECASE
)
# "… explores these values": one of the two words after "these" must occur before it.
_REFERENCE = re.compile(
    r"\b(?:this|these|those|such|(?<=of )that|(?<=that )the same|all (?:two|three|four|five|six)"
    r"|the (?:former|four|latter|resulting|subsequent|three|two))\b"
    r"(?! (?:an?|as|by|for|from|in|of|that|to|who|whose|with)\b)((?: [\w'’-]+){0,2})",
    re.IGNORECASE,
)
_PAPER_WORDS = frozenset(
    "article book case chapter dissertation essay letter manuscript note paper report"
    " research retrospective review study survey systematic thesis trial volume work".split()
)
"""Words after "this" that refer to the paper itself: "this paper", "this systematic …"."""
# "To review the evidence."
_AIM_ALONE = re.compile(r"To \w+ (?!.*, (?:an?|i|it|our|the|these|this|we)\b)", re.IGNORECASE)
_BROKEN = re.compile(
    "|".join(
        (
            # signs and blanks that were lost in the file
            r"[\ufffd¿•†]|\"\"|\$[^$ ]*\$|&\w+;|\[Formula\b",
            r"\( \d|(?<![\w.'’–-])[b-hj-z] (?=[a-z])|\w,[a-z]{5}|[a-z]{3}[.,]\d|[a-z]{7}\. [a-z]",
            r"\b[A-Z][a-z](?:20|zO)\b",  # Cu₂O
            r"\b(?:the|of|in|and)[A-Z][a-z]|\bthe(?:[bcdeghjklpquvwxz]|i[^rs])[a-z]{3,}",
            r"[a-z]{2}- (?!and|or|to|but|versus)[a-z]{2}",
            r"\b((?i:an?|in|of|the|this|to|we)) (?i:\1) ",
            # refers to another place
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
            # praise and advertising
            r"(?i:\byou\b|\bback cover|\bhighly accessible|\bof its kind|\bunprecedented\b"
            r"|\b(?:compelling|fascinating|profound|provocative|radiant)\b"
            r"|\bsignificant contributions\b)",
            # items of a list without its introduction
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
_MIN_ENGLISH_WORDS = 8
"""Length, in words, from which an English sentence contains one of these words."""
_NUMBERED = re.compile(r"(?<![\w(])(?:\d{1,2}|[a-z]|[ivx]+)\)")


def is_quotable(sentence: str, paper: Paper) -> bool:
    """Return whether a sentence of a paper is complete and clear without the sentence before it.

    A sentence of an abstract must share a content word with the title. This rule does not apply to
    digests, because editors write clear sentences.
    """
    is_digest = paper.abstract_kind == "digest"
    return (
        _is_complete(sentence)
        and not _has_open_reference(sentence)
        and (is_digest or shares_subject(paper.title_display, sentence))
    )


def is_clear_with_title(title: str, sentence: str) -> bool:
    """Return whether a sentence is complete and clear next to its paper's title, as in a table.

    If the title is English, a sentence in another language is not clear. A sentence about a patient
    that does not mention the subject of the title is not clear, either.
    """
    is_foreign = len(sentence.split()) >= _MIN_ENGLISH_WORDS and not _ENGLISH.search(sentence)
    return (
        _is_complete(sentence)
        and not (is_foreign and _ENGLISH.search(title))
        and not _has_open_reference(sentence, title)
        and len(_content_words(sentence)) >= _MIN_CONTENT_WORDS
        and (not _OF_A_PATIENT.search(sentence) or shares_subject(title, sentence))
    )


_OF_A_PATIENT = re.compile(r"\b(?:case|patient|\w+[- ]years?[- ]old)\b", re.IGNORECASE)
_MIN_CONTENT_WORDS = 3
"""Minimum number of content words of a sentence about the subject of a paper."""


def shares_subject(title: str, sentence: str) -> bool:
    """Return whether a sentence shares a content word with its paper's title.

    A sentence about a patient must share two words, because one may be a common disease.

    >>> shares_subject("Rust on spades", "We report a retrospective study at two centres.")
    False
    """
    words, known = map(_content_words, (sentence, title))
    expected = 2 if _OF_A_PATIENT.search(sentence) else 1
    return len(words & known) >= max(1, min(expected, len(known)))


def mentions_any(phrases: Iterable[str], text: str) -> bool:
    """Return whether a text contains all content words of one of the phrases.

    Only the first six letters of words are compared.

    >>> mentions_any(["Mental health"], "Health insurance after fires")
    False
    """
    text_words = _content_words(text)
    return any((words := _words_of(each)) and words <= text_words for each in phrases)


@cache
def _words_of(phrase: str) -> set[str]:
    """Return the content words of a phrase."""
    return _content_words(phrase)


_EMPTY_WORDS = EMPTY | LITTLE | FUNCTION_WORDS


def _content_words(text: str) -> set[str]:
    """Return the content words of a text, cut to six letters."""
    return {
        word.removesuffix("s")[:6]
        for word in tokens(text)
        if len(word) > 1
        and word not in _EMPTY_WORDS
        and not (is_participle(word) or is_adverb(word))
    }


_CAPITALS = re.compile(r"\b\w*[A-Z]\w*[A-Z]\w*?(?=s?\b)")


def has_clear_abbreviations(sentence: str, text: str) -> bool:
    """Return whether a sentence has no abbreviation that only another sentence explains.

    >>> text = "We asked for a Dizziness Inventory (DHI). The DHI rose."
    >>> has_clear_abbreviations("The DHI rose.", text)
    False
    """
    return not any(
        re.search(rf"\({short}|\b{short} \(", text) and f"({short}" not in sentence
        for short in _CAPITALS.findall(sentence)
    )


def _has_open_reference(sentence: str, title: str = "") -> bool:
    """Return whether a sentence refers to something that neither it nor the title mentions."""
    openings = (_DEPENDENT_START, _AIM_ALONE, _INCOMPLETE_COMPARISON)
    if any(each.match(sentence) for each in openings) or _FIRST_STEP_ONLY.search(sentence):
        return True
    for found in _REFERENCE.finditer(sentence):
        before = {word.removesuffix("s") for word in tokens(f"{title} {sentence[: found.start()]}")}
        referents = [word for word in tokens(found[1]) if len(word) > 3]
        is_known = not before.isdisjoint(word.removesuffix("s") for word in referents)
        if _PAPER_WORDS.isdisjoint(referents) and not is_known:
            return True
    return False


@lru_cache(maxsize=2**14)  # examples, findings and limits check the same sentences
def _is_complete(sentence: str) -> bool:
    """Return whether a sentence is complete and is not advertising."""
    is_one = 0 < len(sentence) <= _MAX_LENGTH and not _BROKEN.search(sentence)
    return is_one and (_is_balanced(sentence) or _is_balanced(_NUMBERED.sub("", sentence)))


def _is_balanced(text: str) -> bool:
    """Return whether all brackets and quotation marks in a text occur in pairs."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    is_paired = all(text.count(opening) == text.count(closing) for opening, closing in pairs)
    return is_paired and text.count('"') % 2 == 0
