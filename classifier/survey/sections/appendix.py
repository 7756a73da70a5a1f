"""The appendix: how to cite the survey."""

from __future__ import annotations

import re

from classifier.labelling.labels import IMPORTED
from classifier.papers.names import split_name
from classifier.survey.document import Draft, Section, paragraphs
from classifier.survey.survey import Survey

_SPECIAL = str.maketrans({**{sign: f"\\{sign}" for sign in "{}$&#%_"}, "<": "$<$", ">": "$>$"})


def citation_sections(material: Survey) -> list[Section]:
    """Return the appendix with a BibTeX entry."""
    entry = "\n".join(f"    {line}" for line in survey_bibtex(material).splitlines())
    text = (
        "The version is a hash of everything that the survey was built from. As files: "
        "[cite.bib](cite.bib); its references as [BibTeX](references.bib), "
        f"[RIS](references.ris) and [CSL-JSON](references.json).\n\n{entry}"
    )
    cite = paragraphs("how-to-cite", [Draft("bibtex", text, "H", "fieldguide: method")])
    return [Section("how-to-cite", "Appendix: how to cite this survey", 1, tuple(cite))]


def survey_bibtex(material: Survey) -> str:
    """Return how to cite the survey: what its inputs say, and no more."""
    survey, total = material.taxonomy.survey, len(material.entries)
    newest = max((entry.paper.published.date for entry in material.entries), default="")
    address, signed = survey.base_url or survey.repository, newest_signature(material)
    notes = [
        f"{total} papers, the newest of {newest}" if newest else f"{total} papers",
        f"licence {survey.licence}" if survey.licence else "",
    ]
    fields = [
        ("title", f"{{{_latex(survey.title)}}}"),
        ("author", " and ".join(map(_author, survey.editors))),
        ("year", signed[:4]),
        ("edition", f"version {material.version}"),
        ("note", "; ".join(filter(None, notes))),
        ("url", address),
    ]
    lines = [f"  {name} = {{{value}}}," for name, value in fields if value]
    return "\n".join([f"@misc{{survey-{material.version},", *lines, "}"])


_SIGNED_ON = re.compile(r"\b\d{4}(?:-\d\d){0,2}$")


def newest_signature(material: Survey) -> str:
    """Return the date of the newest decision or claim, `2025-10`, or "".

    No input says when a survey is published, and a build asks no clock.
    """
    signed = [each.by for each in material.claims.theses]
    signed += [each.by for each in material.claims.claims]
    dates = [found[0] for by in signed if (found := _SIGNED_ON.search(by))]
    dates += [
        decision.reviewed_on
        for of_paper in material.decisions.values()
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
