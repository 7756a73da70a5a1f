"""The noun phrases of papers: how people write them, and what they tell of some of the papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.commands.new.filing import is_what_all_are_about, name_key, no_topics
from classifier.papers.paper import Paper
from classifier.text.empty_words import (
    BREAKS,
    EMPTY,
    LITTLE,
    METHODS,
    NOUNS,
    is_adverb,
    is_participle,
    stops,
)
from classifier.text.normalise import cased_tokens

_JOINTS = frozenset("in of on the to up".split())
_ADJECTIVE = ("ful", "ous", "less", "ive", "ible", "ical", "ional", "inal", "ental")
_PART = re.compile(r"[^\w\s'’\-\u2010\u2011]+")
# Of a text in another language than English.
_FOREIGN = re.compile(
    r"(?!.*\b(?:the|of|and|by|with|for|from|to|an)\b)"
    r".*\b(?:de|des|du|del|della|les|las|los|und|der|das|dos)\b",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST = 3
_NOUN_LIKE = 0.45
"""A phrase of nouns ends a run of words at least at this share of its places."""
_NAME = 0.9
"""A word that has a capital more often than this is a name: English, Markov."""
OF_MOST = 0.34
"""A phrase that a larger share of the papers uses parts nothing."""
_CUES = 10
_LEAST_PRECISION = 0.5
"""Of the papers that use a cue, how many are of the group."""
_PROSE = 400
"""Signs a paper, from which on most of the text is abstracts."""


class Phrases:
    """The noun phrases of some papers: keys that fold plurals, and how people write each.

    No grammar is asked. Words between function words, verbs and punctuation are a run; a phrase is
    one to three words of a run that mostly end one, as nouns do: “racial prejudice” does, “racial”
    does not.
    """

    def __init__(self, papers: Sequence[Paper]) -> None:
        texts = [f"{paper.title_display}. {paper.abstract_display}" for paper in papers]
        self._spelling = _Spelling(texts)
        self.titles: list[frozenset[str]] = []
        """The keys in the title, a paper each."""
        self.papers: list[list[str]] = []
        """The keys in the title (twice) and the abstract, a paper each."""
        self._written: dict[str, Counter[str]] = {}
        ends: Counter[str] = Counter()
        starts: Counter[str] = Counter()
        places: Counter[str] = Counter()
        foreign = {text for paper in papers for text in _parts(paper) if _FOREIGN.search(text)}
        if 2 * len(foreign) > len(papers):
            foreign = set()
        for paper in papers:
            keys: list[str] = []
            in_title: set[str] = set()
            for part, is_title in zip(_parts(paper), (True, False), strict=True):
                if part in foreign:
                    continue
                for key, written, first, last in _grams(part):
                    keys += [key] * (1 + is_title)
                    if is_title:
                        in_title.add(key)
                    places[key] += 1
                    starts[key] += first
                    ends[key] += last
                    self._written.setdefault(key, Counter())[written] += 1
            self.titles.append(frozenset(in_title))
            self.papers.append(keys)
        self.used = Counter(key for keys in self.papers for key in set(keys))
        """How many papers use a phrase."""
        self.ends = {key: ends[key] / number for key, number in places.items()}
        """Share of the places of a phrase behind which no further word of its run stands."""
        self._starts = {key: starts[key] / number for key, number in places.items()}
        self._read = papers
        authors = (name.strip(" ,") for paper in papers for name in paper.authors)
        named = (name.split(",")[0].split() for name in authors)
        self._people = {words[-1].lower() for words in named if words}

    def spelled(self, key: str) -> str:
        """Return a phrase as most write it, lower case, words parted by blanks."""
        written = self._written[key]
        return min(written, key=lambda one: (-written[one], one))

    def cue(self, key: str) -> str:
        """Return a phrase as a cue: with its plural where both are written."""
        written = self._written[key]
        return f"{key}~" if len(written) > 1 and key in written else self.spelled(key)

    def name(self, key: str) -> str:
        """Return a phrase with its hyphens, and the capitals of its acronyms and names.

        With what mostly stands behind it: “combined pulmonary fibrosis and emphysema”.
        """
        name = self._spelling.of(self.spelled(key))
        return name + self._spelling.behind(name)

    def holds_place(self, key: str) -> bool:
        """Say whether a place stands in a phrase, a month or a year."""
        words = self.spelled(key).split()
        return any(
            name_key(" ".join(words[start:end])) in no_topics()[0]
            for start, end in combinations(range(len(words) + 1), 2)
        )

    def is_name(self, key: str) -> bool:
        """Say whether a phrase is what a subject could be called: whole, a noun, no person."""
        words = self.spelled(key).split()
        head = words[-1]
        if self.ends[key] < _NOUN_LIKE or self._starts[key] < 1 - _NOUN_LIKE * 1.5:
            return False
        if name_key(self.spelled(key)) in no_topics()[1] or self.holds_place(key):
            return False
        is_formula = len(words) > 1 and all(any(map(str.isdigit, word)) for word in words)
        if is_formula or head.endswith(_ADJECTIVE) or head in METHODS:
            return False
        if head in LITTLE and len(words) == 1:
            return False
        if len(words) == 1 and (len(head) < 4 or head in self._people):
            return False
        return not is_what_all_are_about(self.spelled(key), self._read)


def _parts(paper: Paper) -> tuple[str, str]:
    return paper.title_display, paper.abstract_display


def _grams(text: str) -> Iterator[tuple[str, str, bool, bool]]:
    """Yield (key, as written, begins a run, ends a run) of each phrase of a text."""
    for run in _runs(text):
        for start in range(len(run)):
            for end in range(start + 1, min(start + _LONGEST, len(run)) + 1):
                words = run[start:end]
                if _is_phrase(words):
                    *before, head = " ".join(words).split()
                    key = " ".join([*before, _singular(head)])
                    yield key, " ".join(words), start == 0, end == len(run)


def _is_phrase(run: Sequence[str]) -> bool:
    """Say whether words may be a phrase: it is more than empty words, and ends with none."""
    words = [word for one in run for word in one.split()]
    if all(word in EMPTY or word in LITTLE or word in _JOINTS for word in words):
        return False
    if words[-1] in EMPTY and (words[-1] not in NOUNS or len(words) == 1):
        return False
    return not is_participle(run[-1])


def _runs(text: str) -> Iterator[list[str]]:
    """Yield the words between function words, verbs and punctuation, lower case.

    What hyphens join stays one, its parts separated by blanks. A participle begins a run.
    """
    for part in _PART.split(text):
        run: list[str] = []
        for joined in part.split():
            words = [word.lower() for word in cased_tokens(joined)]
            is_break = not words or _is_break(words)
            if run and (is_break or is_participle(words[-1])):
                yield run
                run = []
            if not is_break:
                run.append(" ".join(words))
        if run:
            yield run


def _is_break(words: Sequence[str]) -> bool:
    last = words[-1]
    if last in EMPTY and last not in NOUNS:
        return True
    if len(words) > 1:
        return False
    return (
        last in stops()
        or last in BREAKS
        or len(last) < 2
        or not re.fullmatch(r"[^\W\d_]+|[^\W\d_]+\d+\w*", last)
        or is_adverb(last)
    )


def _singular(word: str) -> str:
    """Return a noun without the ending of its plural.

    >>> _singular("boxes"), _singular("families"), _singular("crisis"), _singular("spectra")
    ('box', 'family', 'crisis', 'spectrum')
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:x|ss|sh|ch)es$", word):
        return word[:-2]
    if word.endswith("ctra"):
        return word[:-1] + "um"
    return word[:-1] if re.search(r"[^sui]s$", word) and len(word) > 3 else word


