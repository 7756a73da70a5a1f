"""Sentences that say what a paper says: its own words with its name put to them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from classifier.survey.document import Draft, told
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import called, short_name
from classifier.survey.wording import escape_cell

# The verbs with which the sentence of a digest opens that says what the paper does.
_VERB = re.compile(
    "(?:Adapt|Address|Adopt|Advance|Advocate|Analy[sz]e|Appl|Argue|Ask|Assemble|Assesse|Audit|Build"
    "|Call|Cast|Catalogue?|Chart|Classif|Collect|Combine|Compare|Compile|Conduct|Construct"
    "|Contribute|Create|Curate|Define|Demonstrate|Derive|Describe|Design|Develop|Diagnose|Discusse"
    "|Document|Establishe|Estimate|Evaluate|Examine|Explain|Explore|Extend|Find|Formali[sz]e"
    "|Formulate|Frame|Generali[sz]e|Give|Identif|Implement|Improve|Integrate|Introduce|Investigate"
    "|Learn|Make|Map|Measure|Model|Offer|Open-source|Outline|Pose|Predict|Present|Propose|Prove"
    "|Provide|Quantif|Question|Recast|Reframe|Release|Replicate|Report|Reproduce|Rethink|Review"
    "|Revisit|Scale|Set|Show|Solve|Stud|Suggest|Survey|Synthesi[sz]e|Systemati[sz]e|Tackle|Take"
    "|Test|Trace|Train|Treat|Turn|Unif|Use|Validate)(?:ie)?s,? "
)
# "Introduces WebDancer, a web agent that …" behind the name WebDancer: "… is a web agent that …".
_NAMED_AGAIN = (
    r"(?:Introduces|Presents|Proposes|Releases|Develops|Describes|Builds|Creates) (?:the )?"
    r"(?:[^,.;:]{{0,60}}\()?(?i:{name})\)?(?: \([^)]*\))?(?:, |\b)"
)
# "OBJECTIVE: To compare …", without its heading, is half a sentence; "To test this, we …" is none.
_AIM = re.compile(
    r"To (?!(?:this|that|these|date|our|the)\b)[a-z-]+ (?!.*, (?:we|this|these|the|our|an?|it)\b)"
)
_ARTICLE = re.compile(r"(?:an?|the) ")
# "… a benchmark of tasks, and Sci-Reproducer, a framework": the name is not both.
_TWO_THINGS = re.compile(r", and (?:the )?[A-Z][\w-]+(?:, an?| \w+,) ")


def told_of(name: str, entry: SurveyPaper, stated: str, lead: str = "") -> Draft:
    """Return what a paper says with the paper as its subject, `lead` in front.

    A digest tells what the paper does and opens with a verb, which then has its subject; where
    it names the paper again, the sentence says what the paper is. An abstract is quoted.
    """
    words = escape_cell(stated)
    if entry.paper.abstract_kind != "digest":
        says = "gives as its aim" if _AIM.match(stated) else "states"
        said = escape_cell(stated)
        return told(name, f"{lead}{called(entry)} {says}: “{said}”", entry, stated)
    if not _VERB.match(stated):
        return told_behind(name, entry, stated)
    known = re.escape(short_name(entry.paper.title_display))
    repeated = re.match(_NAMED_AGAIN.format(name=known), stated)
    does = words[:1].lower() + words[1:]
    said = stated[repeated.end() :] if repeated else ""
    if _TWO_THINGS.search(said) or not _ARTICLE.match(said):
        return told(name, f"{lead}{called(entry)} {does}", entry, stated)
    return told(name, f"{lead}{called(entry)} is {escape_cell(said)}", entry, said)


def told_in_turn(
    name: str, found: Iterable[tuple[SurveyPaper, str]], lead: str
) -> list[Draft | None]:
    """Return what several papers say, each with its name behind; `lead` before the first."""
    return [
        told_behind(f"{name}-{entry.slug}", entry, stated, "" if place else lead)
        for place, (entry, stated) in enumerate(found)
    ]


def told_behind(name: str, entry: SurveyPaper, stated: str, lead: str = "") -> Draft:
    """Return what a paper says with its name behind, in parentheses; `lead` in front."""
    said = stated.removesuffix(".")
    words = escape_cell(said)
    if entry.paper.abstract_kind != "digest":
        words = f"“{escape_cell(said)}”"
    return told(name, f"{lead}{words} ({called(entry)}).", entry, said)
