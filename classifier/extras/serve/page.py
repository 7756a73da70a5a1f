"""A page as it is served: with a script that reloads it, which out/ never holds.

The policy that the page states is sent as a header, and lets the script ask this server for news.
"""

from __future__ import annotations

import html
import re

from classifier.extras.serve.news import Problem

SCRIPT = "/-/reload.js"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'"
)
"""Of a page that states none."""

_META = re.compile(r"<meta\b[^>]*http-equiv=[\"']?content-security-policy\b[^>]*>", re.IGNORECASE)
_CONTENT = re.compile(r"content=(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_BASE = re.compile(r"<base\b[^>]*>", re.IGNORECASE)
_HEAD = re.compile(r"<head\b[^>]*>", re.IGNORECASE)
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
    meta = _META.search(head)
    content = _CONTENT.search(meta[0]) if meta else None
    stated = html.unescape(content[1] or content[2] or "") if content else POLICY
    head = _META.sub("", head)
    if is_not_found:
        head = _HEAD.sub('\\g<0><base href="/">', _BASE.sub("", head), count=1)
    script = f'<script src="{SCRIPT}" data-version="{html.escape(version)}" defer></script>\n'
    served = (head + script + rest).encode("utf-8", "surrogateescape")
    return served, live_policy(stated, with_base=is_not_found)


def live_policy(policy: str, *, with_base: bool = False) -> str:
    """Return a policy that allows what it allowed, and the script with its style sheet and news.

    >>> live_policy("connect-src 'none'; script-src 'self' data:; style-src *")
    "connect-src 'self'; script-src 'self' data:; style-src *; frame-ancestors 'none'"
    """
    directives: dict[str, list[str]] = {}
    for directive in policy.encode("ascii", "ignore").decode().split(";"):
        name, *sources = directive.split() or [""]
        if name:
            directives.setdefault(name.lower(), sources)  # of two alike the first holds
    for name in ("script-src", "style-src", "connect-src"):
        sources = directives.get(name, directives.get("default-src", []))
        if not {"'self'", "*"} & set(sources):
            sources = [*(source for source in sources if source.lower() != "'none'"), "'self'"]
        directives[name] = sources
    if with_base:
        directives["base-uri"] = ["'self'"]
    directives["frame-ancestors"] = ["'none'"]
    return "; ".join(" ".join([name, *sources]) for name, sources in directives.items())


def fault_page(problem: Problem | None) -> tuple[bytes, str]:
    """Return a page that stands in for a survey that is not there yet, and its policy."""
    text = problem.text if problem else "The survey is being built."
    page = (
        '<!doctype html>\n<html lang="en">\n'
        '<head><meta charset="utf-8"><title>Fieldguide</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="stylesheet" href="/-/serve.css">\n</head>\n'
        f"<body><main><h1>No survey yet</h1><pre>{html.escape(text)}</pre></main></body>\n</html>\n"
    )
    return live_page(page.encode(), "")
