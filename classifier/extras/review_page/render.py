"""Render the review page: data, style and scripts in one file, under a strict policy."""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_SCRIPTS = ("answers.js", "order.js", "fit.js", "cues.js", "page.js")


def render_page(data: Mapping[str, object], *, may_connect: bool = False) -> bytes:
    """Return the review page with this data.

    may_connect: whether the page may send answers to its server; otherwise it cannot connect to
    anything.
    """
    style = _read("page.css")
    script = "\n".join(_read(name) for name in _SCRIPTS)
    parts = {
        "policy": page_policy(style, script, may_connect=may_connect),
        "title": html.escape(str(data["title"])),
        "style": style,
        "data": _embedded_json(data),
        "meanings": _meanings(data["facets"]),
        "script": script,
    }
    page = _read("page.html")
    # Texts of people may contain a placeholder. The first one in the page is always its own.
    for name in ("policy", "style", "script", "data", "meanings", "title"):
        before, _, after = page.partition("{{" + name + "}}")
        page = before + parts[name] + after
    return page.encode()


def _meanings(facets: Any) -> str:
    """Return the definitions of all categories as HTML."""
    return "".join(
        f"<h2>{html.escape(facet['name'])}</h2><dl>"
        + "".join(
            f"<dt>{html.escape(each['name'])}</dt><dd>{html.escape(each['definition'])}</dd>"
            for each in facet["categories"]
        )
        + "</dl>"
        for facet in facets
    )


def page_policy(style: str, script: str, *, may_connect: bool) -> str:
    """Return the Content-Security-Policy, which allows only this style and this script."""
    connect = "'self'" if may_connect else "'none'"
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    """Return the digest of a script or style for the policy."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _embedded_json(data: Mapping[str, object]) -> str:
    """Return JSON without `<`, so that it cannot end an HTML element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _read(name: str) -> str:
    """Read a file of this package."""
    return (_HERE / name).read_text(encoding="utf-8")
