"""Find links to code repositories in a text."""

from __future__ import annotations

import re

# An owner and a repository are required: a host or the page of an owner is not a repository.
_LINK = re.compile(
    r"(?:https?://)?(?:www\.)?((?:github\.com|gitlab\.com|huggingface\.co)/"
    r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9_][\w./-]*)",
    re.ASCII,
)
_HOSTS = ("github.com/", "gitlab.com/", "huggingface.co/")
# Pages of a host that are not repositories.
_PAGES = re.compile(r"^huggingface\.co/(?:papers|blog|posts)/")


def find_code_urls(text: str) -> tuple[str, ...]:
    """Return the repositories linked in `text` as https URLs, in order, each once.

    >>> find_code_urls("Code: github.com/someone/thing.git, see (https://github.com/a/b).")
    ('https://github.com/someone/thing.git', 'https://github.com/a/b')
    """
    if not any(host in text for host in _HOSTS):
        return ()
    links = [match.group(1).rstrip("./-_") for match in _LINK.finditer(text)]
    return tuple(dict.fromkeys(f"https://{link}" for link in links if not _PAGES.match(link)))
