"""What differs between a page in out/ and the same page as it is served."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from classifier.extras.serve.server import live_page, live_policy

OURS = "script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'"
POLICIES = f"""\
default-src 'self'
    -> default-src 'self'; {OURS}
img-src 'self'
    -> img-src 'self'; {OURS}
DEFAULT-SRC 'NONE';; sandbox
    -> default-src 'NONE'; sandbox; {OURS}
default-src 'none'; img-src * é
    -> default-src 'none'; img-src *; {OURS}
"""


def test_a_policy_allows_what_it_did_and_the_script() -> None:
    lines = POLICIES.split("\n")
    for policy, expected in zip(lines[::2], lines[1::2], strict=False):
        assert live_policy(policy) == expected.removeprefix("    -> "), policy
    assert "\n" not in live_policy("img-src *\r\nX-Evil: 1")


def test_a_page_of_a_build_differs_by_policy_and_script_alone(root: Path) -> None:
    page = (root / "tests/golden/expected/c/sourdough.html").read_bytes()
    served, policy = live_page(page, "abc")
    script = b'<script src="/-/reload.js" data-version="abc" defer></script>\n'
    assert served == re.sub(rb"<meta http-equiv[^>]*>", b"", page).replace(
        b"</head>", script + b"</head>"
    )
    assert policy.endswith(
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


@pytest.mark.parametrize(
    ("page", "served"),
    [
        ("", "@"),
        ("<p>no head", "<p>no head@"),
        ("<title>a</title></HEAD ><p>", "<title>a</title>@</HEAD ><p>"),
        ("<body><p></head>", "@<body><p></head>"),
        ("<META content='img-src *' HTTP-EQUIV=content-security-policy></head>", "@</head>"),
        ("</head><meta http-equiv='Content-Security-Policy'>",
         "@</head><meta http-equiv='Content-Security-Policy'>"),
    ],
)  # fmt: skip
def test_pages_of_any_template_get_the_script(page: str, served: str) -> None:
    script = '<script src="/-/reload.js" data-version="v" defer></script>\n'
    assert live_page(page.encode(), "v")[0].decode() == served.replace("@", script)


def test_a_page_without_a_policy_gets_a_strict_one() -> None:
    policy = live_page(b"<p>", "v")[1]
    assert policy.startswith("default-src 'none'; style-src 'self'; ")


def test_bytes_that_are_no_utf8_stay() -> None:
    assert live_page(b"</head>\xff\xfe", "v")[0].endswith(b"</head>\xff\xfe")


def test_the_page_for_what_is_not_found_starts_its_links_at_the_top() -> None:
    for base in (b'<base href="https://elsewhere.example/guide/">', b""):
        page = b"<head><meta http-equiv='Content-Security-Policy' content=\"base-uri 'none'\">"
        served, policy = live_page(page + base + b"</head>", "v", is_not_found=True)
        assert served.count(b"<base") == 1
        assert b'<base href="/">' in served
        assert "base-uri 'self'" in policy
