"""The section "What is unsolved": limits, open questions and failures that papers report."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.survey.document import (
    Block,
    Cell,
    Draft,
    Run,
    Section,
    Table,
    make_paragraphs,
    make_sentence,
    quote_paper,
)
from classifier.survey.entry import SurveyPaper
from classifier.survey.names import NAMES_CHALLENGES
from classifier.survey.paper_names import page_link
from classifier.survey.quotation import is_quotable
from classifier.survey.sections.category.claims import text_kind
from classifier.survey.sections.frame import claim_link
from classifier.survey.survey import Survey
from classifier.survey.wording import category_link, escape_cell, quotation

ID = "unsolved"
_MAX_ROWS = 30
"""Maximum number of papers per topic; key papers come first, then the newest."""


def unsolved_sections(survey: Survey) -> list[Section]:
    """Return the section: the open claims, and a table with one row per paper and topic."""
    rows = [
        _problem_row(category_link(category), entry, limit)
        for category in survey.in_scope
        for entry, limit in _open_problems(survey.papers_under(category))
    ]
    blocks: list[Block] = [*make_paragraphs(ID, _open_claims(survey))]
    if rows:
        columns = ("Topic", "Paper", "What it leaves open")
        caption = "Limits, open questions and failures that papers report on their own subject"
        blocks.append(Table(ID, caption, columns, tuple(rows)))
    return [Section(ID, "What is unsolved", 1, tuple(blocks))] if blocks else []


def _open_problems(entries: Sequence[SurveyPaper]) -> list[tuple[SurveyPaper, str]]:
    """Return the papers that leave a problem open, with its sentence, in their order."""
    found = [(entry, limit) for entry in entries if (limit := open_problem_of(entry))]
    found.sort(key=lambda row: not row[0].key)
    return found[:_MAX_ROWS]


def _open_claims(survey: Survey) -> Run:
    """Return the editors' list of claims that no paper tests; [] without such claims."""
    claims = [
        f"- {claim_link(survey, category, claim, claim.text)}"
        for category in survey.categories
        for claim in survey.claims.of_topic(category.id)[1]
        if claim.open
    ]
    if not claims:
        return []
    which = "this claim" if len(claims) == 1 else "these claims"
    lead = f"None of the {text_kind(survey)} reports a test of {which}:"
    return [Draft("claims", "\n".join([lead, "", *claims]), "H", "taxonomy: claims")]


def _problem_row(topic: str, entry: SurveyPaper, limit: str) -> tuple[Cell, ...]:
    """Return the row of a paper."""
    text = quotation(entry, escape_cell(limit))
    return (
        topic,
        page_link(entry),
        make_sentence(ID, quote_paper(f"limit-{entry.slug}", text, entry, limit)),
    )


# "Open challenges are discussed" does not name a challenge.
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
# The predicted role is not enough: "Drainage is an effective procedure" can end an abstract, too.
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
# A heading within an abstract, “Current status and future agenda”, has no verb.
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|cannot|could|may|might|must|should|will|would|do"
    r"|does|did|remains?|remained|needs?|needed|lacks?|lacked|requires?|fails?|failed|limits?|leaves?"
    r"|suffers?|depends?|deserves?|calls?|opens?|raises?|faces?|assumes?|focus(?:es)?|struggles?"
    r"|exists?|relies|rely|covers?|warrants?|hinders?|restricts?|constrains?)\b|n[’']t\b",
    re.IGNORECASE,
)


