"""Lists of papers in Markdown, in the shapes in which people write them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.load import read_file
from classifier.papers.paper import Paper
from classifier.papers.readers import reader_for
from classifier.papers.readers.markdown_list import MARKDOWN_LIST


def papers_of(text: str) -> list[Paper]:
    content = text_content("list.md", text)
    return [record for record in MARKDOWN_LIST.read(content) if isinstance(record, Paper)]


SHAPES = {
    "a linked title": "- [Rye Bread at Home](https://arxiv.org/abs/2401.00001)",
    "a linked title behind a date": "* [2024/01] [Rye Bread at Home](https://arxiv.org/abs/2401.00001)",
    "a linked title behind a venue": "1. (ICLR'24) [Rye Bread at Home](https://arxiv.org/pdf/2401.00001v2)",
    "a bold title": "- **Rye Bread at Home** [[paper]](https://arxiv.org/abs/2401.00001) [[code]](https://github.com/a/rye)",
    "a bold title in a cell": "| 1) **Rye Bread at Home** - tells how. | [Paper](https://arxiv.org/abs/2401.00001), [Tweet](https://x.com/a/1) |",
    "a title in quotes": "- Cruz, A. “Rye Bread at Home.” ACL 2024. [[PDF](https://arxiv.org/pdf/2401.00001)]",
    "a title in italics": "- *Rye Bread at Home* ([arXiv](https://arxiv.org/abs/2401.00001))",
    "plain words": "- Rye Bread at Home (2024) [[Paper](https://arxiv.org/abs/2401.00001)] 🍞",
    "words and authors": "- Rye Bread at Home. Ada Cruz, Bo Li. NeurIPS 2024. [paper](https://arxiv.org/abs/2401.00001)",
    "a badge": "- Rye Bread at Home [![arXiv](https://img.shields.io/badge/arXiv-red)](https://arxiv.org/abs/2401.00001)",
    "a folded text": '<details><summary>Rye Bread at Home (2024) [<a href="https://arxiv.org/abs/2401.00001">Paper</a>]</summary>\n\ntext\n</details>',
    "HTML items": '<ul><li><a href="https://arxiv.org/abs/2401.00001">Rye Bread at Home</a></li></ul>',
    "an HTML row": '<table><tr><td>2024</td><td><b>Rye Bread at Home</b></td><td><a href="https://arxiv.org/abs/2401.00001">pdf</a></td></tr></table>',
    "a heading": "### Rye Bread at Home\n\n[Paper](https://arxiv.org/abs/2401.00001) | [Code](https://github.com/a/rye)",
    "a linked heading": "### [Rye Bread at Home](https://arxiv.org/abs/2401.00001)\n\nAda Cruz, Bo Li",
    "a nested link": "- Rye Bread at Home\n  - Paper: https://arxiv.org/abs/2401.00001\n  - Code: https://github.com/a/rye",
    "a paragraph": "**Rye Bread at Home**<br>Ada Cruz, Bo Li<br>[paper](https://huggingface.co/papers/2401.00001)",
    "Chinese quotes": "- 《Rye Bread at Home》：Ada Cruz、Bo Li，2024年，[论文](https://arxiv.org/abs/2401.00001)",
    "a nickname": "- **[RyeNet]** Rye Bread at Home [[Paper]](https://arxiv.org/abs/2401.00001)",
    "badges before a title": "| [![Star](https://img.shields.io/a.svg)](https://github.com/a/rye) <br> **Rye Bread at Home** <br> Ada Cruz, Bo Li | [Paper](https://arxiv.org/abs/2401.00001) |",
    "a citation": "- Cruz, Ada (2024). Rye Bread at Home. Loaves. https://arxiv.org/abs/2401.00001",
    "a torn row": "| Title | Summary |\n|---|---|\n| Rye Bread at\n  Home (Read more on [arXiv](https://arxiv.org/abs/2401.00001))| It bakes. |",
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_title_and_id(shape: str) -> None:
    (paper,) = papers_of(SHAPES[shape])
    assert (paper.title, paper.arxiv_id) == ("Rye Bread at Home", "2401.00001")


def test_bold_lines_in_a_row_are_an_entry_each() -> None:
    text = "".join(
        f"**{n}). Rye Bread Number {n}** - It bakes. [Paper](https://arxiv.org/abs/2401.0000{n})\n"
        for n in range(1, 4)
    )
    assert [paper.title for paper in papers_of(text)] == [
        f"Rye Bread Number {n}" for n in (1, 2, 3)
    ]


def test_rows_without_a_head_are_an_entry_each() -> None:
    text = "".join(
        f"| [Rye Bread Number {n}](https://arxiv.org/abs/2401.0000{n}) | It bakes. |\n"
        for n in range(1, 4)
    )
    assert [paper.title for paper in papers_of(text)] == [
        f"Rye Bread Number {n}" for n in (1, 2, 3)
    ]


def test_authors_stand_before_a_venue_in_italics() -> None:
    (paper,) = papers_of(
        "- **Rye Bread at Home**, Ada Cruz, Bo Li, *Loaves of the World*, 2024. "
        "[[paper]](https://arxiv.org/abs/2401.00001)"
    )
    assert (paper.authors, paper.published.date) == (("Ada Cruz", "Bo Li"), "2024")


CITED = {
    "names, a year and a colon": "Cruz, Ada; Li, Bo (2020): Rye Bread at Home. Loaves 4(2).",
    "a title in italics": "Cruz, A. & Li, B. (2020): *Rye Bread at Home.* Loaves 4(2).",
    "quotation marks of Germany": "Cruz und Li, „Rye Bread at Home“, Loaves, 2020,",
    "those that point inwards": "Cruz und Li, »Rye Bread at Home«, Loaves, 2020,",
    "those of France": "Cruz et Li, « Rye Bread at Home », Loaves, 2020,",
}


@pytest.mark.parametrize("cited", CITED.values(), ids=CITED)
def test_a_reference_is_read_as_scholars_cite(cited: str) -> None:
    (paper,) = papers_of(f"- {cited} [JSTOR](https://www.jstor.org/stable/1)")
    assert (paper.title, paper.published.date) == ("Rye Bread at Home", "2020")


LIBRARIES = (
    "https://www.nber.org/papers/w1",
    "https://www.jstor.org/stable/1",
    "https://ideas.repec.org/p/iza/izadps/dp1.html",
    "https://heinonline.org/HOL/P?h=hein.journals/hlr1",
    "https://www.cambridge.org/core/journals/loaves/article/rye/1",
)


@pytest.mark.parametrize("url", LIBRARIES)
def test_libraries_of_other_fields_have_papers(url: str) -> None:
    (paper,) = papers_of(f"- [Rye Bread at Home]({url})")
    assert (paper.title, paper.url) == ("Rye Bread at Home", url)


def test_columns_are_known_in_other_languages() -> None:
    (paper,) = papers_of(
        "| Verfasser | Titel | Jahr | Schlagwörter | Link |\n|---|---|---|---|---|\n"
        "| Cruz, Li | Roggenbrot zu Hause | 2020 | Roggen, Öfen | https://doi.org/10.1000/rye |"
    )
    assert (paper.title, paper.authors) == ("Roggenbrot zu Hause", ("Cruz", "Li"))
    assert (paper.published.date, paper.keywords) == ("2020", ("Roggen", "Öfen"))


def test_entries_that_lead_to_no_paper_are_told() -> None:
    text = (
        "- [Rye Bread at Home](https://doi.org/10.1000/rye)\n"
        "- [How a Baker Bakes Bread](https://baker.example/blog)\n"
        "- [A Course in Old Ovens](https://oven.example/course)\n"
    )
    _, told = MARKDOWN_LIST.read(text_content("list.md", text))
    assert str(told) == (
        snapshot(
            "list.md:2: notice: found 2 entries without a link to a paper, the first 'How a Baker Bakes Bread'; expected a link to a paper, or a link with the text “paper”. They were dropped."
        )
    )


def test_an_address_with_a_doi_leads_to_a_paper() -> None:
    found = papers_of(
        "- [Rye Bread at Home](https://loaves.example/doi/10.1000/rye)\n"
        "- [Rye Bread Abroad](https://loaves.example/articles?id=10.1000/abroad&from=list)\n"
    )
    assert [paper.doi for paper in found] == ["10.1000/rye", "10.1000/abroad"]


def test_whole_dates_are_read_from_brackets_and_columns() -> None:
    (bracket,) = papers_of(
        "- [2024-01-15] Rye Bread at Home [paper](https://arxiv.org/abs/2401.00001)"
    )
    (cell,) = papers_of(
        "|Publish Date|Title|PDF|\n|---|---|---|\n"
        "|**2024-01-15**|**Rye Bread at Home**|[2401.00001](http://arxiv.org/abs/2401.00001)|"
    )
    assert bracket.published.date == cell.published.date == "2024-01-15"


def test_an_entry_over_many_lines_gives_all_that_it_states() -> None:
    (paper,) = papers_of(
        """# Ovens
