from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.site.checks.links import check_site

CASES = [
    ('<a href="b.html">', []),
    ('<a href="b.html#there">', []),
    ('<a href="#here">x</a><p id="here">', []),
    ('<a href="labels.csv">', []),
    ('<a href="https://example.org/">', []),
    ('<link rel="canonical" href="https://example.org/">', []),
    ('<meta content="a title with src=x and id=y"><p id="y">', []),
    ('<a href="c.html">', ["found a link to 'c.html'; expected a file of the site."]),
    ('<a href="b.html#gone">', ["found a link to 'b.html#gone'; expected an id of b.html."]),
    ('<a href="#gone">', ["found a link to '#gone'; expected an id of a.html."]),
    ('<a href="../b.html">', ["found a link to '../b.html'; expected a file of the site."]),
    (
        '<a href="javascript:x">',
        ["found a link to 'javascript:x'; expected an http or https address."],
    ),
    (
        '<img src="https://example.org/x.png">',
        [
            "found 'https://example.org/x.png', loaded from another site; expected a file of the site."
        ],
    ),
    (
        '<link rel="stylesheet" href="//example.org/x.css">',
        ["found '//example.org/x.css', loaded from another site; expected a file of the site."],
    ),
    (
        '<p id="x"></p>\n<p id="x"></p>',
        ["found the id 'x' twice; expected each id once per page."],
    ),
]


@pytest.mark.parametrize(("body", "expected"), CASES)
def test_faults_of_a_page(body: str, expected: list[str]) -> None:
    files = {"a.html": body.encode(), "b.html": b'<p id="there"></p>'}
    faults = check_site(files, other_paths=["labels.csv"])
    assert [str(fault).partition(": error: ")[2] for fault in faults] == expected
    assert all(fault.file == "a.html" for fault in faults)


def test_a_fault_names_its_line() -> None:
    (fault,) = check_site({"c/a.html": b'<p>\n<a href="../x.html">'})
    assert str(fault) == (
        snapshot("c/a.html:2: error: found a link to '../x.html'; expected a file of the site.")
    )


def test_a_style_sheet_fetches_what_is_there() -> None:
    rules = """/* url(gone.png) */
    @import "print.css";
    body { background: url(data:image/png;base64,AA) }
    p { background: url('https://example.org/x.png') }
    a { background: url(gone.png) }
    """
    faults = check_site({"style.css": rules.encode(), "print.css": b""})
    assert [str(fault) for fault in faults] == snapshot(
        [
            "style.css:4: error: found 'https://example.org/x.png', loaded from another site; expected a file of the site.",
            "style.css:5: error: found a link to 'gone.png'; expected a file of the site.",
        ]
    )
