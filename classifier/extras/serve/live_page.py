"""A page as it is served: with a script that reloads it, which out/ never holds.

Three things differ from the file: the script, the policy that lets it ask this server for news,
and, of the page for what is not found, the address from which its links start.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from classifier.extras.serve.news import Problem

SCRIPT = "/-/reload.js"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'"
)
"""Of a page that states none."""
FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Of a file that is no page: pictures have their style within."""
FRAMED = "; frame-ancestors 'none'"
_OURS = ("script-src", "style-src", "connect-src")
"""What the script needs: itself, a style sheet, the news."""

_META = re.compile(r"<meta\b[^>]*http-equiv=[\"']?content-security-policy\b[^>]*>", re.IGNORECASE)
_CONTENT = re.compile(r"content=(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_BASE = re.compile(r"<base\b[^>]*>", re.IGNORECASE)
_END_OF_HEAD = re.compile(r"</head\s*>|<body\b", re.IGNORECASE)


def live_page(page: bytes, version: str, *, is_not_found: bool = False) -> tuple[bytes, str]:
    """Return a page with the script in it, and the policy to send with it.

    version: that of the survey which the page is part of. is_not_found: whether it stands in for
    any address; then its links start at the top of the site.
    """
    text = page.decode("utf-8", "surrogateescape")
    end = _END_OF_HEAD.search(text)
    place = end.start() if end else len(text)
    head, rest = text[:place], text[place:]
    policies: list[str] = []

    def rewrite(tag: re.Match[str]) -> str:
        content = _CONTENT.search(tag[0])
        stated = html.unescape(content[1] or content[2] or "") if content else ""
        policies.append(live_policy(stated, with_base=is_not_found))
        return _policy_tag(policies[-1])

    head = _META.sub(rewrite, head)
    if is_not_found:
        head = _with_base(head)
    script = f'<script src="{SCRIPT}" data-version="{html.escape(version)}" defer></script>\n'
    served = (head + script + rest).encode("utf-8", "surrogateescape")
    policy = policies[0] if policies else live_policy(POLICY, with_base=is_not_found)
    return served, policy + FRAMED


def live_policy(policy: str, *, with_base: bool = False) -> str:
    """Return a policy that allows what it allowed, and the script with its style sheet and news.

    >>> live_policy("default-src 'none'; connect-src 'none'; script-src 'self' data:")
    "default-src 'none'; connect-src 'self'; script-src 'self' data:; style-src 'self'"
    """
    directives: dict[str, list[str]] = {}
    for directive in policy.replace(",", ";").encode("ascii", "ignore").decode().split(";"):
        name, *sources = directive.split() or [""]
        if name:
            directives.setdefault(name.lower(), sources)  # of two alike the first holds
    for name in _OURS if directives else ():
        directives[name] = _with_self(directives.get(name, directives.get("default-src")))
    if with_base and "base-uri" in directives:
        directives["base-uri"] = ["'self'"]
    return "; ".join(" ".join([name, *sources]) for name, sources in directives.items())


def fault_page(problem: Problem | None) -> tuple[bytes, str]:
    """Return a page that stands in for a survey that is not there yet, and its policy."""
    told = problem.text if problem else "The survey is being built."
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"><title>Fieldguide</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<link rel="stylesheet" href="/-/serve.css">',
        "</head>",
        f"<body><main><h1>No survey yet</h1><pre>{html.escape(told)}</pre></main></body>",
        "</html>",
    ]
    return live_page("\n".join(lines).encode(), "")


def _with_self(sources: Sequence[str] | None) -> list[str]:
    if sources is None:
        return ["'self'"]
    if "'self'" in sources or "*" in sources:
        return [*sources]
    return [*(source for source in sources if source.lower() != "'none'"), "'self'"]


def _policy_tag(policy: str) -> str:
    content = html.escape(policy, quote=False).replace('"', "&quot;")
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


def _with_base(head: str) -> str:
    base = '<base href="/">'
    if _BASE.search(head):
        return _BASE.sub(base, head)
    meta = list(_META.finditer(head))
    place = meta[-1].end() if meta else head.lower().find("<head>") + len("<head>")
    return head[:place] + "\n" + base + head[place:]
