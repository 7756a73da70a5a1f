"""What authors say is unsolved: which problems, in whose words, and where."""

from __future__ import annotations

import re

from classifier.survey.document import Block, Draft, Section, Table, computed, paragraphs
from classifier.survey.entry import Entry
from classifier.survey.escape import escape_cell
from classifier.survey.exemplars import choose_exemplars, stands_alone
from classifier.survey.facts import Selection
from classifier.survey.names import UNSOLVED
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_behind
from classifier.survey.sections.names import where_named
from classifier.survey.survey import Survey
from classifier.survey.wording import counted, joined, linked

ID = "unsolved"
_LEAST_PAPERS = 3
_MOST_STATEMENTS = 3
_MOST_CATEGORIES = 4
_MOST_NAMED = 3
# "Agents are moving toward general ones" holds a cue, and says of no problem that it is one.
_LACKS = re.compile(
    r"\b(?:fail\w*|hard|difficult\w*|struggl\w*|lack\w*|limit\w*|unclear|unknown|poor\w*|badly"
    r"|brittle|costly|expensive|inefficien\w*|little|few|rare\w*|scarce|sparse|no|not|cannot|never"
    r"|without|only|neglect\w*|overlook\w*|ignor\w*|bottleneck\w*|challeng\w*|problem\w*|risk\w*"
    r"|concerns?|narrow\w*|slow\w*|unstable|weak\w*|suffer\w*|handcrafted|by hand|hand-\w+"
    r"|closed-source|proprietary|exploit\w*|malicious|harm\w*|too|far behind|trail|open question"
    r"|depend\w*|saturat\w*)\b",
    re.IGNORECASE,
)


def unsolved_sections(material: Survey) -> list[Section]:
    """Return what the papers say is unsolved; none where the project has no cues for it."""
    problems = _problems(material)
    if not problems:
        return []
    blocks: list[Block] = [
        *paragraphs(ID, [_introduction(material)]),
        _table(material, problems),
        *paragraphs(ID, *_statements(problems)),
    ]
    return [Section(ID, "What authors say is unsolved", 1, tuple(blocks))]


def unsolved_draft(subject: Subject) -> Draft | None:
    """Return which problems the papers filed under a category name most."""
    found = _problems(subject.material, subject.category.id)[:_MOST_NAMED]
    if not found:
        return None
    said = joined([f"{problem} ({counted(there.number, 'paper')})" for problem, there in found])
    text = f"Named most often as [unsolved](#{ID}) by the papers filed here: {said}."
    return computed("unsolved", text, *(there for _, there in found))


def _problems(material: Survey, filed: str = "") -> list[tuple[str, Selection]]:
    """Return the problems that some papers state, with these, the most stated first."""
    select = material.facts.select
    names = material.taxonomy.lexicons.get(UNSOLVED, {})
    found = [
        (name, select((UNSOLVED, name), filed=filed) if filed else select((UNSOLVED, name)))
        for name in names
    ]
    stated = [(name, there) for name, there in found if there.number >= _LEAST_PAPERS]
    return sorted(stated, key=lambda item: -item[1].number)


def _introduction(material: Survey) -> Draft:
    facts = material.facts
    stated, every = facts.text(f"{UNSOLVED}.stated"), facts.text("papers.total")
    text = (
        f"In {stated} of {every} texts a cue for a problem below stands in a sentence that states "
        "a problem or a limit; what a paper calls unsolved it may well solve itself."
    )
    return computed("read", text, f"{UNSOLVED}.stated", "papers.total")


def _table(material: Survey, problems: list[tuple[str, Selection]]) -> Table:
    rows = []
    for problem, there in problems:
        places = where_named(material, UNSOLVED, problem)[:_MOST_CATEGORIES]
        for selection, _ in places:
            material.facts.note(selection.id)
        material.facts.note(there.id)
        filed = " · ".join(f"{linked(category)} {here.number}" for here, category in places)
        rows.append((escape_cell(problem), str(there.number), filed))
    return Table(
        ID,
        "What do texts say is unsolved, in how many, and under which categories are these filed? "
        f"(the {_MOST_CATEGORIES} that hold most)",
        ("Unsolved", "Texts", "Filed under"),
        tuple(rows),
        numeric=(1,),
    )


def _statements(problems: list[tuple[str, Selection]]) -> list[list[Draft | None]]:
    """Return two or three statements of each problem, a paragraph each; no sentence twice."""
    used: set[int] = set()
    runs: list[list[Draft | None]] = []
    for problem, there in problems:
        lacking = [e for e in there.entries if _LACKS.search(e.unsolved[problem].words)]

        def stated(entry: Entry, problem: str = problem) -> str:
            words = entry.unsolved[problem].words
            return words if entry.number not in used and stands_alone(words) else ""

        chosen = choose_exemplars(lacking or there.entries, _MOST_STATEMENTS, stated)
        leads = [f"{problem[:1].upper()}{problem[1:]}: ", *[""] * len(chosen)]
        name = "-".join(problem.split())
        runs.append(
            [
                told_behind(f"{name}-{entry.slug}", entry, stated(entry), lead)
                for lead, entry in zip(leads, chosen, strict=False)
            ]
        )
        used.update(entry.number for entry in chosen)
    return runs
