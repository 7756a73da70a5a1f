"""Links in the users' Markdown: links to the web are allowed, all others are not.

Addresses within the site are generated. The numbers of references and the anchors of sentences
change with the papers, so a user's link to them would be dead after the next build.
"""

from __future__ import annotations

import html
import re

# The end of a link's text with its address: `](address`, or `]: address` of a definition.
_ADDRESS = re.compile(r"\](?=(?:\(|:[ \t]*\n?)[ \t]*<?([^)\s>]{0,2000}))")
_DEFINED = re.compile(r"^ {0,3}\[[^\[\]\n]*\](?=:)", re.MULTILINE)
_MAX_LENGTH = 60
_WEB = re.compile(r"(?:https?://|mailto:)[^\s]", re.IGNORECASE)


def dead_links(markdown: str) -> list[str]:
    """Return, in order and shortened, the URLs of links that do not lead to the web.

    >>> dead_links("[1](#ref-1), [a](https://a.example), [x](javascript:y)")
    ['#ref-1', 'javascript:y']
    """
    return [link[1][:_MAX_LENGTH] for link in _link_matches(markdown) if not _leads_to_web(link)]


def without_dead_links(markdown: str) -> str:
    r"""Return Markdown whose only links lead to the web; other links are shown as plain text.

    >>> without_dead_links("[1](#ref-1), [a](https://a.example)")
    '[1]\\(#ref-1), [a](https://a.example)'
    """
    if "](" not in markdown and "]:" not in markdown:
        return markdown
    for link in reversed(list(_link_matches(markdown))):
        if not _leads_to_web(link):
            markdown = f"{markdown[: link.start()]}]\\{markdown[link.end() :]}"
    return markdown


def _link_matches(markdown: str) -> list[re.Match[str]]:
    defined = {match.end() for match in _DEFINED.finditer(markdown)}
    return [
        link
        for link in _ADDRESS.finditer(markdown)
        if markdown.startswith("(", link.end()) or link.end() in defined
    ]


def _leads_to_web(link: re.Match[str]) -> bool:
    return bool(_WEB.match(html.unescape(link[1])))


_LINKS = re.compile(
    r"(?<=[@#])(?=\w)|(?<=\w:)(?=//)|(?<=\bwww)(?=\.)|(?<=\bGH)(?=-\d)", re.IGNORECASE
)
"""Places at which a code host would begin a mention or a link, which notifies people."""


def escape_markdown(text: str) -> str:
    r"""Escape a text so that Markdown displays it literally, without markup, mentions and links.

    >>> escape_markdown("*new*  by @ada")
    '\\*new\\* by @<!-- -->ada'
    >>> escape_markdown("GH-7 and https://host/issues/7")
    'GH<!-- -->-7 and https:<!-- -->//host/issues/7'
    """
    plain = html.escape(" ".join(text.split()), quote=False)
    plain = re.sub(r"([\\`*_\[\]|~])", r"\\\1", plain)
    return _LINKS.sub("<!-- -->", plain)
