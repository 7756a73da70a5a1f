"""The reference list, and how to cite the survey: what the inputs state, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from classifier.labelling.labels import IMPORTED
from classifier.papers.names import plain_name, split_name
from classifier.survey.document import (
    Reference,
    Section,
    cited_in,
    computed,
    method_text,
    paragraphs,
    texts_of,
)
from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import STATED, Facts
from classifier.survey.survey import Survey
from classifier.survey.wording import date_in_words, escape_cell, number


def cited_entries(entries: Sequence[SurveyPaper], sections: Iterable[Section]) -> list[SurveyPaper]:
    """Return the papers that a sentence or a table of the sections cites, by number.

    Of a survey whose tables hold every paper, all of them.
    """
    cited = {number for _, _, text in texts_of(sections) for number in cited_in(text)}
    return [entry for entry in entries if entry.number in cited]


def reference_sections(facts: Facts, listed: int) -> list[Section]:
    """Return the section that says how many papers the references hold; none where they are all."""
    total = facts.number("papers.total")
    if listed == total:
        return []
    facts.add("references.listed", listed, STATED, "papers that the survey cites")
    text = (
        f"The references hold {number(listed)} of {number(total)} papers, those that the survey "
        "cites; all of them stand on the [browse page](browse.html), in papers.json and in "
        "references.bib."
    )
    said = computed("listed", text, "references.listed", "papers.total")
    blocks = paragraphs("references-listed", [said])
    return [Section("references-listed", "Which papers the references hold", 1, tuple(blocks))]


NO_AUTHORS = "[Authors unknown]"
"""Stands in the place of authors: an organisation that shared a paper is not its author."""


def reference(entry: SurveyPaper) -> Reference:
    """Return the entry of a paper in the reference list."""
    paper = entry.paper
    parts = [NO_AUTHORS]
    if paper.authors:
        shown = ", ".join(escape_cell(plain_name(author)) for author in paper.authors[:6])
        more = " et al" if paper.has_more_authors or len(paper.authors) > 6 else ""
        parts = [f"{shown}{more}".removesuffix(".") + "."]
    title = escape_cell(paper.title_marked)
    stop = "" if paper.title_display.endswith(("?", "!", ".")) else "."
    parts.append(f"[{title}]({paper.link}){stop}" if paper.link else f"{title}{stop}")
    if paper.venue:
        parts.append(f"{escape_cell(paper.venue).removesuffix('.')}.")
    if paper.arxiv_id:
        parts.append(f"arXiv:{paper.arxiv_id}.")
    elif paper.doi:
        parts.append(f"doi:{paper.doi}.")
    if paper.published.date:
        parts.append(f"{date_in_words(paper.published.date)}.")
    return Reference(entry.number, paper.id, " ".join(parts))


_SPECIAL = str.maketrans({**{sign: f"\\{sign}" for sign in "{}$&#%_"}, "<": "$<$", ">": "$>$"})


def citation_sections(survey: Survey) -> list[Section]:
    """Return the appendix that says how to cite the survey."""
    entry = "\n".join(f"    {line}" for line in survey_bibtex(survey).splitlines())
    text = (
        "The version is a hash of everything that the survey was built from. As files: "
        "[cite.bib](cite.bib); its references as [BibTeX](references.bib), "
        f"[RIS](references.ris) and [CSL-JSON](references.json).\n\n{entry}"
    )
    cite = paragraphs("how-to-cite", [method_text("bibtex", text)])
    return [Section("how-to-cite", "Appendix: how to cite this survey", 1, tuple(cite))]


def survey_bibtex(survey: Survey) -> str:
    """Return how to cite the survey: what its inputs say, and no more."""
    settings, total = survey.taxonomy.survey, len(survey.entries)
    newest = max((entry.paper.published.date for entry in survey.entries), default="")
    address, signed = settings.base_url or settings.repository, newest_signature(survey)
    notes = [
        f"{total} papers, the newest of {newest}" if newest else f"{total} papers",
        f"licence {settings.licence}" if settings.licence else "",
    ]
    fields = [
        ("title", f"{{{_latex(settings.title)}}}"),
        ("author", " and ".join(map(_author, settings.editors))),
        ("year", signed[:4]),
        ("edition", f"version {survey.version}"),
        ("note", "; ".join(filter(None, notes))),
        ("url", address),
    ]
    lines = [f"  {name} = {{{value}}}," for name, value in fields if value]
    return "\n".join([f"@misc{{survey-{survey.version},", *lines, "}"])


_SIGNED_ON = re.compile(r"\b\d{4}(?:-\d\d){0,2}$")


def newest_signature(survey: Survey) -> str:
    """Return the date of the newest decision or claim, `2025-10`, or "".

    No input says when a survey is published, and a build asks no clock.
    """
    signed = [each.by for each in survey.claims.theses]
    signed += [each.by for each in survey.claims.claims]
    dates = [found[0] for by in signed if (found := _SIGNED_ON.search(by))]
    dates += [
        decision.reviewed_on
        for of_paper in survey.decisions.values()
        for decision in of_paper.values()
        if decision.drawn_by != IMPORTED
    ]
    return max(dates, default="")


def _author(name: str) -> str:
    """Return an editor as BibTeX reads a name; a group in braces, or it would be taken apart."""
    family, given = map(_latex, split_name(name))
    return f"{family}, {given}" if given else f"{{{family}}}"


def _latex(text: str) -> str:
    return text.translate(_SPECIAL)
