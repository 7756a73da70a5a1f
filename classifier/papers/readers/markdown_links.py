"""Find links in Markdown and HTML; tell links to papers, to code and to other pages apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

from classifier.papers.code_links import find_code_urls
from classifier.papers.paper import clean_arxiv_id, clean_doi
from classifier.papers.words import load_words

# A link in a text is replaced by its number between two private characters. The words of a badge
# are marked in the same way; they count only if the badge is a link.
_OPEN, _CLOSE, _BADGE, _END = "\ue000", "\ue001", "\ue002", "\ue003"
_SIGNS = str.maketrans("", "", _OPEN + _CLOSE + _BADGE + _END)
_WORDS_OF_BADGE = re.compile(f"{_BADGE}[^{_END}]*{_END}")
PLACE: Final = re.compile(f"{_OPEN}(\\d+){_CLOSE}")

# An escaped character is not markup: it is replaced by a private character until the end.
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ESCAPED_AT = 0xE100
_RESTORED = {_ESCAPED_AT + code: chr(code) for code in range(0x21, 0x7F)}

_INSIDE = r"(?:[^\[\]]|\[[^\[\]]*\])*"
_ADDRESS = r"(?:[^()\s<>]|\([^()\s<>]*\))*"
_TITLE = r"(?:\s++(?:\"[^\"\n]*\"|'[^'\n]*'))?"
_IMAGE = re.compile(rf"!\[([^\[\]]*)\]\(\s*+<?{_ADDRESS}>?{_TITLE}\s*+\)")
_FORMS = (
    re.compile(rf"\[(?P<text>{_INSIDE})\]\(\s*+<?(?P<url>{_ADDRESS})>?{_TITLE}\s*+\)"),
    re.compile(
        r"<a\s(?>(?=[^<>]*>)[^<>]*?href\s*+=\s*+[\"']?(?P<url>[^\"'\s<>]+)[^<>]*>)"
        r"(?P<text>[^<]*+(?:<(?!/?a\b)[^<]*+)*+)"
        r"</a\s*>",
        re.IGNORECASE,
    ),
    re.compile(r"<(?P<url>https?://[^\s<>]+)>(?P<text>)"),
    re.compile(r"(?P<url>https?://[^\s<>()\[\]|\"'`*，。、；）]+)(?P<text>)"),
)
WORDS: Final = load_words(Path(__file__).with_name("markdown_words.yaml"))
_HOSTS = re.compile(rf"(?:^|\.)(?:{'|'.join(map(re.escape, WORDS['hosts']))})$")
_GENERIC = frozenset(WORDS["generic"])
_PAPER_WORDS = re.compile(
    r"\b(?:papers?|pdf|arxiv|abs|preprint|article|openreview|doi|publication|proceedings"
    r"|volltext|artikel|aufsatz)\b"
    r"|论文|原文|論文|논문|статья",
    re.IGNORECASE,
)
VENUES: Final = "|".join(WORDS["venues"])
_VENUE_YEAR = re.compile(
    rf"\W*(?:(?:Findings of |Findings-|IEEE/?|ACM |Proc\. )*(?:{VENUES})(?: ?Findings)?"
    r"(?:[\s\-_.,'’‘`/:]*(?:19|20)?\d{2}(?:[./-]\d{1,2})*)?"
    r"|(?:19|20)\d\d(?:[./-]\d{1,2}){0,2})"
    r"[\s,;:|(\[-]*(?:(?:main|findings|oral|spotlight|poster|workshops?|wksp|long|short|best paper"
    r"|demo|highlight|industry|track|award|datasets? and benchmarks?|d&b|under review|accepted"
    r"|preprint)[\s,;)\]-]*)*\W*",
    re.IGNORECASE,
)
# Pages of papers at the conferences' own sites: neurips.cc/virtual/2025/poster/1.
_VIRTUAL_SITE = re.compile(r"(?:^|\.)(?:neurips|icml|iclr)\.cc$")
_VIRTUAL_PAPER = re.compile(r"/virtual/\d{4}/(?:poster|oral|spotlight|paper)/\d+")


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a list."""

    text: str
    """The text of the link as Markdown, or the words of a badge; "" for a bare URL."""
    url: str

    @property
    def arxiv_id(self) -> str:
        """The arXiv id in the URL, or ""."""
        place = self.url.partition("?")[0]
        return clean_arxiv_id(place) if "//" in place and not _is_code_url(place) else ""

    @property
    def doi(self) -> str:
        """The DOI in the URL; "" for a paper on arXiv, which is identified by its arXiv id."""
        found = "" if self.arxiv_id else clean_doi(self.url)
        return "" if clean_arxiv_id(found) else found

    @property
    def paper_key(self) -> str:
        """A key that is the same for all URLs of one paper."""
        if arxiv_id := self.arxiv_id:
            return f"arxiv:{arxiv_id}"
        parts = _split_url(self.url)
        if "openreview.net" in parts[0] and (known := parse_qs(parts[2]).get("id")):
            return f"openreview:{known[0]}"
        if doi := self.doi:
            return f"doi:{doi}"
        path = parts[1].rstrip("/").removesuffix(".pdf")
        return parts[0].removeprefix("www.") + path + parts[2]

    @property
    def has_name(self) -> bool:
        """Whether the text is a name, not “Paper”, “PDF”, a badge or an id."""
        return not is_generic_link_text(self.text)

    @property
    def is_paper(self) -> bool:
        """Whether the link leads to a paper, judged by its URL or its text."""
        if self.arxiv_id:
            return True
        host, path, _ = _split_url(self.url)
        is_code = _is_code_url(self.url) and not path.endswith(".pdf")
        if is_code or not host or host.endswith("arxiv.org"):
            return False
        if self.doi or (_VIRTUAL_SITE.search(host) and _VIRTUAL_PAPER.match(path)):
            return True
        if _HOSTS.search(host):
            return len(path) > 1
        return path.lower().endswith(".pdf") or (
            not self.has_name and bool(_PAPER_WORDS.search(self.text))
        )

    @property
    def code_url(self) -> str:
        """The URL if it is a code repository, or ""."""
        found = () if self.is_paper else find_code_urls(self.url)
        return found[0] if found and self.url.startswith("http") else ""


