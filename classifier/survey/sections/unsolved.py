"""What papers found unsolved: which problems, in whose words, and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from classifier.survey.document import Block, Draft, Section, Table, own_words, paragraphs
from classifier.survey.entry import SurveyPaper
from classifier.survey.exemplars import choose_exemplars
from classifier.survey.facts import Facts, Selection
from classifier.survey.names import NAMES_CHALLENGES
from classifier.survey.quotation import stands_alone
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_behind, told_in_turn
from classifier.survey.survey import Survey
from classifier.survey.table import Term
from classifier.survey.wording import escape_cell, linked, opening
from classifier.taxonomy.model import Taxonomy

ID = "unsolved"
_LEAST_PAPERS = 3
_MOST_STATEMENTS = 3
_MOST_CATEGORIES = 4
_WHOSE = "Most papers say so of what came before them, and many go on to answer it."


def unsolved_sections(survey: Survey) -> list[Section]:
    """Return what the papers found unsolved; none where the project has no cues for it."""
    if not (told := survey.unsolved):
        return []
    blocks: list[Block] = [
        *paragraphs(ID, [own_words("read", _WHOSE)]),
        _table(survey),
        *paragraphs(ID, *[_statements(survey, *each) for each in told.items()]),
    ]
    return [Section(ID, "What papers found unsolved", 1, tuple(blocks))]


def unsolved_draft(subject: Subject) -> Draft | None:
    """Return what a paper of a category or part says of a problem that most of them name."""
    survey, every = subject.survey, subject.survey.unsolved
    told = {entry.number for entries in every.values() for entry in entries}
    for problem, there in _problems(survey.taxonomy, survey.facts, every, subject.papers):
        free = [entry for entry in there.entries if entry.number not in told]
        stated = partial(_stated, problem)
        untold = choose_exemplars(free, 1, stated)
        for entry in untold or choose_exemplars(there.entries, 1, stated):
            lead = f"A [problem](#{ID}) named here: {problem}. "
            return told_behind("unsolved", entry, _stated(problem, entry), lead)
    return None


def _problems(
    taxonomy: Taxonomy, facts: Facts, names: Iterable[str], select: Callable[[Term], Selection]
) -> list[tuple[str, Selection]]:
    """Return the problems that papers enough state of those selected, the most stated first."""
    lexicon = taxonomy.roles.unsolved
    found = [(name, select((lexicon, name))) for name in names]
    stated = [(name, there) for name, there in found if there.number >= _LEAST_PAPERS]
    every = {name: facts.select((lexicon, name)).number for name, _ in stated}
    return sorted(stated, key=lambda item: (-item[1].number, every[item[0]]))


def telling_of_problems(taxonomy: Taxonomy, facts: Facts) -> dict[str, list[SurveyPaper]]:
    """Return problem -> the papers that tell of it in the section of all; none of them twice.

    First comes one that names challenges, as surveys do: the rarest problem has the first choice,
    and chooses the paper that names the fewest.
    """
    problems = _problems(taxonomy, facts, taxonomy.open_problems, facts.select)
    told: dict[str, list[SurveyPaper]] = {problem: [] for problem, _ in problems}
    used: set[int] = set()

    def take(problem: str, chosen: Sequence[SurveyPaper]) -> None:
        told[problem] += chosen
        used.update(entry.number for entry in chosen)

    for problem, there in reversed(problems):
        free = [entry for entry in there.entries if entry.number not in used]
        naming = choose_exemplars(free, len(free), partial(_challenges, problem))
        take(problem, sorted(naming, key=lambda entry: len(entry.unsolved))[:1])
    for problem, there in problems:
        free = [entry for entry in there.entries if entry.number not in used]
        left = _MOST_STATEMENTS - len(told[problem])
        take(problem, choose_exemplars(free, left, partial(_stated, problem)))
    return told


def _table(survey: Survey) -> Table:
    rows = []
    for problem in survey.unsolved:
        there = survey.facts.select((survey.roles.unsolved, problem))
        filed = [
            (survey.facts.select((survey.roles.unsolved, problem), filed=category.id), category)
            for category in survey.categories
        ]
        held = [item for item in filed if item[0].number]
        places = sorted(held, key=lambda item: (-item[0].number, item[1].id))[:_MOST_CATEGORIES]
        for selection in (there, *(here for here, _ in places)):
            survey.facts.note(selection.id)
        where = " · ".join(f"{linked(category)} {_count(here)}" for here, category in places)
        rows.append((escape_cell(problem), _count(there), where))
    return Table(
        ID,
        "What do texts say is unsolved, in how many, and under which categories are these filed? "
        f"(the {_MOST_CATEGORIES} that hold most)",
        ("Unsolved", "Texts", "Filed under"),
        tuple(rows),
        numeric=(1,),
    )


def _count(selection: Selection) -> str:
    return f"[{selection.number}](browse.html?{selection.id})"


def _statements(survey: Survey, problem: str, entries: Sequence[SurveyPaper]) -> list[Draft | None]:
    """Return the statements of a problem, a paragraph."""
    every = survey.facts.select((survey.roles.unsolved, problem))
    lead = f"{opening(problem)} ([all {every.number} texts](browse.html?{every.id})): "
    found = [(each, _challenges(problem, each) or _stated(problem, each)) for each in entries]
    return told_in_turn("-".join(problem.split()), found, lead)


def _challenges(problem: str, entry: SurveyPaper) -> str:
    """Return what names challenges in the sentence in which a paper states a problem, or ""."""
    words = entry.unsolved[problem].words
    named = NAMES_CHALLENGES.search(words)
    is_whole = named and not named[0].endswith("including")
    return words[named.start() :] if named and is_whole else ""


def _stated(problem: str, entry: SurveyPaper) -> str:
    """Return the sentence in which a paper states a problem, or "" where it says of none."""
    words = entry.unsolved[problem].words
    is_told = stands_alone(words, entry.paper) and not words.startswith("The survey")
    return words if is_told else ""


_MOST_LIMITS = 3
# "Open challenges are discussed": that they are named somewhere tells a reader of no challenge.
_ONLY_ANNOUNCES = re.compile(
    r"\b(?:discuss\w*|outlin\w*|clos(?:es|ing)|analy[sz]ed|reviewed|summari[sz]e[sd]?|covered"
    r"|acknowledged|described|sketch\w*|goes through|treats|highlight\w*|lists|meant as|suggests"
    r"|encourag\w+"
    r"|(?:can|could|may|might) (?:\w+ )?(?:inform|help|underpin|guide|be replicated)"
    r"|(?:will|would|can|could|may|might) (?:\w+ )?(?:allow|enable|facilitate|support|assist|pave)"
    r"|(?:is|are) (?:\w+ )?recommended|(?:were|was) (?:also )?identified"
    r"|future research directions|hot topic|scope of future|concludes|grants?"
    r"|agenda (?:is|are|was|were) (?:also )?\w+ed|pointed out"
    r"|we (?:develop|offer|present|propose|provide))\b",
    re.IGNORECASE,
)
# The role alone is a guess: "Drainage is an effective procedure" closes an abstract, too.
_IS_OPEN = re.compile(
    r"\b(?:further\W+(?:\w+\W+){0,2}(?:research|work|stud|investigat|evaluat|experiment|test"
    r"|clarif|explor|attention|analys|improve|validat|develop|refine|effort)"
    r"|(?<!not )limitation|limiting"
    r"|(?<!not )limited(?= (?:by|evidence|data|research|stud|number|sample|understand"
    r"|knowledge|information|attention|generali|power|size|availab|access|because|due)|[.,;])"
    r"|limits of (?:this|our)|future|controvers|debate|challeng(?!ed by)|caution"
    r"|to be (?:seen|explored|examined|determined|established|clarified|tested|investigated)"
    r"|(?:remains?|is|are|still|left|an?|many|several) open\b"
    r"|open (?:question|problem|issue|challenge)s?"
    r"|caveat|need|lack|gaps?\b|yet\b"
    r"|un(?:clear|known|explored|solved|certain|tested)|cannot|fail(?:s|ed)? to|little\b|few\b"
    r"|(?:we|this (?:paper|study|review|work)|our \w+) (?:do|does|did|is|are|was|were) not\b"
    r"|(?:is|are|was|were) not (?:\w+ )?(?:known|understood|clear|studied|addressed|available)"
    r"|insufficient|requir|warrant|scarce|constrain|still (?:un|open|missing|scarce|poor)"
    r"|under-?explored|agenda|roadmap|questions?\b|restrict|mixed|inconclusive|small"
    r"|risk of bias|biased|left (?:for|to)|leaves?\b)",
    re.IGNORECASE,
)
# A heading that stands in an abstract (“Current status and future agenda”) has none.
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|cannot|could|may|might|must|should|will|would|do"
    r"|does|did|remains?|remained|needs?|needed|lacks?|lacked|requires?|fails?|failed|limits?|leaves?"
    r"|suffers?|depends?|deserves?|calls?|opens?|raises?|faces?|assumes?|focus(?:es)?|struggles?"
    r"|exists?|relies|rely|covers?|warrants?|hinders?|restricts?|constrains?)\b|n[’']t\b",
    re.IGNORECASE,
)


def open_problem_drafts(subject: Subject) -> list[Draft | None]:
    """Return the limits that papers name."""
    chosen = choose_exemplars(subject.entries, _MOST_LIMITS, limit_of)
    found = [(entry, limit_of(entry)) for entry in chosen]
    return told_in_turn("limit", found, "What stays open: ")


def limit_of(entry: SurveyPaper) -> str:
    """Return the first limit or open question that a paper names, or "".

    What stands before it says what it does is a gap that it fills; where it never says so, what
    stands in the first half.
    """
    half = len(entry.sentences) // 2 - 1
    main = next((place for place, each in enumerate(entry.sentences) if each.main), half)
    stated = (each.words for each in entry.sentences[main + 1 :] if each.role == "limit")
    able = (s for s in stated if stands_alone(s, entry.paper) and not _ONLY_ANNOUNCES.search(s))
    return next((text for text in able if _IS_OPEN.search(text) and _VERB.search(text)), "")
