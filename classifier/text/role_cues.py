"""Cues for the role of a sentence: hand-written phrases and words, which are features of the model.

Argumentative zoning has used such cues since Teufel & Moens, "Summarizing Scientific Articles",
Computational Linguistics 28(4), 2002.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def _any_word_pattern(words: str) -> str:
    """Return a pattern for any of these words, separated by blanks; `_` in a word is a blank."""
    return "(?:" + "|".join(word.replace("_", r"\s+") for word in words.split()) + ")"


# Verbs of contributions, as stems, so that "introduces" and "introduced" both count.
CONTRIBUTES = _any_word_pattern(
    "introduc propos present develop describ design contribut creat construct formulat formali[sz]"
    " argu advocat envision survey review investigat stud(?:y|ies|ied)\\b examin explor analy[sz]"
    " audit catalog outlin releas buil(?:d|t) curat devis put_forward establish unif(?:y|ies)"
    " conduct take_the_position diagnos extend adapt address formally pioneer"
)
# Further verbs that open the contribution of a digest ("Measures how …"); in the middle of an
# abstract the same words more often report a result.
OPENS_DIGEST = _any_word_pattern(
    "measur compar chart map provid offer ask collect report synthesi[sz] deriv rethink"
    " identif(?:y|ies) evaluat train assess quantif(?:y|ies) replicat trac appl(?:y|ies) cast"
    " recast equip implement open.sourc show demonstrat us find defin"
)
DISCUSSES = _any_word_pattern(
    "focus discuss summari[sz] provid contribut trac contrast conclud offer cover identif ask"
    " challeng revisit deriv gives?"
)
DOES = _any_word_pattern(
    "us train employ adopt appl leverag collect curat decompos implement replac instantiat annotat"
    " filter construct conduct fine-tun integrat incorporat combin consider compar run recalibrat"
    " model utili[sz] defin sampl select simulat assembl condition deploy assess evaluat measur"
    " test validat benchmark verif"
)
KINDS = _any_word_pattern(
    "framework method benchmark model dataset agent system approach algorithm suite"
    " environment paradigm pipeline architecture family survey"
)
THING_VERBS = "(?:introduc|propos|present|develop|design|creat|buil)"
STAYS_OPEN_VERBS = "(?:discuss|outlin|highlight|identif|articulat|propos|conclud)"
SELF = (
    r"(?:we|i|this (?:paper|work|study|article|survey|report|position paper|thesis|tutorial"
    r"|review|perspective|chapter|monograph)"
    r"|(?:the|our) (?:paper|authors?|work|study|survey|report|review))"
)
DISCUSSERS = rf"(?:{SELF}|it|the (?:survey|review|paper))"
PLAIN_ADVERBS = "(?:first|then|also|further|next)"
_ADVERBS = rf"(?:\w+ly |{PLAIN_ADVERBS} )*"
IS_INTRODUCED = r"(?:is|are) (?:introduced|proposed|presented|developed|designed)"
INTRODUCES = "(?:introduc|propos|present)(?:es?|ed|ing)?"
STAYS_OPEN = (
    r"(?:limitations|challenges|open|gaps|agenda|roadmap|future (?:research |work )?directions?"
    r"|future work|future research directions)"
)
RELEASED = "(?:all |our |the |source )?(?:code|data|dataset|models?|checkpoints)"
RELEASE_ADVERBS = "(?:also|will|are|openly|publicly|fully)"
MATERIALS = (
    "(?:tasks|questions|samples|examples|instances|environments|domains|papers|trajectories"
    "|problems|pairs|datasets|applications|sites|models|agents|subjects|languages|annotations"
    "|tools|entries|scenarios|categories)"
)

BEGINNINGS = {
    "here": (
        "(?:here|in this (?:paper|work|study|article|survey|report|position paper|review|tutorial))"
    ),
    "to this end": (
        r"(?:therefore|thus|hence|(?:to|in order to) (?:this end|do so|achieve th\w+|address"
        r"|tackle|overcome|bridge|fill|close|mitigate|resolve|solve|meet|remedy)|inspired by"
        r"|motivated by|addressing)"
    ),
    "opens like a problem": (
        r"(?:however|yet|despite|although|while|existing|current|prior|previous|recent(?:ly)?"
        r"|most|many|unfortunately|traditional|conventional|large language models?|llms?|as|such"
        r"|but|with the|the (?:rapid|rise|growing|increasing|emergence|advent))"
    ),
    "elaborates": (
        r"(?:specifically|concretely|in particular|first(?:ly)?|second(?:ly)?|third(?:ly)?|then"
        r"|next|finally|additionally|furthermore|moreover|also|it|its|these|each|during|at"
        r"|by \w+ing|using|built|building|rather than|unlike|to (?:ensure|enhance|enable|support"
        r"|improve|stabilize|facilitate|further)|the (?:framework|method|benchmark|model|dataset"
        r"|agents?|system|approach|algorithm|pipeline|traces|environment|orchestrator|proposed)"
        r"|our (?:framework|method|approach|key idea|core|training|pipeline|system))"
    ),
}
"""Name of a cue -> whole words with which a sentence begins."""

WHOLE_WORDS = {
    "limit": (
        r"(?:our limitations?|limitations? (?:include|of (?:our|this))|caveats?"
        r"|future (?:work|directions?|studies|research directions?|steps)"
        r"|open (?:research )?(?:problems?|questions?|challenges?|issues?)|challenges remain"
        r"|remains? (?:an? )?(?:open|unsolved|challeng|unclear|unexplored|limited|far|difficult)"
        r"|(?:we|the authors) (?:leave|caution|acknowledge)|left (?:for|to) future"
        r"|does not (?:yet )?(?:cover|address|handle)|room for improvement|research agenda|roadmap"
        r"|further (?:research|work|study|studies))"
    ),
    "we show": r"we (?:\w+ )?(?:show|demonstrate|find|prove|observe|discover|uncover|reveal)",
}
"""Name of a cue -> whole words anywhere in a sentence."""

PHRASES = {
    **{name: rf"^{pattern}\b" for name, pattern in BEGINNINGS.items()},
    **{name: rf"\b{pattern}\b" for name, pattern in WHOLE_WORDS.items()},
    "opens like a digest": rf"^(?:{CONTRIBUTES}|{OPENS_DIGEST})(?:e?s)?\b(?<=s)",
    "contribution": (
        rf"\b{SELF}\b(?:[\s,]+(?:\w+[\s,]+){{0,6}}?)?{CONTRIBUTES}|\b{IS_INTRODUCED}\b"
    ),
    "names its kind": rf"\b{INTRODUCES}\b.{{0,60}}\b{KINDS}",
    "opens with a release": (
        rf"^(?:{RELEASED}\b|we (?:{RELEASE_ADVERBS} )*(?:releas|open[- ]sourc))"
    ),
    # Only after the first such verb, so that a search takes linear time.
    "discusses what stays open": (rf"^(?s:(?>.*?\b{STAYS_OPEN_VERBS}\w*\b).*)\b{STAYS_OPEN}\b"),
    "figure": r"\d\s?(?:%|×|x\b|percent|points?)",
    "discusses": rf"\b{DISCUSSERS}\s+{_ADVERBS}{DISCUSSES}",
    "does": rf"\bwe\s+{_ADVERBS}{DOES}",
    "count of material": rf"\b\d[\d,.]{{0,30}}[km]?\+?\s(?:[\w-]+\s){{0,3}}{MATERIALS}\b",
    "question": r"\?$",
}
"""Name of a cue -> pattern, searched in a sentence in lower case."""
NAMES_ITS_THING = re.compile(
    rf"\b{THING_VERBS}\w*\s+(?:\S+\s+){{0,6}}?\(?(?-i:[A-Z][\w-]*[A-Z0-9])\w*", re.IGNORECASE
)

WORDS = {
    "speaks of itself": "we our ours us authors",
    "reported": "reported reportedly said",
    "public": "available accessible release releases open source sourced public publicly hosted",
    "thing to release": (
        "code data dataset datasets model weights checkpoints benchmark resources implementation"
        " repository website leaderboard demo materials artifacts toolkit"
    ),
    "link": "<link> github huggingface http url",
    "evidence": (
        "results experiments evaluation analysis analyses findings ablation studies empirically"
        " theoretically experimental extensive"
    ),
    "shows": (
        "show find found reveal demonstrate observe indicate confirm validate suggest highlight"
        " illustrate conclude prove discover uncover report shown"
    ),
    "outcome": (
        "outperform surpass exceed achieve attain improve gain beat reach raise lift boost reduce"
        " reduction cut win accuracy success state-of-the-art sota competitive comparable match"
        " fail drop superior consistently significantly substantially better accelerate yield"
        " struggle outstanding improvement improvements lower higher faster halve"
    ),
    "significance": (
        "pave inspire hope expect believe insight insights foundation groundwork underscore step"
        " lays opens potential"
    ),
    "gap": (
        "lack limited limits overlook neglect ignore remain remains hinder bottleneck challenge"
        " challenging suffer fail costly expensive difficult cannot underexplored critical crucial"
        " essential struggle rely relies depend often typically usually increasingly prone"
    ),
    "works by": (
        "uses employs leverages consists comprises operates orchestrates incorporates integrates"
        " adopts builds converts generates learns combines composes encodes maps features covers"
        " spans supports contains includes estimates selects exploits encourages allows allowing"
        " enables enabling serves trained"
    ),
    "aims": "aim aims seek seeks target targets intend intends",
}
"""Name of a cue -> words, with any ending."""

ENDINGS = ("ations", "ation", "ingly", "ing", "ies", "ied", "edly", "ed", "es", "ly", "s", "e")
_SHORTEST_STEM = 4


@lru_cache(maxsize=2**15)
def stem(word: str) -> str:
    """Remove a word's ending, so that "introduces" and "introduced" are equal.

    Links and numbers become `<link>` and `<number>`.

    >>> stem("Introduces"), stem("introduced"), stem("4.5")
    ('introduc', 'introduc', '<number>')
    """
    if word.startswith("http"):
        return "<link>" if len(word) > 4 else word
    if word[0].isdigit():
        return "<number>"
    word = word.lower()
    endings = (end for end in ENDINGS if word.endswith(end, _SHORTEST_STEM))
    return word.removesuffix(next(endings, ""))


_PHRASES = tuple((name, re.compile(pattern)) for name, pattern in PHRASES.items())
_STUDY = (
    "(?:study|paper|article|research|review|report|work|project|trial|survey|investigation"
    "|analysis|protocol|chapter|thesis|commentary|book|essay|volume|collection|column|dissertation"
    "|monograph|editorial|polemic)"
)
_OWN = rf"(?:this|our|the (?:present|current|paper's)|present|current) (?:[\w-]+ ){{0,2}}?{_STUDY}"
_AIM = re.compile(
    r"\b(?:"
    # The (primary) aim (of this study) was to …
    r"(?:the|our)(?: (?:primary|main|overall|principal|first|specific|general|study|research))?"
    rf" (?:aims?|purposes?|objectives?|goals?)(?: (?:of|for|in) (?:{_OWN}|the {_STUDY}))?"
    r" (?:is|are|was|were)(?: \w+ly| thus| therefore)? to"
    rf"|{_OWN} (?:\w+ )?(?:aim(?:s|ed)|seeks|sought|set out"
    r"|(?:is|was) (?:designed|undertaken|performed|conducted|carried out)) to"
    r"|we (?:\w+ )?(?:aim(?:ed)?|sought|seek|set out) to"
    r"|(?:we|the authors) (?:here )?(?:report|describe|present)(?:ed)?(?: here)?(?: on)?"
    r" (?:an?|the|our|one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
    r" (?:[\w-]+ ){0,4}?(?:cases?|patients?|experience)"
    r")\b",
    re.IGNORECASE,
)
# Not "We hypothesised that …", and not "we must", which means everybody.
_MENTION = re.compile(
    rf"\b(?:{_OWN}"
    r"|we(?! (?:(?:\w+ )?hypothes"
    r"|(?:also|begin|can|first|frequently|further|must|need|often|should|think)\b)))\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    rf"(?:\w+, )?(?:{_OWN} (?!is\b|was\b|has been\b)|we (?!have been\b|searched\b))", re.IGNORECASE
)
# "How we cook" means everybody, "Studies of bread" are by others, and "Thirty adults took part in
# this study." is not about the paper.
_OF_OTHERS = re.compile(
    r"\b(?:how|ways?|what|which|once|now) we\b|^Studies (?:have|of|on|that|were|\w+ed)\b"
    rf"|\b(?:in|for) {_OWN}\.$",
    re.IGNORECASE,
)
OF_THE_PAPER = ("opens like a digest", "contribution", "here")
STEM_CUES: dict[str, tuple[str, ...]] = {}
for _name, _words in WORDS.items():
    for _stem in {stem(word) for word in _words.split()}:
        STEM_CUES[_stem] = (*STEM_CUES.get(_stem, ()), _name)


def has_contribution_phrase(sentence: str) -> bool:
    """Return whether a phrase states what the paper does: "we build", "Introduces", "here"."""
    low = sentence.lower()
    return any(pattern.search(low) for name, pattern in _PHRASES if name in OF_THE_PAPER)


def states_aim(text: str) -> bool:
    """Return whether a text states the aim, as in "The aim of this study was to …".

    "We report a case of …" is also an aim.
    """
    return _AIM.search(text) is not None


def describes_paper(sentence: str) -> bool:
    """Return whether a sentence states what the paper does, unlike "… is used in this paper"."""
    own = _OF_OTHERS.sub("", sentence)
    return bool(_OPENS.match(own)) or has_contribution_phrase(own) or states_aim(own)


def mentions_paper(sentence: str) -> bool:
    """Return whether a sentence is about the paper itself or its authors."""
    own = _OF_OTHERS.sub("", sentence)
    return _MENTION.search(own) is not None or has_contribution_phrase(own)


def cues_of(sentence: str, stems: Iterable[str]) -> frozenset[str]:
    """Return the names of the cues in a sentence.

    Args:     sentence: the unchanged sentence.     stems: stems of its words.
    """
    low = sentence.lower()  # twice as fast as patterns that ignore case
    phrases = [name for name, pattern in _PHRASES if pattern.search(low)]
    phrases += ["names its thing"] if NAMES_ITS_THING.search(sentence) else []
    return frozenset(phrases).union(*(STEM_CUES[stem] for stem in stems if stem in STEM_CUES))
