"""Forms that are not read: each is named in one message, with what helps."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.files.content import text_content
from classifier.papers.load import read_content

PYTHON = "dicts as Python prints them; expected JSON. Write them in Python with"
JABREF = "a table that JabRef exported as HTML; expected a library file. Save the library"


def test_a_table_without_a_header_is_refused_with_what_helps() -> None:
    rows = "\n".join(f"Rye {n}\tAnn Oven\t10.1000/{n}" for n in range(4))
    with pytest.raises(InputError) as caught:
        read_content(text_content("p.tsv", rows))
    assert str(caught.value) == (
        snapshot(
            "p.tsv: error: found a table whose first row has no title column; expected a column "
            "'title'. Name the columns in the first row: title, authors, abstract, year, doi …"
        )
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.json", "[{'title': 'Rye'}]", PYTHON),
        ("p.jsonl", "{'title': 'Rye'}\n{'title': 'Oat'}\n", PYTHON),
        ("p.html", '<table>\n<tr id="a" class="entry"><td>Rye</td></tr></table>', JABREF),
    ],
)
def test_it_is_refused_with_what_helps(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_content(text_content(name, text))
    (fault,) = caught.value.faults
    assert str(fault).startswith(f"{name}:1: error: found {message}")


FORMS = {
    "zotero.rdf": (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
        ' xmlns:z="http://www.zotero.org/namespaces/export#"></rdf:RDF>',
        snapshot(
            "zotero.rdf:1: error: found Zotero RDF; expected BibTeX, CSL JSON or CSV. Export the "
            "collection from Zotero again, as BibTeX, CSL JSON or CSV."
        ),
    ),
    "cnki.txt": (
        "RT Journal Article\nSR 1\nA1 张三\nT1 面包的历史\n",
        snapshot(
            "cnki.txt:1: error: found RefWorks' tagged text; expected EndNote's tagged text, RIS "
            "or BibTeX. Export the papers again; on CNKI choose EndNote."
        ),
    ),
    "note.md": (
        '---\ntitle: "Rye"\ntags: [bread]\n---\n# Rye\nA bread.\n',
        snapshot(
            "note.md: error: found a note with front matter; expected a list of papers. Export "
            "the references of your notes as BibTeX or CSL JSON, or list them in a CSV."
        ),
    ),
    "oai.xml": (
        '<?xml version="1.0"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"/>',
        snapshot(
            "oai.xml:1: error: found a response of OAI-PMH; expected BibTeX, RIS, CSV or JSON "
            'Lines. Convert each record to a line such as {"title": …, "abstract": …} (JSON '
            "Lines); papers of arXiv: fieldguide fetch arxiv."
        ),
    ),
    "mail.txt": (
        "-----\n\\\\\narXiv:2403.00001\nTitle: Rye\n\\\\\n",
        snapshot(
            "mail.txt:1: error: found an e-mail list of arXiv; expected BibTeX, RIS, CSV or JSON "
            "Lines. Fetch the papers instead: fieldguide fetch arxiv."
        ),
    ),
    "text.bib": (
        "Rye\n",
        snapshot(
            "text.bib: error: found a text in an unknown format, which begins with 'Rye' (no line '@article{key,'); expected BibTeX: entries such as '@article{key, title = {…}}'. Export its papers as BibTeX, RIS or CSV."
        ),
    ),
    "text.txt": (
        "Rye\n",
        snapshot(
            "text.txt: error: found a text in an unknown format, which begins with 'Rye'; expected a format that Fieldguide reads. Export its papers as BibTeX, RIS or CSV."
        ),
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_file_that_is_not_read_takes_one_line_with_what_to_do(name: str) -> None:
    text, message = FORMS[name]
    with pytest.raises(InputError) as caught:
        read_content(text_content(name, text))
    assert str(caught.value) == message


def test_a_markdown_list_with_front_matter_is_read() -> None:
    text = (
        "---\ntitle: Breads\n---\n# Breads\n\n- [Rye and salt](https://arxiv.org/abs/2403.00001)\n"
        "- [Oats and salt](https://arxiv.org/abs/2403.00002)\n"
    )
    papers = read_content(text_content("list.md", text)).papers
    assert [paper.title for paper in papers] == ["Rye and salt", "Oats and salt"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "<rss><item><link>https://arxiv.org/abs/2401.00001</link></item></rss>",
            "XML in an unknown",
        ),
        ("<html>x<span class='list-identifier'>", "an HTML page in an unknown format"),
        ("Search\n\nRecord #1 of 9\nID: 1\nTI: Rye\n", "a text in an unknown format"),
        ("[[papers]]\ntitle = 'Rye'\n", "TOML in an unknown format"),
        ('{"result": {"hit": [{"info": {"url": "https://dblp.org/a"}}]}}', "JSON without papers"),
    ],
)
def test_other_forms_are_named(text: str, found: str) -> None:
    with pytest.raises(InputError) as caught:
        read_content(text_content("p", text))
    assert f"error: found {found}" in str(caught.value)
