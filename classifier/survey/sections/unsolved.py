"""What authors say is unsolved: which problems, in whose words, and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from classifier.survey.document import Block, Draft, Section, Table, paragraphs
from classifier.survey.entry import Entry
from classifier.survey.escape import escape_cell
from classifier.survey.exemplars import choose_exemplars, stands_alone
from classifier.survey.facts import Selection, Term
from classifier.survey.names import UNSOLVED
from classifier.survey.sections.abstract import ranked
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_behind
from classifier.survey.survey import Survey
from classifier.survey.wording import linked

ID = "unsolved"
_LEAST_PAPERS = 3
_MOST_STATEMENTS = 3
_MOST_CATEGORIES = 4
_WHOSE = "Most of these are what papers say others leave open; many answer it themselves."
# "Agents are moving toward general ones" holds a cue, and says of no problem that it is one.
_LACKS = re.compile(
    r"\b(?:fail\w*|hard|difficult\w*|struggl\w*|lack\w*|limit\w*|unclear|unknown|poor\w*|badly"
    r"|brittle|costly|expensive|inefficien\w*|little|few|rare\w*|scarce|sparse|no|not|cannot|never"
    r"|without|only|neglect\w*|overlook\w*|ignor\w*|bottleneck\w*|challeng\w*|risk\w*"
    r"|concerns?|narrow\w*|slow\w*|unstable|weak\w*|suffer\w*|handcrafted|by hand|hand-\w+"
    r"|closed-source|proprietary|exploit\w*|malicious|harm\w*|too|far behind|trail|open question"
    r"|privacy problems|depend\w*(?! on how)|saturat\w*|lose|overwhelm\w*)\b",
    re.IGNORECASE,
)


def unsolved_sections(material: Survey) -> list[Section]:
    """Return what the papers say is unsolved; none where the project has no cues for it."""
    told = _told(material)
    if not told:
        return []
    blocks: list[Block] = [
        *paragraphs(ID, [Draft("read", _WHOSE, "H", "fieldguide: method")]),
        _table(material),
        *paragraphs(ID, *[_statements(problem, entries) for problem, entries in told.items()]),
    ]
    return [Section(ID, "What authors say is unsolved", 1, tuple(blocks))]


def unsolved_draft(subject: Subject) -> Draft | None:
    """Return what a paper of a category or part says of a problem that most of them name."""
    told = {entry.number for entries in _told(subject.material).values() for entry in entries}
    for problem, there in _problems(subject.material, subject.papers):
        free = [entry for entry in there.entries if entry.number not in told]
        stated = partial(_stated, problem)
        untold = choose_exemplars(free, 1, stated)
        for entry in untold or choose_exemplars(there.entries, 1, stated):
            lead = f"Called [unsolved](#{ID}) here: {problem}. "
            return told_behind("unsolved", entry, _stated(problem, entry), lead)
    return None


def _problems(material: Survey, select: Callable[[Term], Selection]) -> list[tuple[str, Selection]]:
    """Return the problems that papers enough state of those selected, the most stated first."""
    names = material.taxonomy.lexicons.get(UNSOLVED, {})
    found = [(name, select((UNSOLVED, name))) for name in names]
    stated = [(name, there) for name, there in found if there.number >= _LEAST_PAPERS]
    every = {name: material.facts.select((UNSOLVED, name)).number for name in names}
    return sorted(stated, key=lambda item: (-item[1].number, every[item[0]]))


def _told(material: Survey) -> dict[str, list[Entry]]:
    """Return problem -> the papers that tell of it in the section of all; none of them twice."""
    used: set[int] = set()
    told: dict[str, list[Entry]] = {}
    for problem, there in _problems(material, material.facts.select):
        key = ("unsolved", problem)
        if key not in material.asked:
            free = [entry for entry in there.entries if entry.number not in used]
            stated = partial(_stated, problem)
            material.asked[key] = choose_exemplars(free, _MOST_STATEMENTS, stated)
        told[problem] = material.asked[key]
        used.update(entry.number for entry in told[problem])
    return told


def _table(material: Survey) -> Table:
    rows = []
    for problem, there in _problems(material, material.facts.select):
        filed = [
            (material.facts.select((UNSOLVED, problem), filed=category.id), category)
            for category in material.categories
        ]
        places = ranked(filed)[:_MOST_CATEGORIES]
        for selection in (there, *(here for here, _ in places)):
            material.facts.note(selection.id)
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


def _statements(problem: str, entries: list[Entry]) -> list[Draft | None]:
    """Return the statements of a problem, a paragraph."""
    leads = [f"{problem[:1].upper()}{problem[1:]}: ", *[""] * len(entries)]
    name = "-".join(problem.split())
    return [
        told_behind(f"{name}-{entry.slug}", entry, _stated(problem, entry), lead)
        for lead, entry in zip(leads, entries, strict=False)
    ]


def _stated(problem: str, entry: Entry) -> str:
    """Return the sentence in which a paper states a problem, or "" where it says of none."""
    words = entry.unsolved[problem].words
    is_told = stands_alone(words) and _LACKS.search(words) and not words.startswith("The survey")
    return words if is_told else ""
