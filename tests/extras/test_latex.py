"""The article and its parts: what stands in them, and that a TeX of the machine compiles them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import PAPERS, document, make_edition, make_hostile_edition

from classifier.errors import UsageError
from classifier.extras.latex import article_files, figure_pdfs, section_fragment
from classifier.site.exports.labelled import Selection, select
from classifier.survey.document import Figure, Paragraph, Section, Sentence, Table
from classifier.survey.survey import Survey


def article(survey: Survey) -> str:
    return article_files(select(survey), {})["article.tex"].decode()


def test_the_article_holds_sections_tables_and_citations() -> None:
    tex = article(make_edition())
    assert r"\title{Birds that plan\\ \large What crows do with tools}" in tex
    assert r"\author{Ada Editor \and Ben Editor}" in tex
    assert r"Three papers. One sings \citep{doi-10.1000-abc}." in tex
    assert r"\section{Tools \& hooks}\label{tools}" in tex
    assert r"\subsection{Hooks}\label{tools/hooks}" in tex
    assert r"\caption{Which papers?}\label{table-papers-tools}" in tex
    assert r"\hspace{0pt}\citep{arxiv-2401.10230} & \hspace{0pt}Hooks a$|$b c & " in tex


def test_a_figure_stands_where_there_is_a_picture_of_it() -> None:
    files = article_files(select(make_edition()), {"topics": b"%PDF"})
    tex = files["article.tex"].decode()
    assert files["figures/topics.pdf"] == b"%PDF"
    assert r"{figures/topics.pdf}" in tex
    assert r"\caption{Most sing. n = 3.}\label{figure-topics}" in tex
    assert "matrix" not in tex


def test_a_part_names_what_it_cites() -> None:
    part = section_fragment(select(make_edition()), "tools")
    assert r"\section{Tools \& hooks}" in part.tex
    assert r"\subsection{Hooks}" in part.tex
    assert part.bib.count(b"@misc{") == part.cited == 1
    assert b"@misc{arxiv-2401.10230," in part.bib


def test_an_unknown_part_is_told_with_its_neighbours() -> None:
    with pytest.raises(UsageError) as error:
        section_fragment(select(make_edition()), "tool")
    assert str(error.value).startswith("--section 'tool': the survey has no such section; near: to")


def test_a_paper_without_authors_is_cited_by_its_name() -> None:
    files = article_files(select(make_edition()), {})
    assert rb"  key = {{\relax A title and nothing else}}," in files["references.bib"]


NASTY = (
    r"\input{/etc/passwd} \write18{rm} $\frac{1}{2}$ {{{ }} \\ % & # ~ ^ _ \end{document}",
    "[x] * \\ ] } { [1](#ref-1) \\[[2](#ref-2)\\] | & \\\\[3cm] -- ''` ?` <<>>",
    "乌鸦 αβγ Ω ℓ ∑ ễ Łódź İstanbul 😀 \u202eevil\u202c a\u0301\u0301 ﬁ ² ½ — “q” \u200b",
    '@article{x, title={y}} " , } \nER  - \x00 \x07 \u2028',
)


def nasty_survey() -> Survey:
    """Return an edition with awkward signs in every place that is printed."""
    text = " ".join(NASTY)
    papers = [
        replace(
            paper,
            title=f"{paper.title} {text}",
            authors=(text, "R&D Team_1 {", "Öğüt, Şule"),
            venue=text,
            url="https://a.example/~x_y?a=1&b=%20#z{}",
            keywords=(text,),
        )
        for paper in PAPERS
    ]
    survey = make_hostile_edition()
    blocks = make_edition().document.sections
    table = Table("t", text, (text, "[b]", "*c*"), ((text, "[1](#ref-1) [d]", "\\*"),) * 3)
    wide = replace(table, id="wide", columns=("a",) * 9, rows=(("[x]",) * 9,) * 70)
    sentences: list[Sentence] = [
        replace(sentence, text=f"{text} {sentence.text}")
        for sentence in (*survey.document.sentences, *make_edition().document.sentences)
    ]
    section = Section("nasty", text, 1, (table, wide, Figure("nasty", text, text, text)))
    paragraphs = Section("told", "Told", 2, tuple(Paragraph((one,)) for one in sentences))
    made = make_edition(papers)
    sections = (*blocks, section, paragraphs)
    changed = replace(
        document(), title=text, subtitle=text, editors=(text, text), sections=sections
    )
    return replace(made, document=changed)


def need(engine: str) -> None:
    """Skip where an engine is not installed, or has no fonts."""
    if not (shutil.which(engine) and shutil.which("bibtex")):
        pytest.skip(f"needs {engine} and bibtex, which are not installed")
    font = {"pdflatex": "lmodern.sty", "lualatex": "luaotfload.sty"}[engine]
    if subprocess.run(["kpsewhich", font], capture_output=True, check=False).returncode:
        pytest.skip(f"needs {font}, which is not installed")


def compiled(folder: Path, engine: str, name: str = "article") -> str:
    """Compile an article as its first line says; return the log, without an error in it."""
    for program in (engine, "bibtex", engine, engine):
        options = [] if program == "bibtex" else ["-interaction=nonstopmode", "-halt-on-error"]
        run = subprocess.run(
            [program, *options, name], cwd=folder, capture_output=True, check=False, timeout=120
        )
        assert run.returncode == 0, run.stdout.decode(errors="replace")[-3000:]
    return (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")


MAKERS: list[tuple[Callable[[], Survey], str]] = [
    (make_hostile_edition, "pdflatex"),
    (nasty_survey, "pdflatex"),
    (nasty_survey, "lualatex"),
]


@pytest.mark.parametrize(("make", "engine"), MAKERS)
def test_it_compiles_whatever_stands_in_it(
    make: Callable[[], Survey], engine: str, tmp_path: Path
) -> None:
    need(engine)
    write(tmp_path, article_files(select(make()), {}))
    log = compiled(tmp_path, engine)
    assert not re.search(r"undefined on|multiply defined", log)


def test_pictures_are_pdf_that_tex_includes(tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", reason="needs weasyprint")
    need("pdflatex")
    survey = make_edition()
    pictures = figure_pdfs(survey.document, ())
    assert sorted(pictures) == ["matrix", "topics"]
    write(tmp_path, article_files(select(survey), pictures))
    assert "matrix.pdf" in compiled(tmp_path, "pdflatex")


def test_parts_compile_in_a_paper_of_two_columns(tmp_path: Path) -> None:
    need("pdflatex")
    selection: Selection = select(make_edition())
    part = section_fragment(selection, "tools")
    write(tmp_path, {"section.tex": part.tex.encode(), "section.bib": part.bib})
    paper = "\n".join(
        [
            r"\documentclass[twocolumn]{article}",
            r"\usepackage{natbib,hyperref,array,booktabs,longtable,pdflscape}",
            r"\begin{document}\title{A}\maketitle",
            r"\input{section}",
            r"\bibliographystyle{plainnat}\bibliography{section}\end{document}",
        ]
    )
    write(tmp_path, {"article.tex": paper.encode()})
    assert "undefined on" not in compiled(tmp_path, "pdflatex")


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