@dataclass(frozen=True, slots=True)
class TextWithLinks:
    """A text whose links were replaced by placeholders."""

    text: str
    """`PLACE` matches the placeholders; `with_link_words` replaces them by the links' words."""
    links: tuple[Link, ...]
    """By the number in the placeholder, which is not their order."""

    @property
    def ordered_links(self) -> list[Link]:
        """The links in the order of the text."""
        return [self.links[int(place[1])] for place in PLACE.finditer(self.text)]

    def with_link_words(self, text: str) -> str:
        """Replace the placeholders in part of the text by the words of the links."""
        return PLACE.sub(lambda place: self.links[int(place[1])].text, text)


def find_links(text: str) -> TextWithLinks:
    """Return `text` with its links replaced by placeholders."""
    links: list[Link] = []

    def placeholder(match: re.Match[str]) -> str:
        words = PLACE.sub(lambda place: links[int(place[1])].text, match["text"])
        if "://" not in match["url"]:
            return match["text"]
        url = restore_escapes(match["url"].strip().replace("&amp;", "&"))
        links.append(Link(words.translate(_SIGNS).strip(), url))
        return f"{_OPEN}{len(links) - 1}{_CLOSE}"

    def badge(image: re.Match[str]) -> str:
        words = re.sub(r"[^\w .,:/-]", " ", image[1]).strip()
        return f"{_BADGE}{words}{_END}"

    text = text.translate(_SIGNS)
    text = _ESCAPE.sub(lambda escape: chr(_ESCAPED_AT + ord(escape[1])), text)
    text = _IMAGE.sub(badge, text)
    for form in _FORMS:
        text = form.sub(placeholder, text)
    return TextWithLinks(_WORDS_OF_BADGE.sub("", text), tuple(links))


def restore_escapes(text: str) -> str:
    """Restore the escaped characters of a text from `find_links`."""
    return text if text.isascii() else text.translate(_RESTORED)


def is_generic_link_text(text: str) -> bool:
    """Return whether a link's text is generic: “Paper”, “[PDF]”, “NeurIPS 2023”, an id, an emoji.

    >>> is_generic_link_text("paper link"), is_generic_link_text("ICLR'24 (Oral)")
    (True, True)
    >>> is_generic_link_text("Rye bread at home")
    False
    """
    text = text.strip()
    if "://" in text or clean_arxiv_id(text.strip("[]() ")) or _VENUE_YEAR.fullmatch(text):
        return True
    words = [word for word in re.findall(r"[^\W_]+", text.casefold()) if not word.isdecimal()]
    return all(word in _GENERIC or (len(word) < 2 and word.isascii()) for word in words)


def venue_and_year(text: str) -> tuple[str, str]:
    """Return the venue and the year in a short text; "" for each that is missing.

    >>> venue_and_year("[NeurIPS'23]"), venue_and_year("(2022)"), venue_and_year("Bread ovens")
    (('NeurIPS', '2023'), ('', '2022'), ('', ''))
    """
    if not _VENUE_YEAR.fullmatch(text):
        return "", ""
    venue = re.search(rf"(?:{VENUES})(?![a-z])", text)
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)
    short = re.search(r"['’‘` ](\d\d)(?!\d)", text)
    found = venue[0] if venue else ""
    return (
        "" if re.fullmatch(r"arxiv|preprint", found, re.IGNORECASE) else found,
        year[0] if year else f"20{short[1]}" if short and found else "",
    )


def _is_code_url(url: str) -> bool:
    return bool(find_code_urls(url))


def _split_url(url: str) -> tuple[str, str, str]:
    """Return a URL's host (lower case), path and query; empty texts if the URL is invalid."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").lower(), parts.path, parts.query
    except ValueError:
        return "", "", ""
