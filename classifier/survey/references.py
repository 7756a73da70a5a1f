"""The reference list, and the citation of the survey itself.

Both print only input data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from classifier.labelling.labels import IMPORTED
from classifier.papers.names import plain_name, split_name
from classifier.survey.document import (
    Reference,
    Section,
    cited_numbers,
    computed_sentence,
    make_paragraphs,
    method_text,
    texts_of,
)
from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import STATED, Facts
from classifier.survey.survey import Survey
from classifier.survey.wording import count_in_words, date_in_words, escape_cell


def cited_entries(entries: Sequence[SurveyPaper], sections: Iterable[Section]) -> list[SurveyPaper]:
    """Return by number the papers that a sentence or a table in the sections cites."""
    cited = {number for _, _, text in texts_of(sections) for number in cited_numbers(text)}
    return [entry for entry in entries if entry.number in cited]


def reference_sections(facts: Facts, n_listed: int) -> list[Section]:
    """Return the section on how many papers are in the reference list; [] if all are."""
    total = facts.number("papers.total")
    if n_listed == total:
        return []
    facts.add("references.listed", n_listed, STATED, "papers that the survey cites")
    text = (
        f"The references list {count_in_words(n_listed)} of {count_in_words(total)} papers, "
        "those that the survey cites; "
        "the [browse page](browse.html), papers.json and references.bib list all papers."
    )
    draft = computed_sentence("listed", text, "references.listed", "papers.total")
    blocks = make_paragraphs("references-listed", [draft])
    return [Section("references-listed", "Which papers the references list", 1, tuple(blocks))]


NO_AUTHORS = "[Authors unknown]"
"""Printed instead of authors if no source states them, because a publisher is not an author."""


def reference_entry(entry: SurveyPaper) -> Reference:
    """Return a paper's entry in the reference list."""
    paper = entry.paper
    parts = [NO_AUTHORS]
    if paper.authors:
        names = ", ".join(escape_cell(plain_name(author)) for author in paper.authors[:6])
        more = " et al" if paper.has_more_authors or len(paper.authors) > 6 else ""
        parts = [f"{names}{more}".removesuffix(".") + "."]
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


_LATEX_ESCAPES = str.maketrans(
    {**{sign: f"\\{sign}" for sign in "{}$&#%_"}, "<": "$<$", ">": "$>$"}
)


def citation_sections(survey: Survey) -> list[Section]:
    """Return the appendix on how to cite the survey."""
    entry = "\n".join(f"    {line}" for line in survey_bibtex(survey).splitlines())
    text = (
        "The version is a hash of all inputs of the survey. Files: "
        "[cite.bib](cite.bib); the references as [BibTeX](references.bib), "
        f"[RIS](references.ris) and [CSL-JSON](references.json).\n\n{entry}"
    )
    cite = make_paragraphs("how-to-cite", [method_text("bibtex", text)])
    return [Section("how-to-cite", "Appendix: how to cite this survey", 1, tuple(cite))]


def survey_bibtex(survey: Survey) -> str:
    """Return the BibTeX entry of the survey."""
    settings, total = survey.taxonomy.survey, len(survey.entries)
    newest = max((entry.paper.published.date for entry in survey.entries), default="")
    address, signed_on = settings.base_url or settings.repository, newest_signature(survey)
    notes = [
        f"{total} papers, the newest of {newest}" if newest else f"{total} papers",
        f"licence {settings.licence}" if settings.licence else "",
    ]
    fields = [
        ("title", f"{{{_escape_latex(settings.title)}}}"),
        ("author", " and ".join(map(_bibtex_author, settings.editors))),
        ("year", signed_on[:4]),
        ("edition", f"version {survey.version}"),
        ("note", "; ".join(filter(None, notes))),
        ("url", address),
    ]
    lines = [f"  {name} = {{{value}}}," for name, value in fields if value]
    return "\n".join([f"@misc{{survey-{survey.version},", *lines, "}"])


_SIGNED_ON = re.compile(r"\b\d{4}(?:-\d\d){0,2}$")


def newest_signature(survey: Survey) -> str:
    """Return the date of the newest decision or claim, such as `2025-10`, or "".

    It is used as the date of the survey, because no input states that date, and a build must not
    depend on the clock.
    """
    signatures = [thesis.by for thesis in survey.claims.theses]
    signatures += [claim.by for claim in survey.claims.claims]
    dates = [found[0] for by in signatures if (found := _SIGNED_ON.search(by))]
    dates += [
        decision.reviewed_on
        for of_paper in survey.decisions.values()
        for decision in of_paper.values()
        if decision.drawn_by != IMPORTED
    ]
    return max(dates, default="")


def _bibtex_author(name: str) -> str:
    """Return the name of an editor for BibTeX; the name of a group is in braces."""
    family, given = map(_escape_latex, split_name(name))
    return f"{family}, {given}" if given else f"{{{family}}}"


def _escape_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return text.translate(_LATEX_ESCAPES)
