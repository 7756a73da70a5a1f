"""Forms that are not read: each is named in one message, with what helps."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.files.content import text_content
from classifier.papers.load import read_content

PYTHON = "dicts as Python prints them; expected JSON. Write them in Python with"
INSIDE = (
    "JSON inside a string of JSON; expected the JSON itself. Write in its place what json.loads"
)
JABREF = "a table that JabRef exported as HTML; expected the library itself. Save the library"


def test_a_table_without_a_header_is_refused_with_what_helps() -> None:
    rows = "\n".join(f"Rye {n}\tAnn Oven\t10.1000/{n}" for n in range(4))
    with pytest.raises(InputError) as caught:
        read_content(text_content("p.tsv", rows))
    assert str(caught.value) == (
        snapshot(
            "p.tsv: error: found a table whose first row names no column of titles; expected a column "
            "'title'. Name the columns in the first row: title, authors, abstract, year, doi …"
        )
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.json", "[{'title': 'Rye'}]", PYTHON),
        ("p.jsonl", "{'title': 'Rye'}\n{'title': 'Oat'}\n", PYTHON),
        ("p.json", '"[{\\"title\\": \\"Rye\\"}]"', INSIDE),
        ("p.json", '{\\"title\\": \\"Rye\\"}', INSIDE),
        ("p.html", '<table>\n<tr id="a" class="entry"><td>Rye</td></tr></table>', JABREF),
    ],
)
def test_it_is_refused_with_what_helps(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_content(text_content(name, text))
    (fault,) = caught.value.faults
    assert str(fault).startswith(f"{name}:1: error: found {message}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<rss><item><link>https://arxiv.org/abs/2401.00001</link></item></rss>", "XML that no"),
        ("<html>x<span class='list-identifier'>", "an HTML page that no reader knows"),
        ("RT Journal Article\nA1 Cruz,Ada\nT1 Rye\n", "a text that no reader knows"),
        ("Search\n\nRecord #1 of 9\nID: 1\nTI: Rye\n", "a text that no reader knows"),
        ('{"result": {"hit": [{"info": {"url": "https://dblp.org/a"}}]}}', "JSON without papers"),
    ],
)
def test_other_forms_are_named(text: str, found: str) -> None:
    with pytest.raises(InputError) as caught:
        read_content(text_content("p", text))
    assert f"error: found {found}" in str(caught.value)
