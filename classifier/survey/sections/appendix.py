"""The appendix: how to cite the survey."""

from __future__ import annotations

from classifier.papers.names import split_name
from classifier.survey.document import Draft, Section, paragraphs
from classifier.survey.survey import Survey

_SPECIAL = str.maketrans({**{sign: f"\\{sign}" for sign in "{}$&#%_"}, "<": "$<$", ">": "$>$"})


def citation_sections(material: Survey) -> list[Section]:
    """Return the appendix with a BibTeX entry."""
    entry = "\n".join(f"    {line}" for line in survey_bibtex(material).splitlines())
    text = f"The version is a hash of everything that the survey was built from.\n\n{entry}"
    cite = paragraphs("how-to-cite", [Draft("bibtex", text, "H", "fieldguide: method")])
    return [Section("how-to-cite", "Appendix: how to cite this survey", 1, tuple(cite))]


def survey_bibtex(material: Survey) -> str:
    """Return how to cite the survey: its own title, editors, version and address, nothing else."""
    survey, total = material.taxonomy.survey, len(material.entries)
    newest = max((entry.paper.published.date for entry in material.entries), default="")
    fields = [
        ("title", f"{{{_latex(survey.title)}}}"),
        ("author", " and ".join(map(_author, survey.editors))),
        ("edition", f"version {material.version}"),
        ("note", f"{total} papers, the newest of {newest}" if newest else f"{total} papers"),
        ("url", survey.base_url or survey.repository),
    ]
    lines = [f"  {name} = {{{value}}}," for name, value in fields if value]
    return "\n".join([f"@misc{{survey-{material.version},", *lines, "}"])


def _author(name: str) -> str:
    """Return an editor as BibTeX reads a name; a group in braces, or it would be taken apart."""
    family, given = map(_latex, split_name(name))
    return f"{family}, {given}" if given else f"{{{family}}}"


def _latex(text: str) -> str:
    return text.translate(_SPECIAL)
