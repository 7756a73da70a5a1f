"""Where the title stands in an entry of a list, and what the entry says around it; headings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from classifier.papers.clean import plain_text
from classifier.papers.dates import read_date
from classifier.papers.formats.markdown_links import (
    PLACE,
    VENUES,
    Linked,
    find_links,
    is_generic,
    restored,
    venue_and_year,
)

_MOST_TITLE = 400
_MOST_LOOKED_AT = 20_000
# A title with the remarks before and behind it; and how many remarks are taken off its end.
_MOST_AROUND = 1_000
_MOST_REMARKS = 20
# A title has hardly more words; what is longer is a title and a remark, or a remark.
_MOST_WORDS = 40
_FEWEST_IN_REMARK = 8

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_BOLD_TAG = re.compile(r"</?(?:b|strong)\s*>", re.IGNORECASE)
_ITALIC_TAG = re.compile(r"</?(?:i|em)\s*>", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|~~|`")
_BRACKETED = re.compile(
    r"\s*(?:\*\*|`)?\s*[\[(【（]([^\[\]()【】（）]{1,60})[\])】）]\s*(?:\*\*|`)?\s*[:|,.\-–—]*"
)
_STAMP = re.compile(
    rf"\s*(?:\*\*|`)?((?:19|20)\d\d[./-]\d{{1,2}}(?:[./-]\d{{1,2}})?|(?:{VENUES})[\s'’-]*(?:20)?\d\d"
    r"|(?:19|20)\d\d)(?:\*\*|`)?\s*[:|,\-–—]\s*"
)
_LEAD = re.compile(
    r"(?:\\?\[[ xX]?\\?\]\s+|\(?\d{1,4}[.)]{1,2}\s+|[^\w\"“‘'«《$\[(【（*_`<" + "\ue000" + r"]+)"
)
_QUOTED = re.compile(
    r"„([^„“”\"]{8,300})[“”\"]|»([^«»]{8,300})«|[“\"«《]([^“”\"«»《》]{8,300})[”\"»》]"
)
# “Cruz, A.; Li, B. (2020): ”, as economists and lawyers begin a reference.
_AUTHORS_AND_YEAR = re.compile(
    r"[^()\[\]*“”\"\n]{2,200}(?:[,;&]|\b(?:and|und|et|y)\b)[^()\[\]*“”\"\n]{1,200}"
    r"\(((?:19|20)\d\d)[a-z]?\):\s+(?=\S+\s+\S+\s+\S)"
)
# A paper's nickname before its title: `**[Crumb]** A Bread Scanner for Every Kitchen`.
_NICKNAME = re.compile(r"\s*\*\*\[[^\[\]]{1,40}\]\*\*:?\s*(?=\w\S*\s+\S+\s+\S)")
_LINKS_FIRST = re.compile(rf"(?:[\s|,\[\]()]*{PLACE.pattern})+[\s|,\[\]()]*(?=\*\*)")
_YEAR_BEFORE = re.compile(r"\(((?:19|20)\d\d)[a-z]?\)\.\s")
_VENUE_BEHIND = re.compile(r",\s+([*_])[^*_\n]{3,100}\1\W*$")
_AUTHOR_AND_YEAR = re.compile(r"\(((?:19|20)\d\d)[a-z]?\)\.?$")
_BOLD = re.compile(
    r"(?<!\*)\*\*(?!\*)([^*]{2,300}(?:\*(?!\*)[^*]{1,200}){0,4})\*\*|__([^_]{2,300})__"
)
_ITALIC = re.compile(
    r"(?<![\w*])\*(?![\s*])([^*]{12,300})\*(?![\w*])|(?<!\w)_(?![\s_])([^_]{12,300})_(?!\w)"
)
_TAIL = re.compile(r"\s*[(\[（]\s*([^()\[\]（）]{1,60})\s*[)\]）]\s*$")
_UNCLOSED = re.compile(r"\s*[(\[（]\s*([^()\[\]（）]{1,60})$")
_OPENED = re.compile(r"\s*[(\[（【][^()\[\]（）【】]{0,60}$")
_AFTER_COMMA = re.compile(
    rf"\s*[,.;]\s*((?:in\s+)?(?:{VENUES})?[\s'’,-]*(?:(?:19|20)\d\d)?)\s*\.?$"
)
_INITIALS = re.compile(r"\bet al\b|\b[A-Z]\.(?:\s|,|$)")
_ABBREVIATION = re.compile(r"(?:\b(?:vs|et al|cf|e\.g|i\.e|no|vol|dr|st)|\b[A-Z])$", re.IGNORECASE)
# What may part a title from a remark: blanks, a dash, a colon.
_GAP = re.compile(r"\s+[-–—]+\s*|\s*—\s*|:\s+|\s{2,}")

_EDGES: Final = ' \t\n.,;:|-–—·•*_`~"“”«»'


@dataclass(frozen=True, slots=True)
class Titled:
    """What an entry's text says."""

    title: str = ""
    """"" where it has none."""
    link: int | None = None
    """The number of the link that is the title, where one is."""
    after: str = ""
    """What stands behind the title, links as places."""
    stated: tuple[str, ...] = ()
    """Short texts around the title, as "ICLR 2024" or "2023-05"."""


