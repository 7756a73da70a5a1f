"""The survey as a list of papers in Markdown, between two markers of a README."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.errors import Fault, InputError
from classifier.papers.names import plain_name
from classifier.papers.paper import Paper
from classifier.papers.readers.markdown_list import OWN_MARK
from classifier.survey.entry import SurveyPaper
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Category

BEGIN = OWN_MARK
END = "<!-- fieldguide:end -->"

_MAX_AUTHORS = 6
_MACHINE = "°"
_ESCAPED = re.compile(r"([\\`*_\[\]<>|~])")
_LINE_END = re.compile(r"\r\n|\n|\r")


def readme_list(survey: Survey) -> str:
    """Return the papers by category: headings of level two and three, and one bullet per paper.

    Papers are listed under their primary category, the newest first, with their other categories
    after “Also in”. Papers out of scope are omitted. `°` marks papers that nobody has reviewed. The
    text ends with a line break. Fieldguide reads the list back as the same papers in the same
    categories.
    """
    facet = survey.taxonomy.first
    lines: list[str] = []
    for category in facet.categories:
        if not category.replaced_by and not category.out_of_scope:
            lines += _section_lines(survey, category)
    if any(line.endswith(_MACHINE) for line in lines):
        note = f"{_MACHINE} filed by Fieldguide from title and abstract, not reviewed by a person."
        lines += [f"<sub>{note}</sub>", ""]
    return "\n".join(lines)


def replace_between_markers(text: str, content: str, label: str) -> str:
    """Replace the content between the two markers in `text`.

    label: name of the file for messages. The line ends are those after the first marker. Raises
    InputError unless there is exactly one pair of markers, in order.
    """
    start, end = text.find(BEGIN), text.find(END)
    counts = text.count(BEGIN), text.count(END)
    if counts != (1, 1) or end < start:
        found = "no markers" if counts == (0, 0) else "missing or repeated markers"
        expected = f"one line {BEGIN} and one line {END} below it"
        hint = "Add both lines where the list should be. The text between them is replaced."
        raise InputError([Fault("error", label, None, found, expected, hint)])
    head = start + len(BEGIN)
    line_end = _LINE_END.match(text, head) or _LINE_END.search(text)
    newline = line_end[0] if line_end else "\n"
    body = f"\n{content.strip()}\n" if content.strip() else ""
    return text[:head] + f"\n{body}\n".replace("\n", newline) + text[end:]


def _section_lines(survey: Survey, category: Category) -> Iterator[str]:
    """Yield the lines of a category and its children; those without papers are omitted."""
    entries = survey.papers_under(category)
    if not entries:
        return
    yield from (f"## {_without_markdown(category.name)}", "")
    direct = [entry for entry in entries if _child_of_paper(entry, category) is None]
    yield from _bullets(survey, direct, category)
    for child in category.children:
        inside = [entry for entry in entries if _child_of_paper(entry, category) == child.id]
        if inside:
            yield from (f"### {_child_name(category, child)}", "")
            yield from _bullets(survey, inside, child)


def _child_of_paper(entry: SurveyPaper, category: Category) -> str | None:
    """Return the id of the first child of `category` that applies to the paper, or None."""
    given = set(entry.first.categories)
    return next((child.id for child in category.children if child.id in given), None)


def _bullets(survey: Survey, entries: list[SurveyPaper], category: Category) -> Iterator[str]:
    """Yield the bullets of papers."""
    if not entries:
        return
    entries = sorted(entries, key=lambda entry: (entry.paper.title_display, entry.paper.id))
    for entry in sorted(entries, key=lambda entry: entry.paper.published.date, reverse=True):
        yield _bullet(entry)
        if others := _other_categories(survey, entry, category):
            yield f"  - Also in: {', '.join(f'[{name}]' for name in others)}"
    yield ""


def _bullet(entry: SurveyPaper) -> str:
    """Return a paper on one line: title, authors, venue and year, code."""
    paper = entry.paper
    title = _without_markdown(paper.title_marked)
    link = _paper_link(paper)
    parts = [f"- [{title}]({link})" if link else f"- **{title}**"]
    if names := [_without_markdown(plain_name(name)) for name in paper.authors[:_MAX_AUTHORS]]:
        more = paper.has_more_authors or len(paper.authors) > len(names)
        parts.append(f"– {', '.join(names)}{' et al.' if more else ''}")
    if stated := " ".join(filter(None, (_without_markdown(paper.venue), paper.published.year))):
        parts.append(f"({stated})")
    parts += [f"[[code]({_escape_url(url)})]" for url in paper.code_urls[:1]]
    return " ".join(parts) + ("" if entry.first.is_decided else f" {_MACHINE}")


def _paper_link(paper: Paper) -> str:
    """Return the URL of a paper, if possible with its id, so that it can be read back."""
    if paper.id.startswith("arxiv:"):
        return f"https://arxiv.org/abs/{paper.id.removeprefix('arxiv:')}"
    if paper.id.startswith("doi:"):
        return _escape_url(f"https://doi.org/{paper.id.removeprefix('doi:')}")
    return _escape_url(paper.link)


def _other_categories(survey: Survey, entry: SurveyPaper, category: Category) -> list[str]:
    """Return the paths of a paper's other categories; each child is preceded by its parent."""
    facet = survey.taxonomy.first
    given = [name for name in entry.first.categories if name != category.id]
    deepest = [name for name in given if not any(o.startswith(f"{name}/") for o in given)]
    paths: list[str] = []
    for identifier in deepest:
        found, top = facet.get(identifier), facet.get(facet.top_id_of(identifier))
        if found is None or top is None or category.id.startswith(f"{identifier}/"):
            continue
        inner = "" if found is top else f" / {_child_name(top, found)}"
        paths.append(f"{_path_name(top.name)}{inner}")
    return paths


def _child_name(parent: Category, child: Category) -> str:
    """Return the child's name without the parent's name."""
    return _path_name(child.name.removeprefix(f"{parent.name}: "))


def _path_name(name: str) -> str:
    """Return a name in a form that is safe as part of a path."""
    return _without_markdown(re.sub(r"\s*/\s*", "/", name)).replace("\\[", "(").replace("\\]", ")")


def _without_markdown(text: str) -> str:
    """Return a text without Markdown."""
    return _ESCAPED.sub(r"\\\1", " ".join(text.split()))


def _escape_url(url: str) -> str:
    """Return an escaped URL."""
    return url.replace("(", "%28").replace(")", "%29")