## Bread 🍞 (12)
- [A Scale for Sour Dough](https://openreview.net/forum?id=Ab3_x)
    - Ada Cruz, Bo Li, Tse-Hsun (Peter) Chen
    - 🏛️ Institutions: Mill College
    - 📅 Date: August 12, 2024
    - 📑 Publisher: ICLR 2025
    - 💻 Env: [Kitchen]
    - 🔑 Key: [sour dough], [scales]
    - 📖 TLDR: A scale tells how sour the dough is, and when to bake.
"""
    )
    assert paper.url == "https://openreview.net/forum?id=Ab3_x"
    assert paper.authors == ("Ada Cruz", "Bo Li", "Tse-Hsun (Peter) Chen")
    assert (paper.organisation, paper.published.date) == ("Mill College", "2024-08-12")
    assert (paper.venue, paper.keywords) == ("ICLR", ("sour dough", "scales"))
    assert paper.collections == ("Bread", "Kitchen")
    assert (paper.abstract_kind, paper.abstract[:15]) == ("digest", "A scale tells h")
    assert paper.sources[0].line == 3


def test_headings_are_collections_and_what_names_no_topic_is_none() -> None:
    found = papers_of(
        """# Awesome bread
## Contents
- [Rye](#rye)
## 1. Rye / wheat
### Papers
- [First Loaf of Rye](https://arxiv.org/abs/2401.00001)
## Ovens
- [First Loaf of Rye](https://arxiv.org/abs/2401.00001v2)
<details><summary>Click to expand</summary>

| Title | Code |
|---|---|
| [Heat in Old Ovens](https://doi.org/10.1000/heat) | [code](https://github.com/a/heat) |
</details>
"""
    )
    assert [(paper.title, paper.collections) for paper in found] == [
        ("First Loaf of Rye", ("Rye/wheat", "Ovens")),
        ("Heat in Old Ovens", ("Ovens",)),
    ]
    assert (found[1].doi, found[1].code_urls) == ("10.1000/heat", ("https://github.com/a/heat",))


def test_what_a_cell_mentions_is_a_paper_that_nobody_filed() -> None:
    found = papers_of(
        """## Methods
| Method | Data |
|---|---|
| [Crumb: A Scanner of Loaves](https://arxiv.org/abs/2401.00001) | [LoafSet](https://arxiv.org/abs/2401.00002) |
"""
    )
    assert [(paper.title, paper.collections) for paper in found] == snapshot(
        [
            ("Crumb: A Scanner of Loaves", ("Methods",)),
            ("LoafSet", ()),
        ]
    )


def test_the_fullest_title_of_a_paper_is_kept() -> None:
    (paper,) = papers_of(
        "| [Crumb](https://arxiv.org/abs/2401.00001) |\n\n"
        "- [Crumb: A Scanner of Loaves](https://arxiv.org/abs/2401.00001)"
    )
    assert paper.title == snapshot("Crumb: A Scanner of Loaves")


def test_a_link_without_a_title_is_reported() -> None:
    (found,) = MARKDOWN_LIST.read(
        text_content("a.md", "- [Paper](https://arxiv.org/abs/2401.00001)")
    )
    assert isinstance(found, Fault)
    assert (found.line, found.record) == (1, "https://arxiv.org/abs/2401.00001")
    assert found.actual == snapshot("found a link to a paper; expected a title next to the link")


@pytest.mark.parametrize(
    "text",
    [
        "# A tool\n\nInstall it. See our [paper](https://arxiv.org/abs/2401.00001).\n- fast\n- small",
        "# Notes\n- one [site](https://example.org)\n- two",
        "title,year\nRye,2024\n",
        '{"title": "Rye"}',
        "@article{a, title={Rye}}",
    ],
)
def test_other_files_are_not_taken(text: str) -> None:
    assert MARKDOWN_LIST.reject_reason(text_content("README.md", text))


def test_a_list_is_known_by_content_without_its_name() -> None:
    text = "\n".join(
        f"- [Loaf {n} and its crust](https://arxiv.org/abs/2401.0000{n})" for n in "123"
    )
    assert reader_for(text_content("-", text)) is MARKDOWN_LIST


@given(st.text(alphabet='-*|#[]()<>`"!\\ \n\tabcA1:/.~=_', max_size=300) | st.text())
def test_any_text_gives_records(text: str) -> None:
    content = text_content("a.md", f"- [Rye at Home](https://arxiv.org/abs/2401.00001)\n{text}")
    MARKDOWN_LIST.reject_reason(content)
    list(MARKDOWN_LIST.read(content))


REAL = ["agentic_search_table", "gui_agents", "hf_daily_2025-09-30", "llm_sp_details"]


@pytest.mark.parametrize("name", [*REAL, "papers_of_the_week"])
def test_real_lists_are_read(name: str, shared: Path) -> None:
    path = shared / "data" / "inputs" / "markdown" / f"{name}.md"
    if not path.is_file():
        pytest.skip(f"needs {path}")
    text = path.read_text(encoding="utf-8")
    stated = {f"id={found}" for found in re.findall(r"openreview\.net/\w+\?id=([\w-]+)", text)}
    stated |= set(re.findall(r"arxiv\.org/(?:abs|pdf|html)/(\d{4}\.\d{4,5})", text))
    papers = read_file(path, f"{name}.md")[0].papers
    found = {paper.arxiv_id for paper in papers}
    found |= {f"id={known}" for p in papers for known in re.findall(r"\?id=([\w-]+)", p.url)}
    assert len(stated & found) >= 0.99 * len(stated)
    assert not [
        p.title for p in papers if re.fullmatch(r"(?i)\W*(paper|pdf|link|code)\W*", p.title)
    ]


def test_the_text_of_a_link_is_a_venue_if_another_part_of_the_entry_is_the_title() -> None:
    found = papers_of(
        """
- **2019-05** | Rye at Home | *Ada Cruz, Bo Li* | [Bioinformatics](https://doi.org/10.1000/b.1)
- **2020-01** | Rye Abroad | *Al Ott* | [BMC Biology](https://doi.org/10.1000/b.2)
- **2021-02** | Rye at Dawn | *Eva Dahl* | [Biorxiv](https://doi.org/10.1101/028399)
- Li B, Cruz A. Rye in small ovens. [Nature](https://doi.org/10.1000/n.1) 2019
- Ott A. Rye and salt. [BMC Biology](https://doi.org/10.1000/n.2) 2020
"""
    )
    assert [(p.title, p.authors, p.venue, p.published.date) for p in found] == snapshot(
        [
            ("Rye at Home", ("Ada Cruz", "Bo Li"), "Bioinformatics", "2019-05"),
            ("Rye Abroad", ("Al Ott",), "BMC Biology", "2020-01"),
            ("Rye at Dawn", ("Eva Dahl",), "", "2021-02"),
            ("Rye in small ovens", ("Li B", "Cruz A"), "Nature", "2019"),
            ("Rye and salt", ("Ott A",), "BMC Biology", "2020"),
        ]
    )


def test_lines_below_a_heading_are_the_authors_and_the_abstract_of_its_paper() -> None:
    found = papers_of(
        """
### [Rye at Home](https://neurips.cc/virtual/2025/poster/1)
*Ada Cruz, Bo Li*

We bake rye at home in nine ovens.

### [Rye Abroad](https://arxiv.org/abs/2401.00002)
*Al Ott*

We bake rye abroad. There are many ovens.
"""
    )
    assert [(p.title, p.authors, p.abstract, p.abstract_kind) for p in found] == snapshot(
        [
            (
                "Rye at Home",
                ("Ada Cruz", "Bo Li"),
                "We bake rye at home in nine ovens.",
                "abstract",
            ),
            ("Rye Abroad", ("Al Ott",), "We bake rye abroad. There are many ovens.", "abstract"),
        ]
    )


@pytest.mark.parametrize(
    "heading",
    [
        "Ovens [^](#contents)",
        "[⬆ back to top](#bread) Ovens",
        'Ovens <a href="#top">top</a>',
        "[Ovens](#ovens)",
        "Ovens [![Awesome](https://awesome.re/badge.svg)](https://awesome.re)",
        "Ovens ![stars](https://img.shields.io/a.svg)",
    ],
)
def test_links_within_the_page_and_badges_are_not_part_of_a_heading(heading: str) -> None:
    (paper,) = papers_of(f"## {heading}\n- [Heat in Old Ovens](https://arxiv.org/abs/2401.00001)")
    assert paper.collections == ("Ovens",)


def test_original_paper_is_not_a_title() -> None:
    assert papers_of("- [Original paper](https://doi.org/10.1000/rye)") == []


@pytest.mark.parametrize(
    "entry",
    [
        '- Comment on "Rye Bread at Home" [paper](https://arxiv.org/abs/2401.00001)',
        '- [Comment on "Rye Bread at Home"](https://arxiv.org/abs/2401.00001)',
    ],
)
def test_a_comment_on_a_paper_keeps_its_title(entry: str) -> None:
    (paper,) = papers_of(entry)
    assert paper.title == 'Comment on "Rye Bread at Home"'


def test_a_journal_at_the_end_of_the_authors_is_the_venue() -> None:
    (paper,) = papers_of(
        "- [Rye Bread at Home](https://arxiv.org/abs/2401.00001)\n"
        "  - Ada Cruz, Bo Li, Eva Dahl, Polar Letters\n"
    )
    assert (paper.authors, paper.venue) == (("Ada Cruz", "Bo Li", "Eva Dahl"), "Polar Letters")


def test_front_matter_is_not_a_heading() -> None:
    (paper,) = papers_of(
        "---\ntitle: Bread\nlayout: page\n---\n- [Rye at Home](https://arxiv.org/abs/2401.00001)"
    )
    assert (paper.collections, paper.sources[0].line) == ((), 5)


def test_a_note_with_front_matter_is_refused_with_the_way_out() -> None:
    note = text_content(
        "rye.md", "---\ntitle: Rye at Home\ndoi: 10.1000/rye\n---\n# Notes\n- warm\n"
    )
    assert MARKDOWN_LIST.reject_reason(note) == snapshot(
        "a note with front matter, not a list. Export the references of your notes as BibTeX, RIS or CSV"
    )