def find_title(linked: Linked, *, cell: bool = False) -> Titled:
    """Find the title in an entry's text; of a table's title `cell` all may be the title.

    In this order: a link with a name, where the entry begins with it; a text in quotes, in bold or
    in italics; the words before the first link.
    """
    text = with_line_breaks(linked.text[:_MOST_LOOKED_AT])
    text, stated = _without_lead(text)
    text = _without_badges(text, linked)
    places = list(PLACE.finditer(text))
    named = next((p for p in places if linked.links[int(p[1])].names_something), None)
    if named and _begins_with(text[: named.start()], linked, int(named[1])):
        number = int(named[1])
        title, around = _trimmed(linked.links[number].text)
        if is_title(title):
            return Titled(title, number, text[named.end() :], (*stated, *around))
    first = next((p.start() for p in places), len(text))
    before = text[:first]
    if not cell and not places and not _has_form(before):
        return Titled(stated=stated)
    return _in_text(before, text[first:], stated)


def is_title(text: str) -> bool:
    """Say whether a text can be a title: it names something, and is no sentence in many words."""
    letters = re.search(r"[^\W\d_]{2}|[^\W\d_]\d|\d[^\W\d_]", text)
    return bool(letters) and len(text) <= _MOST_TITLE and not is_generic(text)


def clean_words(text: str) -> str:
    """Return a piece of an entry as plain text: no emphasis, escapes, tags, emoji at its ends."""
    text = restored(_EMPHASIS.sub("", plain_text(text)))
    return " ".join(text.split())


def with_line_breaks(text: str) -> str:
    """Return a text with HTML breaks as line breaks, HTML emphasis as that of Markdown."""
    text = _BREAK.sub("\n", text)
    return _ITALIC_TAG.sub("*", _BOLD_TAG.sub("**", text))


def _without_lead(text: str) -> tuple[str, tuple[str, ...]]:
    """Take numbers, check boxes, emoji, dates and venues off the start of an entry."""
    stated: list[str] = []
    while True:
        text = text.lstrip()
        if lead := _LEAD.match(text):
            text = text[lead.end() :]
        elif (bracket := _BRACKETED.match(text)) and _is_stamp(bracket[1]):
            stated.append(bracket[1])
            text = text[bracket.end() :]
        elif stamp := _STAMP.match(text):
            stated.append(stamp[1])
            text = text[stamp.end() :]
        else:
            return text, tuple(stated)


def _without_badges(text: str, linked: Linked) -> str:
    """Take links that name nothing off the start of an entry whose title stands in bold."""
    links = _LINKS_FIRST.match(text)
    if links is None:
        return text
    named = (linked.links[int(place[1])].names_something for place in PLACE.finditer(links[0]))
    return text if any(named) else text[links.end() :]


def _is_stamp(text: str) -> bool:
    """Say whether a bracket holds a date, a venue or a label, and no part of a title."""
    text = clean_words(text).strip(_EDGES)
    return bool(venue_and_year(text) != ("", "") or is_generic(text) or _is_date(text))


def _is_date(text: str) -> bool:
    return bool(re.fullmatch(r"[\d./-]{4,10}|\w{3,9}\.?,? (?:\d{1,2},? )?\d{4}", text)) and bool(
        read_date(text)
    )


