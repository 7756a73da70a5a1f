from __future__ import annotations

from inline_snapshot import snapshot

from classifier.site.blocks import citing_sections, escape_title, markdown_table, reference_text
from classifier.survey.document import Document, Paragraph, Reference, Section, Sentence


def test_the_survey_reads_as_plain_markdown(site: dict[str, bytes]) -> None:
    assert site["survey.md"].decode() == EXPECTED


def test_a_cell_cannot_break_its_table() -> None:
    table = markdown_table(["a", "b"], [["x|y\nz", r"already \| escaped"]], numeric=[0])
    assert table.splitlines() == snapshot(
        [
            "| a | b |",
            "| ---: | --- |",
            r"| x\|y z | already \| escaped |",
        ]
    )


def test_a_name_with_marks_is_shown_as_it_is_in_its_heading_and_in_links_to_it() -> None:
    reference = Reference(1, "p", "Wire.")
    cites = Paragraph((Sentence("a-1", "See [1](#ref-1).", "C", "facts: all"),))
    section = Section("a", "The *a*-tree [draft]", 1, (cites,))
    document = Document("On snake_case", "", (), "", "", (section,), (reference,))
    name = r"The \*a\*-tree \[draft\]"
    assert escape_title(document.title) == r"On snake\_case"
    assert escape_title(section.title) == name
    citing = citing_sections(document)[1]
    assert reference_text(reference, {}, citing).endswith(f"↑ [{name}](#a)")


EXPECTED = """\
# Birds that plan

*What crows do with tools*

Edited by Ada Editor and Ben Editor · version `0123456789ab` · newest paper 20 January 2024

## Contents

- [Abstract](#abstract)
- [Landscape](#landscape)
- [Tools & hooks](#tools)
- [Song](#song)
- [References](#reference-list)

<a id="abstract"></a>

## Abstract

Three papers. One sings \\[[2](#ref-2)\\].

<a id="landscape"></a>

## Landscape

<a id="figure-topics"></a>![Most sing](figures/topics.svg)

**Figure.** Most sing. n = 3. [The numbers](figures/topics.csv).

<a id="figure-matrix"></a>![All meet](figures/matrix.svg)

**Figure.** All meet. n = 3. [The numbers](figures/matrix.csv).

<a id="tools"></a>

## Tools & hooks

Work on *tools*.

- hooks
- sticks

One paper is filed here. [1](#ref-1) bends wire.

<a id="table-papers-tools"></a>**Table.** Which papers?

| Ref. | Paper | n |
| --- | --- | ---: |
| [1](#ref-1) | [Hooks](p/arxiv-2401.10230.html) a\\|b c | 3 |

<a id="tools/hooks"></a>

### Hooks

<a id="song"></a>

## Song

<a id="reference-list"></a>

## References

<a id="ref-1"></a>**1.** **arxiv:2401.10230**, a reference. [Page](p/arxiv-2401.10230.html) ↑ [Tools & hooks](#tools)

<a id="ref-2"></a>**2.** **doi:10.1000/abc**, a reference. [Page](p/doi-10.1000-abc.html) ↑ [Abstract](#abstract)

<a id="ref-3"></a>**3.** **p-0123456789**, a reference. [Page](p/p-0123456789.html)
"""