# A failure that a paper measures: "the best model scores well below people".
_FAILS = re.compile(
    r"\b(?:(?<!approaches )(?<!baselines )fail(?:s|ed)? (?:to|at|on|in|most|almost)|struggl\w*"
    r"|far (?:below|behind|from)|fall\w* (?:far )?short|cannot|unable|poorly(?! specified)"
    r"|brittle|unsolved|remains? (?:un|hard|difficult|open|far)|seldom|rarely|hardly"
    r"|well below (?:[\w'’-]+ ){0,3}?(?:human|people|expert|clinician|level|standard|target|chance)"
    r"|(?:is|are|was|were) not (?:yet )?(?:reliable|robust)|unreliabl[ey]"
    r"|(?:are|is|prove\w*|remain\w*) (?:\w+ )?vulnerable"
    r"|degrad\w+ (?:substantially|sharply|rapidly|strongly)|near 0(?=\s?%)|(?:do|does) poorly"
    r"|(?:show|reveal|expos|find|found|leav|have|has)\w* (?:[\w-]+ ){0,3}?"
    r"(?:gaps? (?:in|to|between)|(?:deficienc|weakness)\w* in)|lasting weakness\w*"
    r"|no (?:single )?(?:agent|method|model|system|treatment)\w* (?:dominates|solves|suffices)"
    r"|little better|still show\w*)\b"
    r"|\b(?:even|best|strongest|frontier|current|leading)\b[^.;]{0,100}?\b"
    r"(?:only \d[\d.]*\s?%(?! of (?:the |its )?(?:cost|token|data|time|param|comput|budget|train))"
    r"|(?:stay|remain)\w* (?:at or )?(?:below|under) (?:an? )?\d"
    r"|(?:solv|complet|pass)\w* (?:fewer|less) than \d)",
    re.IGNORECASE,
)
# "where a rival falls short", "some do poorly, one does best": no failure of the subject.
_OF_OTHERS = re.compile(
    r"\b(?:where|whereas|while) [^,;]{0,60}\b(?:fail|fall|struggl|cannot|poorly)\w*"
    r"|\b(?:do|does|performs?|scores?) best\b|\b(?:differentiate|discriminate|distinguish)",
    re.IGNORECASE,
)
_ANNOUNCED = (
    r"(?:\w+ly |also )?(?:outlin|discuss|analy[sz]|review|summari[sz]|describ|cover|consider"
    r"|present|identifi|highlight|address|list|sketch|survey|examin|treat|point)ed\b"
)
_OPEN_PROBLEM = (
    r"(?:open|remaining|unsolved|key|main)"
    r" (?:barrier|challenge|limitation|problem|question|risk)s?\b"
)
# "Stated limits include drift", "names drift and loops as open problems", but not "open challenges
# are outlined".
_NAMES_PROBLEMS = re.compile(
    rf"{NAMES_CHALLENGES.pattern}(?! {_ANNOUNCED})"
    r"|\b(?:(?:stated|main|key|known|remaining|open) (?:limits|problems|questions|risks|weaknesses)"
    rf"|(?:future|open|research) directions)(?: it names| named)?"
    rf" (?:are(?! {_ANNOUNCED})|include)\b"
    r"|\b(?:nam|identif|state|list)(?:e|es|ed|ies|ied|s) [^.;:]{3,160}? as (?:an |the |main )*"
    rf"{_OPEN_PROBLEM}|\b(?:named|stated|identified) as (?:an |the |main )*{_OPEN_PROBLEM}"
    r"|\bopen (?:problems|questions) (?:in|of|on) [^.;]{3,120} follow\b"
    r"|\b(?:is|are|was|were|remain\w*) left (?:to|for) (?:future|further|later|others)\b"
    r"|\bremains? (?:(?:hard|difficult) (?:even )?for|unsolved|unvalidated|untested|unexplored)\b",
    re.IGNORECASE,
)

_ALSO = re.compile(r"^(The (?:authors|paper|review|study|survey)) also\b")


def open_problem_of(entry: SurveyPaper) -> str:
    """Return a sentence of a paper about a limit, a challenge or a failure, or ""."""
    return limit_of(entry) or _named_problem_of(entry) or _failure_of(entry)


def _named_problem_of(entry: SurveyPaper) -> str:
    """Return the first sentence from the contribution on that names open problems, or ""."""
    later = entry.sentences[_contribution_position(entry) :]
    texts = (each.words for each in later if _NAMES_PROBLEMS.search(each.words))
    # Next to its paper, "The survey also names …" depends on no other sentence.
    return next((text for text in texts if is_quotable(_ALSO.sub(r"\1", text), entry.paper)), "")


def _failure_of(entry: SurveyPaper) -> str:
    """Return the first result of a paper that is a failure, or ""."""
    for sentence in entry.sentences[_contribution_position(entry) + 1 :]:
        text = sentence.words
        is_failure = sentence.role == "result" and _FAILS.search(text)
        if is_failure and not _OF_OTHERS.search(text) and is_quotable(text, entry.paper):
            return text
    return ""


def _contribution_position(entry: SurveyPaper) -> int:
    """Return the position of the contribution; without one, of the middle of the text."""
    half = len(entry.sentences) // 2 - 1
    return next((place for place, each in enumerate(entry.sentences) if each.main), half)


def limit_of(entry: SurveyPaper) -> str:
    """Return the first quotable limit or open question of a paper, or "".

    Sentences before the contribution are skipped, because the paper itself solves the problems that
    they state. If no sentence states the contribution, the first half of the text is skipped.
    """
    later = entry.sentences[_contribution_position(entry) + 1 :]
    stated = (sentence.words for sentence in later if sentence.role == "limit")
    quotable = (s for s in stated if is_quotable(s, entry.paper) and not _ONLY_ANNOUNCES.search(s))
    return next((text for text in quotable if _IS_OPEN.search(text) and _VERB.search(text)), "")
