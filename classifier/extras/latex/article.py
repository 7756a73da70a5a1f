"""The whole survey as an article: article.tex, references.bib, figures; or one section."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from classifier.errors import UsageError
from classifier.extras.latex.markup import Links, declarations, plain_to_latex
from classifier.extras.latex.sections import (
    anchors_of,
    body_to_latex,
    floating_table,
    section_to_latex,
)
from classifier.site.context import make_environment
from classifier.site.exports.labelled import Selection
from classifier.site.exports.reference_files import cited_bibtex
from classifier.site.figures.files import figure_files, figures_of
from classifier.site.pages.survey import parts
from classifier.site.pdf import plain_colours
from classifier.survey.document import Document, Section

ABSTRACT = "abstract"
"""The id of the section that LaTeX sets in an environment of its own."""

_PREAMBLE = r"""% Written by `fieldguide export latex`. It compiles with latexmk -pdf, or with
% pdflatex, bibtex, pdflatex, pdflatex. Signs that the fonts lack print as ?; LuaLaTeX and XeLaTeX
% print them with a \setmainfont that has them.
\documentclass[a4paper]{article}
\usepackage[margin=25mm]{geometry}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
  \makeatletter
  \def\UTFviii@undefined@err#1{?}
  \newcommand\fieldguidesign[3]{\@ifundefined{u8:\detokenize{#1}}{\DeclareUnicodeCharacter{#2}{#3}}{}}
  \makeatother
\else
  \usepackage{fontspec}
  \newcommand\fieldguidesign[3]{}
\fi
\usepackage{lmodern}
\usepackage{array,booktabs,longtable,pdflscape,graphicx}
\usepackage[numbers,sort&compress]{natbib}
\usepackage[hidelinks,unicode]{hyperref}
\setlength{\LTcapwidth}{\linewidth}
\setlength{\emergencystretch}{3em}
\setcounter{secnumdepth}{2}
"""


def article_files(selection: Selection, pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return path -> bytes of the article; `selection` holds all papers of the survey.

    pictures: id -> PDF of the figures that can be shown; the others are left out.
    """
    references = cited_bibtex(selection)
    text = article_tex(selection, frozenset(pictures), references.decode())
    drawn = {f"figures/{name}.pdf": content for name, content in pictures.items()}
    return {"article.tex": text.encode(), "references.bib": references, **drawn}


def article_tex(selection: Selection, pictures: Collection[str], references: str = "") -> str:
    """Return article.tex; references: the text of the .bib, whose signs are declared, too."""
    document, survey = selection.edition.document, selection.edition.taxonomy.survey
    sections = document.sections
    links = links_of(selection, anchors_of(sections, pictures), survey.base_url)
    parts = [_abstract(section, links, pictures) for section in sections]
    body = "\n\n".join([*parts, r"\nocite{*}", r"\bibliographystyle{unsrtnat}"])
    signs = "\n".join(declarations(f"{body}{references}"))
    end = "\\bibliography{references}\n\\end{document}\n"
    return f"{_PREAMBLE}{signs}\n{_title(selection)}{body}\n{end}"


def links_of(selection: Selection, anchors: Collection[str], base_url: str) -> Links:
    """Return where links lead: citations by the keys of the selection."""
    entries = selection.edition.entries
    keys = {entry.number: selection.keys[entry.paper.id] for entry in entries}
    return Links(keys, anchors, base_url)


def _abstract(section: Section, links: Links, pictures: Collection[str]) -> str:
    if section.id != ABSTRACT:
        return section_to_latex(section, links, pictures)
    inside = "\n\n".join(body_to_latex(section, links, pictures))
    return f"\\begin{{abstract}}\\phantomsection\\label{{{ABSTRACT}}}\n{inside}\n\\end{{abstract}}"


def _title(selection: Selection) -> str:
    document = selection.edition.document
    subtitle = plain_to_latex(document.subtitle)
    below = rf"\\ \large {subtitle}" if subtitle else ""
    authors = r" \and ".join(map(plain_to_latex, document.editors))
    return (
        rf"\title{{{plain_to_latex(document.title)}{below}}}"
        f"\n\\author{{{authors}}}\n"
        rf"\date{{Version \texttt{{{plain_to_latex(document.version)}}}}}"
        "\n\\begin{document}\n\\maketitle\n"
    )


_SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')


def can_draw() -> bool:
    """Return whether WeasyPrint is installed."""
    return importlib.util.find_spec("weasyprint") is not None


def figure_pdfs(document: Document, template_folders: Sequence[Path]) -> dict[str, bytes]:
    """Return id -> PDF of each figure, of the size of its picture; none without WeasyPrint."""
    if not can_draw():
        return {}
    environment = make_environment(template_folders)
    pictures = {}
    for figure in figures_of(document):
        _, svg = next(figure_files(figure, environment))
        pictures[figure.id] = _pdf(plain_colours(svg))
    return pictures


def _pdf(svg: str) -> bytes:
    from weasyprint import HTML

    size = _SIZE.search(svg)
    width, height = (size[1], size[2]) if size else ("672", "400")
    style = f"@page{{size:{width}px {height}px;margin:0}}body{{margin:0}}svg{{display:block}}"
    pdf: bytes = HTML(string=f"<style>{style}</style>{svg}").write_pdf()
    return pdf


MARK = "% Written by `fieldguide export latex`"


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of LaTeX that another text includes, and the references that it cites."""

    tex: str
    bib: bytes
    cited: int


def section_fragment(selection: Selection, section_id: str) -> Fragment:
    """Return a section with its subsections; raises UsageError where there is none of that id."""
    document = selection.edition.document
    found = {section.id: [section] for section in document.sections}
    found |= {part[0].id: part for part in parts(document)}
    if section_id not in found:
        near = get_close_matches(section_id, found, 5, 0.3) or list(found)[:5]
        raise UsageError(
            f"--section '{section_id}': the survey has no such section; near: {', '.join(near)}."
        )
    chosen = found[section_id]
    base_url = selection.edition.taxonomy.survey.base_url
    links = links_of(selection, anchors_of(chosen, ()), base_url)
    # Pictures are files of an article; a text that includes a section has none of them.
    tex = "\n\n".join(section_to_latex(section, links, (), floating_table) for section in chosen)
    entries = tuple(e for e in selection.edition.entries if e.number in links.cited)
    bib = cited_bibtex(replace(selection, entries=entries))
    packages = "natbib, hyperref, array, booktabs; longtable and pdflscape for long tables"
    name = f"section {section_id}, version {document.version}"
    return Fragment(f"{MARK}: {name}.\n% Needs {packages}.\n{tex}\n", bib, len(entries))