class _Spelling:
    """How people write the words of some texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._whole = "\n".join(texts)
        self._is_prose = len(self._whole) > _PROSE * len(texts)
        self._cased: dict[str, Counter[str]] = {}
        for text in texts:
            for word in cased_tokens(text):
                self._cased.setdefault(word.lower(), Counter())[word] += 1

    def of(self, phrase: str) -> str:
        words = phrase.split()
        told = self._word(words[0])
        for one, next_one in pairwise(words):
            told += self._between(one, next_one) + self._word(next_one)
        return told

    def behind(self, name: str) -> str:
        """Return the word, or “and” and the word, that stands behind most places of a name."""
        places = re.findall(
            rf"\b{re.escape(name)}\b((?: and)? [a-z-]+)?", self._whole, re.IGNORECASE
        )
        most, number = Counter(map(str.lower, places)).most_common(1)[0] if places else ("", 0)
        is_word = most.split()[-1:] and most.split()[-1] not in stops() | BREAKS
        return most if is_word and 2 * number > len(places) else ""

    def _between(self, one: str, other: str) -> str:
        """Return what mostly stands between two words: a hyphen, a blank, or “'s ”."""
        beside = rf"\b{re.escape(one)}('s |’s |s' |s’ |[-\u2010\u2011 ]){re.escape(other)}\b"
        signs = Counter(re.findall(beside, self._whole, re.IGNORECASE))
        most = min(signs, key=lambda sign: (-signs[sign], sign), default=" ")
        return "-" if most in "-\u2010\u2011" else most

    def _word(self, word: str) -> str:
        """Return the commonest spelling; a capital at the beginning counts where it is the rule.

        In titles it is the rule for any word.
        """
        cased = self._cased.get(word)
        if not cased or len(word) < 2:
            return word
        most = min(cased, key=lambda spelling: (-cased[spelling], spelling))
        if not most[1:].islower():  # an acronym, a figure
            return most if 2 * cased[most] > cased.total() else word
        is_name = self._is_prose and cased[most] > _NAME * cased.total()
        return most if is_name else word


