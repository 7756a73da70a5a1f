"""The whole survey as an article: article.tex, references.bib, figures; or one section."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from classifier.errors import UsageError
from classifier.extras.latex_markup import (
    Links,
    blocks_to_latex,
    declarations,
    guarded,
    inline_to_latex,
    plain_to_latex,
)
from classifier.site.blocks import anchor, is_block_text
from classifier.site.context import make_environment
from classifier.site.exports.labelled import Selection
from classifier.site.exports.reference_files import cited_bibtex
from classifier.site.figures.charts import figure_files, figures_of
from classifier.site.markup import plain_text
from classifier.site.pages.survey import parts
from classifier.site.pdf import plain_colours
from classifier.survey.document import Document, Figure, Paragraph, Section, Table

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
    sections = selection.survey.document.sections
    links = _links(selection, anchors_of(sections, pictures))
    parts = [_abstract(section, links, pictures) for section in sections]
    body = "\n\n".join([*parts, r"\nocite{*}", r"\bibliographystyle{unsrtnat}"])
    signs = "\n".join(declarations(f"{body}{references.decode()}"))
    end = "\\bibliography{references}\n\\end{document}\n"
    text = f"{_PREAMBLE}{signs}\n{_title(selection)}{body}\n{end}"
    drawn = {f"figures/{name}.pdf": content for name, content in pictures.items()}
    return {"article.tex": text.encode(), "references.bib": references, **drawn}


def _links(selection: Selection, anchors: Collection[str]) -> Links:
    entries = selection.survey.entries
    keys = {entry.number: selection.keys[entry.paper.id] for entry in entries}
    return Links(keys, anchors, selection.survey.taxonomy.survey.base_url)


def _abstract(section: Section, links: Links, pictures: Collection[str]) -> str:
    if section.id != ABSTRACT:
        return section_to_latex(section, links, pictures)
    inside = "\n\n".join(body_to_latex(section, links, pictures))
    return f"\\begin{{abstract}}\\phantomsection\\label{{{ABSTRACT}}}\n{inside}\n\\end{{abstract}}"


def _title(selection: Selection) -> str:
    document = selection.survey.document
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


def figure_pdfs(document: Document, template_folders: Sequence[Path]) -> dict[str, bytes]:
    """Return id -> PDF of each figure, of the size of its picture; none without WeasyPrint."""
    if find_spec("weasyprint") is None:
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
    document = selection.survey.document
    found = {section.id: [section] for section in document.sections}
    found |= {part[0].id: part for part in parts(document)}
    if section_id not in found:
        near = get_close_matches(section_id, found, 5, 0.3) or list(found)[:5]
        raise UsageError(
            f"--section '{section_id}': the survey has no such section; near: {', '.join(near)}."
        )
    chosen = found[section_id]
    links = _links(selection, anchors_of(chosen, ()))
    # Pictures are files of an article; a text that includes a section has none of them.
    tex = "\n\n".join(section_to_latex(section, links, (), floating_table) for section in chosen)
    entries = tuple(e for e in selection.survey.entries if e.number in links.cited)
    bib = cited_bibtex(replace(selection, entries=entries))
    packages = "natbib, hyperref, array, booktabs; longtable and pdflscape for long tables"
    name = f"section {section_id}, version {document.version}"
    return Fragment(f"{MARK}: {name}.\n% Needs {packages}.\n{tex}\n", bib, len(entries))


_COMMANDS = {1: "section", 2: "subsection", 3: "subsubsection"}
_MOST_UPRIGHT = 6
"""Columns that a page holds; a table of more lies on its side."""
_MOST_FLOATING = 25
"""Rows of a table that stands on one page."""
_WORDS = (8, 40)
"""Letters that a column counts for, at least and at most, when widths are shared out."""
_SPACED = r"\renewcommand{\arraystretch}{1.15}"

TableWriter = Callable[[Table, Links], str]


def long_table(table: Table, links: Links) -> str:
    """Return a table that runs over pages, on its side where it has many columns."""
    head = _row(table.columns, links, bold=True)
    lines = [
        rf"\begin{{longtable}}{{{_columns(table)}}}",
        rf"\caption{{{inline_to_latex(table.caption, links)}}}\label{{{anchor(table)}}}\\",
        rf"\toprule {head} \\ \midrule \endfirsthead",
        rf"\toprule {head} \\ \midrule \endhead",
        r"\bottomrule \endfoot",
        *(rf"{_row(row, links)} \\" for row in table.rows),
        r"\end{longtable}",
    ]
    size = r"\scriptsize" if len(table.columns) > _MOST_UPRIGHT else r"\footnotesize"
    body = "\n".join(["{" + size + r"\setlength{\tabcolsep}{3pt}", _SPACED, *lines, "}"])
    if len(table.columns) <= _MOST_UPRIGHT:
        return body
    return f"\\begin{{landscape}}\n{body}\n\\end{{landscape}}"


def floating_table(table: Table, links: Links) -> str:
    """Return a table as a paper includes it: across both columns, or a long one where it must."""
    if len(table.rows) > _MOST_FLOATING:
        return long_table(table, links)
    rows = "\n".join(rf"{_row(row, links)} \\" for row in table.rows)
    return "\n".join(
        [
            r"\begin{table*}\footnotesize\centering\setlength{\tabcolsep}{3pt}",
            rf"\caption{{{inline_to_latex(table.caption, links)}}}\label{{{anchor(table)}}}",
            rf"\begin{{tabular}}{{{_columns(table)}}}",
            rf"\toprule {_row(table.columns, links, bold=True)} \\ \midrule",
            rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table*}",
        ]
    )


def picture(figure: Figure, links: Links) -> str:
    """Return a figure that shows figures/ID.pdf."""
    caption = inline_to_latex(f"{figure.title}. {figure.caption}", links)
    size = r"width=\linewidth,height=.8\textheight,keepaspectratio"
    return "\n".join(
        [
            r"\begin{figure}[htbp]\centering",
            rf"\includegraphics[{size}]{{figures/{figure.id}.pdf}}",
            rf"\caption{{{caption}}}\label{{{anchor(figure)}}}",
            r"\end{figure}",
        ]
    )


def _row(cells: Sequence[str], links: Links, *, bold: bool = False) -> str:
    # Without the space of no width TeX hyphenates no first word, and narrow columns run over.
    texts = (inline_to_latex(cell, links) for cell in cells)
    shown = (rf"\textbf{{{text}}}" if bold and text else text for text in texts)
    return " & ".join(rf"\hspace{{0pt}}{text}" if text else "" for text in map(guarded, shown))


def _columns(table: Table) -> str:
    """Return the columns, which share the width of the page by what stands in them."""
    shares = [_share(table, index) for index in range(len(table.columns))]
    total = sum(shares)
    return "@{}" + "".join(
        rf">{{\ragged{'left' if index in table.numeric else 'right'}\arraybackslash}}"
        rf"p{{\dimexpr {share / total:.4f}\linewidth-2\tabcolsep}}"
        for index, share in enumerate(shares)
    )


def _share(table: Table, index: int) -> float:
    """Return how wide a column should be, in letters: its cells on average, no word divided."""
    texts = [plain_text(row[index]) for row in table.rows]
    words = [
        len(word) for text in (*texts, plain_text(table.columns[index])) for word in text.split()
    ]
    average = sum(map(len, texts)) / max(len(texts), 1)
    least, most = _WORDS
    return min(max(average, 1.3 * min(max(words, default=least), 12), least), most)


def section_to_latex(
    section: Section, links: Links, pictures: Collection[str], table: TableWriter = long_table
) -> str:
    """Return a section with its heading; pictures: ids of the figures that there is a file of."""
    command = _COMMANDS.get(section.level, "paragraph")
    heading = rf"\{command}{{{plain_to_latex(section.title)}}}\label{{{section.id}}}"
    return "\n\n".join([heading, *body_to_latex(section, links, pictures, table)])


def body_to_latex(
    section: Section, links: Links, pictures: Collection[str], table: TableWriter = long_table
) -> Iterator[str]:
    """Yield what stands in a section, block by block; a figure without a picture is left out."""
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield from _paragraphs(block, links)
        elif isinstance(block, Table):
            yield table(block, links)
        elif block.id in pictures:
            yield picture(block, links)


def anchors_of(sections: Iterable[Section], pictures: Collection[str]) -> set[str]:
    """Return every label that the sections have."""
    found = set()
    for section in sections:
        found.add(section.id)
        for block in section.blocks:
            if isinstance(block, Table) or (isinstance(block, Figure) and block.id in pictures):
                found.add(anchor(block))
    return found


def _paragraphs(paragraph: Paragraph, links: Links) -> Iterator[str]:
    for is_block, run in groupby(paragraph.sentences, key=is_block_text):
        write = blocks_to_latex if is_block else inline_to_latex
        texts = [write(sentence.text, links) for sentence in run]
        yield from texts if is_block else [" ".join(texts)]