def _begins_with(before: str, linked: Linked, number: int) -> bool:
    """Say whether an entry begins with its title link, behind at most a few words.

    A link in a sentence is a mention: “as used by [Crumb](…)”.
    """
    plain = _EMPHASIS.sub("", PLACE.sub("", before)).strip(" \t\n[]()（）|:,-–—.")
    if not plain:
        return True
    words = len(linked.links[number].text.split())
    ends = before.rstrip(' *_`["“\n')[-1:] in (":", ".", "|", "-", "–", "—", ",", ")", "]", "")
    return words >= 4 and len(plain) <= 80 and ends and "(e.g" not in before


def _has_form(text: str) -> bool:
    return bool(_QUOTED.search(text) or _BOLD.match(text.lstrip()))


def _in_text(before: str, after: str, stated: tuple[str, ...]) -> Titled:
    """Find the title in the words before the first link."""
    if nickname := _NICKNAME.match(before):
        return _in_text(before[nickname.end() :], after, stated)
    if cited := _AUTHORS_AND_YEAR.match(before):
        return _in_text(before[cited.end() :], after, (*stated, cited[1]))
    quoted = _QUOTED.search(before)
    words = next(filter(None, quoted.groups())) if quoted else ""
    if quoted and len(words.split()) >= 3 and quoted.start() < 300:
        title, around = _trimmed(words)
        return Titled(title, None, before[quoted.end() :] + after, (*stated, *around))
    bold = _BOLD.match(before) or _BOLD.search(before[:300])
    if bold and is_title(found := clean_words(bold[1] or bold[2]).strip(_EDGES)):
        rest = before[bold.end() :]
        title, around = _trimmed(_with_subtitle(found, rest))
        return Titled(title, None, rest + after, (*stated, *around))
    italic = _ITALIC.match(before)
    if italic and len((italic[1] or italic[2]).split()) >= 3:
        title, around = _trimmed(italic[1] or italic[2])
        return Titled(title, None, before[italic.end() :] + after, (*stated, *around))
    piece, rest = _first_piece(before)
    title, around = _trimmed(piece)
    if piece and (year := _YEAR_BEFORE.search(before.partition(piece)[0])):
        around = (*around, year[1])
    if not is_title(title) or len(title.split()) > _MOST_WORDS:
        return Titled(stated=stated)
    return Titled(title, None, rest + after, (*stated, *around))


def _with_subtitle(name: str, rest: str) -> str:
    """Return a bold name with the rest of the title: “**Crumb**: A Bread Scanner [paper]”."""
    match = re.match(r"\s*:?\s*([^\n(\[]{3,200})", rest)
    colon = name.endswith(":") or rest.lstrip().startswith(":")
    if not match or not colon or len(name.split()) > 3:
        return name
    words = clean_words(match[1]).strip(_EDGES)
    fits = words[:1].isupper() and 3 <= len(words.split()) <= 20 and not re.search(r"\. ", words)
    return f"{name.rstrip(':')}: {words}" if fits else name


def _first_piece(text: str) -> tuple[str, str]:
    """Part a text in its title and what follows: a remark, authors, a venue."""
    head, _, rest = _OPENED.sub("", text).strip().partition("\n")
    if len(head) <= _MOST_AROUND and (venue := _VENUE_BEHIND.search(head)):
        return head[: venue.start()], f"{venue[0]}\n{rest}"
    is_long = len(head.split()) > _MOST_WORDS
    for gap in _GAP.finditer(head[:_MOST_AROUND]):
        behind = head[gap.end() :]
        small = gap[0].strip() not in ("", ":") and behind[:1].islower()
        words = len(behind.split(None, _FEWEST_IN_REMARK))
        wide = not gap[0].strip() and words >= _FEWEST_IN_REMARK
        if gap.start() > 1 and (small or wide or is_long):
            return head[: gap.start()], f"{behind}\n{rest}"
    title = _first_sentence(head[:_MOST_AROUND])
    behind = head[head.find(title) + len(title) :] if title in head else ""
    return title, f"{behind}\n{rest}"


def _first_sentence(text: str) -> str:
    """Return the title of “Title. Authors. Venue” and of “A. Author et al. Title. Venue”."""
    parts: list[str] = []
    for part in re.split(r"(?<=[.?!])\s+", text):
        if parts and _ABBREVIATION.search(parts[-1].rstrip(".")) and parts[-1].endswith("."):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    titles = [
        part for part in parts if not (_INITIALS.search(part) or _AUTHOR_AND_YEAR.search(part))
    ] or parts
    first = titles[0] if titles else text
    return first if len(first.split()) >= 3 or len(parts) < 2 else text