def phrase_rows(
    phrases: Phrases, fewest: int, most: float = OF_MOST
) -> tuple[csr_matrix, list[str]]:
    """Return (n, d) TF-IDF rows of the phrases of papers, and the phrases.

    Phrases are those that `fewest` papers use, and no larger share of them than `most`.
    """
    count = TfidfVectorizer(
        analyzer=lambda keys: keys, min_df=fewest, max_df=most, sublinear_tf=True
    )
    try:
        rows = count.fit_transform(phrases.papers)
    except ValueError:  # no phrase is shared by some, but not most, or there is none
        return csr_matrix((len(phrases.papers), 0)), []
    return rows, count.get_feature_names_out().tolist()


@dataclass(frozen=True, slots=True)
class Scored:
    """A phrase, and what it tells of a group."""

    key: str
    score: float
    inside: int
    """Papers of the group that use it."""
    precision: float


def scored(own: Sequence[int], phrases: Phrases, names: Sequence[str]) -> list[Scored]:
    """Return the phrases of a group by what they tell of it, the most telling first.

    By F1 of "uses the phrase" for "is in the group", papers counted; a phrase of several words
    says more than a word, and one of a title more than one of an abstract.
    """
    inside = Counter(key for i in own for key in set(phrases.papers[i]))
    titled = Counter(key for i in own for key in phrases.titles[i])
    found = []
    for key in names:
        here, everywhere = inside[key], phrases.used[key]
        if here < 2:
            continue
        precision, cover = here / everywhere, here / len(own)
        f1 = 2 * precision * cover / (precision + cover)
        words = key.count(" ") + 1
        score = f1 * (1, 1.9, 2.1, 1.8)[min(words, 4) - 1] * (0.3 + titled[key] / here)
        found.append(Scored(key, score, here, precision))
    return sorted(found, key=lambda one: (-one.score, one.key))


def cues_of(name: str, scored: Sequence[Scored], taken: set[str], phrases: Phrases) -> list[str]:
    """Return what names a group, and what else most tells it from the others."""
    kept = [name] if name and name not in taken else []
    for one in scored:
        if len(kept) >= _CUES:
            break
        words = set(one.key.split())
        if (
            one.key not in taken
            and one.precision >= _LEAST_PRECISION
            and one.inside >= 2
            and phrases.ends[one.key] >= _NOUN_LIKE
            and not any(words >= set(key.split()) for key in kept)
        ):
            kept.append(one.key)
    return kept
