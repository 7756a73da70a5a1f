"""Find the title in an entry of a list, and the short texts around the title."""

from __future__ import annotations

import re
from dataclasses import dataclass

from classifier.papers.clean import plain_text
from classifier.papers.dates import read_date
from classifier.papers.readers.markdown_links import (
    PLACE,
    VENUES,
    TextWithLinks,
    is_generic_link_text,
    restore_escapes,
    venue_and_year,
)

_MAX_TITLE = 400
_MAX_ENTRY = 20_000
_MAX_AROUND = 1_000
"""Maximum length of a title with the remarks around it, in characters."""
_MAX_REMARKS = 20
"""Maximum number of remarks that are removed from the end of a title."""
_MAX_WORDS = 40
"""Maximum number of words of a title."""
_MIN_BARS = 2
"""Minimum number of bars in an entry that looks like a table row."""
_MIN_REMARK = 8
"""Minimum number of words of a remark that only blanks separate from a title."""

_BREAK = re.compile(r"<br\s*/?>|</?(?:details|summary|li|ul|ol)\b[^<>]*>", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|~~|`")
_BRACKETED = re.compile(
    r"\s*(?:\*\*|`)?\s*[\[(【（]([^\[\]()【】（）]{1,60})[\])】）]\s*(?:\*\*|`)?\s*[:|,.\-–—]*"
)
_STAMP = re.compile(
    rf"\s*(?:\*\*|`)?((?:19|20)\d\d[./-]\d{{1,2}}(?:[./-]\d{{1,2}})?|(?:{VENUES})[\s'’-]*(?:20)?\d\d"
    r"|(?:19|20)\d\d)(?:\*\*|`)?\s*[:|,\-–—]\s*"
)
_LEAD = re.compile(
    r"\\?\[[ xX]?\\?\]\s+|\(?\d{1,4}[.)]{1,2}\s+|[^\w\"“„»‘'«《$\[(【（*_`<" + "\ue000" + r"]+"
)
_QUOTED = re.compile(
    r"„([^„“”\"]{8,300})[“”\"]|»([^«»]{8,300})«|[“\"«《]([^“”\"«»《》]{8,300})[”\"»》]"
)
_BOLD = re.compile(
    r"(?<!\*)\*\*(?!\*)([^*]{2,300}(?:\*(?!\*)[^*]{1,200}){0,4})\*\*|__([^_]{2,300})__"
)
_ITALIC = re.compile(r"(?<![\w*])\*(?![\s*])([^*]{12,300})\*(?![\w*])")
_BADGES = re.compile(rf"(?:[\s|,\[\]()]*{PLACE.pattern})+[\s|,\[\]()]*(?=\*\*)")
# “Cruz, A.; Li, B. (2020): ”, the start of references in economics and law, or a nickname:
# `**[Crumb]** A Bread Scanner for Every Kitchen`.
_BEFORE_TITLE = re.compile(
    r"[^()\[\]*“”\"\n]{2,200}(?:[,;&]|\b(?:and|und|et|y)\b)[^()\[\]*“”\"\n]{1,200}"
    r"\(((?:19|20)\d\d)[a-z]?\):\s+(?=\S+\s+\S+\s+\S)"
    r"|\s*\*\*\[[^\[\]]{1,40}\]\*\*:?\s*(?=\w\S*\s+\S+\s+\S)"
)
# "Li B, Cruz A. ", the start of references in medicine.
_VANCOUVER = re.compile(
    r"((?:[^\W\d_][\w'’\-]+ [A-Z]{1,3}, )*[^\W\d_][\w'’\-]+ [A-Z]{1,3}(?:,? et al)?)\.\s+"
    r"(?=\S+\s+\S[^\n]*[.?!]\W*$)"
)
# "Comment on “X”" is a separate title.
_ABOUT_PAPER = re.compile(
    r"(?:^|[.:]\s+)((?:(?:a|author)\s+)?(?:comments?|reply|response|discussion|erratum|corrections?"
    r"|corrigendum|rejoinder|retraction)\s+(?:on|to|of|for)\s*:?\s*)$",
    re.IGNORECASE,
)
# Parts of a sentence that is the list of authors of a reference.
_AUTHORS = re.compile(r"\bet al\b|\b[A-Z]\.(?:\s|,|$)|\((?:19|20)\d\d[a-z]?\)\.?$")
_TAIL = re.compile(r"\s*[(\[（]\s*([^()\[\]（）]{1,60})\s*[)\]）]?\s*$")
_OPENED = re.compile(r"\s*[(\[（【][^()\[\]（）【】]{0,60}$")
_ABBREVIATION = re.compile(
    r"(?:\b(?:vs|et al|cf|e\.g|i\.e|no|vol|dr|st)|\b[A-Z])\.$", re.IGNORECASE
)
# Separators between a title and a remark: blanks, a dash, a colon.
_GAP = re.compile(r"\s+[-–—]+\s*|\s*—\s*|:\s+|\s{2,}")
_EDGES = ' \t\n.,;:|-–—·•*_`~"“”«»'


@dataclass(frozen=True, slots=True)
class TitleSplit:
    """The text of an entry, split at its title."""

    title: str = ""
    """"" if it has none."""
    link: int | None = None
    """The number of the link that is the title, or None."""
    after: str = ""
    """The text after the title, with placeholders of links."""
    stated: tuple[str, ...] = ()
    """Short texts around the title, such as "ICLR 2024" or "2023-05"."""
    authors: str = ""
    """Authors before the title, or between bars."""
    is_complete: bool = False
    """Whether a bar or a full stop ends the title, so that a link after it is a venue."""


def find_title(entry: TextWithLinks, *, is_cell: bool = False) -> TitleSplit:
    """Find the title in the text of an entry.

    The title is, in this order: a link with a name at the start; a text in quotes or in bold; the
    words before the first link. is_cell: the entry is a table cell, whose whole text may be the
    title.
    """
    text, stated = _strip_start(with_line_breaks(entry.text[:_MAX_ENTRY]))
    badges = _BADGES.match(text)
    if badges and not any(
        entry.links[int(place[1])].has_name for place in PLACE.finditer(badges[0])
    ):
        text = text[badges.end() :]
    places = list(PLACE.finditer(text))
    if not is_cell and places and (between_bars := _title_between_bars(text, stated)):
        return between_bars
    title_link = next((p for p in places if entry.links[int(p[1])].has_name), None)
    if title_link and _begins_with(
        text[: title_link.start()], entry.links[int(title_link[1])].text
    ):
        title, around = _trim_title(entry.links[int(title_link[1])].text)
        if is_title(title):
            return TitleSplit(
                title, int(title_link[1]), text[title_link.end() :], (*stated, *around)
            )
    if not (is_cell or places or _QUOTED.search(text) or _BOLD.match(text.lstrip())):
        return TitleSplit(stated=stated)
    first = places[0].start() if places else len(text)
    before = text[:first]
    authors = ""
    if cited := _VANCOUVER.match(before):
        authors, before = cited[1], before[cited.end() :]
    while lead := _BEFORE_TITLE.match(before):
        before, stated = before[lead.end() :], (*stated, *filter(None, lead.groups()))
    words, rest = _find_marked_title(before) or _split_title(before)
    title, around = _trim_title(words)
    if not is_title(title) or len(title.split()) > _MAX_WORDS:
        return TitleSplit(stated=stated)
    is_complete = before.rstrip(" [(*_").endswith((".", "?", "!", "|"))
    return TitleSplit(title, None, rest + text[first:], (*stated, *around), authors, is_complete)


def _title_between_bars(text: str, stamps: tuple[str, ...]) -> TitleSplit | None:
    """Find the title in "Title | *authors* | [Venue](link)"; None for other forms."""
    parts = [part.strip() for part in text.split("\n")[0].split(" | ")]
    if len(parts) < _MIN_BARS + 1 or PLACE.search(parts[0]):
        return None
    title, around = _trim_title(parts[0])
    if not is_title(title) or len(title.split()) > _MAX_WORDS:
        return None
    authors = "" if PLACE.search(parts[1]) else parts[1]
    after = text[text.index(parts[-1], len(parts[0])) :]
    return TitleSplit(
        title, None, after, (*stamps, *around), plain_entry_text(authors), is_complete=True
    )


def is_title(text: str) -> bool:
    """Return whether a text can be a title: specific, and not a long sentence."""
    letters = re.search(r"[^\W\d_]{2}|[^\W\d_]\d|\d[^\W\d_]", text)
    return bool(letters) and len(text) <= _MAX_TITLE and not is_generic_link_text(text)


def plain_entry_text(text: str) -> str:
    """Return part of an entry as plain text, without emphasis, escapes and tags."""
    return " ".join(restore_escapes(_EMPHASIS.sub("", plain_text(text))).split())


def with_line_breaks(text: str) -> str:
    """Return a text with HTML breaks as line breaks."""
    return _BREAK.sub("\n", text)


def _strip_start(text: str) -> tuple[str, tuple[str, ...]]:
    """Remove numbers, boxes, emoji, dates and venues from the start; return text and the latter."""
    stated: list[str] = []
    while True:
        text = text.lstrip()
        if lead := _LEAD.match(text):
            text = text[lead.end() :]
            continue
        found = _BRACKETED.match(text)
        if not (found and _is_date_venue_or_label(found[1])):
            found = _STAMP.match(text)
        if not found:
            return text, tuple(stated)
        stated.append(found[1])
        text = text[found.end() :]


def _is_date_venue_or_label(text: str) -> bool:
    """Return whether text in brackets is a date, a venue or a label, and not part of a title."""
    text = plain_entry_text(text).strip(_EDGES)
    is_date = re.fullmatch(r"[\d./-]{4,10}|\w{3,9}\.?,? (?:\d{1,2},? )?\d{4}", text)
    return (
        venue_and_year(text) != ("", "")
        or is_generic_link_text(text)
        or bool(is_date and read_date(text))
    )


def _begins_with(preceding_text: str, title: str) -> bool:
    """Return whether an entry begins with its title link; a link in a sentence is a mention."""
    plain = _EMPHASIS.sub("", PLACE.sub("", preceding_text)).strip(" \t\n[]()（）|:,-–—.")
    end = preceding_text.rstrip(' *_`["“\n')[-1:]
    is_near = (
        len(title.split()) >= 4
        and len(plain) <= 80
        and end in ":.|-–—,)]"
        and "(e.g" not in preceding_text
    )
    return not plain or is_near


def _find_marked_title(text: str) -> tuple[str, str] | None:
    """Return a title in quotes, bold or italics, and the text after it; None without one."""
    quoted = _QUOTED.search(text)
    if quoted and quoted.start() < 300 and len(_inner_text(quoted).split()) >= 3:
        if about := _ABOUT_PAPER.search(text[: quoted.start()]):
            return about[1] + quoted[0], text[quoted.end() :]
        return _inner_text(quoted), text[quoted.end() :]
    bold = _BOLD.match(text) or _BOLD.search(text[:300])
    if bold and is_title(found := plain_entry_text(_inner_text(bold)).strip(_EDGES)):
        return found, text[bold.end() :]
    italic = _ITALIC.match(text)
    if italic and len(_inner_text(italic).split()) >= 3:
        return _inner_text(italic), text[italic.end() :]
    return None


def _inner_text(match: re.Match[str]) -> str:
    return next(filter(None, match.groups()), "")


def _split_title(text: str) -> tuple[str, str]:
    """Split a text into its title and the rest (a remark, authors, a venue)."""
    head, _, rest = _OPENED.sub("", text).strip().partition("\n")
    is_long = len(head.split()) > _MAX_WORDS
    for gap in _GAP.finditer(head[:_MAX_AROUND]):
        following, sign = head[gap.end() :], gap[0].strip()
        is_remark = sign not in ("", ":") and following[:1].islower()
        is_wide = not sign and len(following.split(None, _MIN_REMARK)) >= _MIN_REMARK
        if gap.start() > 1 and (is_remark or is_wide or is_long):
            return head[: gap.start()], f"{following}\n{rest}"
    title = _title_sentence(head[:_MAX_AROUND])
    following = head[max(0, head.find(title)) + len(title) :]
    return title, f"{following}\n{rest}"


def _title_sentence(text: str) -> str:
    """Return the title in “Title. Authors. Venue” or in “A. Author et al. Title. Venue”."""
    parts: list[str] = []
    for part in re.split(r"(?<=[.?!])\s+", text):
        if parts and _ABBREVIATION.search(parts[-1][-20:]):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    title = next((part for part in parts if not _AUTHORS.search(part)), parts[0])
    return title if len(title.split()) >= 3 or len(parts) < 2 else text


def _trim_title(text: str) -> tuple[str, tuple[str, ...]]:
    """Remove years, venues and symbols from the end of a title; return it and what was removed."""
    text, around = plain_entry_text(PLACE.sub("", text[:_MAX_AROUND])), []
    for _ in range(_MAX_REMARKS):
        text = re.sub(r"[^\w.,:;!?\"”’')\]}»$%+*°）】〉》]+$", "", text.strip())
        text = text.strip(" \t,;:|-–—·•")
        tail = _TAIL.search(text)
        if not (tail and tail.start() and _is_date_venue_or_label(tail[1])):
            break
        around.append(tail[1])
        text = text[: tail.start()]
    text, _ = _strip_start(text)
    if text.endswith(".") and not text.endswith("..") and not _ABBREVIATION.search(text):
        text = text[:-1]
    text = text.strip()
    if not _ABOUT_PAPER.match(re.split(r"[\"“«]", text)[0]):
        text = text.strip('"“”«»').strip()
    return text, tuple(around)