def _trimmed(text: str) -> tuple[str, tuple[str, ...]]:
    """Take years, venues and signs off the end of a title: “Rye at Home (NeurIPS 2023) ⭐”."""
    text, around = clean_words(PLACE.sub("", text[:_MOST_AROUND])), []
    for _ in range(_MOST_REMARKS):
        text = re.sub(r"[^\w.,;:!?\"”’')\]}»$%+*°）】〉》]+$", "", text.strip()).strip()
        text = text.strip(" \t,;:|-–—·•")
        tail = _TAIL.search(text) or _UNCLOSED.search(text)
        if tail and tail.start() and (_is_stamp(tail[1]) or _is_remark(tail[1])):
            around.append(tail[1])
            text = text[: tail.start()]
            continue
        comma = _AFTER_COMMA.search(text)
        if comma and comma.start() > 3 and venue_and_year(comma[1]) != ("", ""):
            around.append(comma[1])
            text = text[: comma.start()]
            continue
        break
    text, _ = _without_lead(text)
    if text.endswith(".") and not text.endswith("..") and not _ABBREVIATION.search(text[:-1]):
        text = text[:-1]
    return text.strip().strip('"“”«»').strip(), tuple(around)


def _is_remark(text: str) -> bool:
    """Say whether a bracket at the end of a title is a remark of the list: venue, oral, code."""
    return bool(
        re.search(
            rf"\b(?:{VENUES})\b.*\d\d|^\W*(?:oral|spotlight|survey|new)\W*$", text, re.IGNORECASE
        )
    )


MOST_HEADING: Final = 200
_NO_TOPIC = re.compile(
    r"(?:(?:table of )?contents?|toc|outline|index|contribut\w+.*|how to .*|licen[cs]e|citations?"
    r"|cit(?:e|ing)\b.*|bibtex|acknowledge?ments?|star(?:s|[- ]history).*|news|updates?|changelog"
    r"|what'?s new|about(?: us)?|contacts?|maintainers?|disclaimer|references?|introduction"
    r"|overview|legend|(?:recent|all|latest|selected|list of|the|research)* ?papers?(?: list)?"
    r"(?: ?\(.*\))?|paper[- ]?lists?|reading list|full list|back to top"
    r"|目录|贡献|引用|更新|致谢)\W*",
    re.IGNORECASE,
)
_CLICK = re.compile(
    r"\b(?:click|expand|collapse|unfold|toggle|show (?:more|all)|see (?:more|all)|view all"
    r"|more details?|details?)\b|展开|点击",
    re.IGNORECASE,
)


def heading_text(text: str, references: Mapping[str, str]) -> str:
    """Return a heading as a name: without links, emoji, numbers, counts, anchors; "" of none.

    >>> heading_text("🍞 2.1 **Rye / wheat** (12) [🔝](#top)", {})
    'Rye/wheat'
    """
    linked = find_links(text[:2_000], references)
    words = " ".join(plain_text(linked.said(linked.text)).split())
    words = re.sub(r"[*`]+|(?<!\w)_+|_+(?!\w)", "", words)
    words = re.sub(r"\{#[\w-]+\}|:[a-z_]{2,30}:", "", words)
    words = "".join(sign for sign in words if not _is_emoji(sign))
    words = re.sub(r"^\W*(?:\d{1,2}(?:\.\d{1,2})+[.)]?|\d{1,2}[.)]|[IVX]{1,5}[.)])\s+", "", words)
    words = re.sub(r"\s*[(\[]\s*\d{1,5}(?: (?:papers?|items?))?\s*[)\]]\s*$", "", words)
    words = re.sub(r"\s*/\s*", "/", restored(words))
    return words.strip(" \t:-–—|#.,;")[:MOST_HEADING]


def is_topic(heading: str) -> bool:
    """Say whether a heading can name a topic: no table of contents, licence, “click to expand”."""
    return bool(re.search(r"[^\W_]", heading)) and not (
        _NO_TOPIC.fullmatch(heading) or _CLICK.search(heading)
    )


def _is_emoji(sign: str) -> bool:
    return (
        sign >= "\U0001f000"
        or "\u2190" <= sign <= "\u21ff"
        or "\u2300" <= sign <= "\u2bff"
        or sign in "\ufe0f\u200d\u20e3"
    )
