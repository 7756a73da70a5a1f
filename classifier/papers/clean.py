"""Texts and dates as sources write them, made those that people read.

Markup and hard wraps go (`plain_text`, `unwrapped`), letters that were decoded in the wrong
encoding come back (`repaired`); links to code (`find_code_urls`) and dates (`read_date`) are found.
"""

from __future__ import annotations

import html
import re
import unicodedata
from datetime import date
from functools import cache, lru_cache

_NAMES = (
    "a|abbr|b|bdi|big|bold|br|cite|code|dd|div|dl|dt|em|emph|font|h[1-6]|hr|i|img|inf|ins|italic"
    "|label|li|inline-graphic|math|mark|monospace|mfrac|mi|mn|mo|mover|mrow|mspace|msqrt|mstyle"
    "|msub|msubsup|msup"
    "|mtext|munder|munderover|nobr|ol|p|pre|q|roman|s|sc|sec|semantics|small|span|strong|strike"
    "|sub|sup|tex-math|title|tt|u|ul|underline|xref|list|list-item|inline-formula|disp-formula"
    "|alternatives|abstract|abstracttext|annotation|named-content|ext-link|graphic"
    "|inline-graphic|ExternalRef|styled-content"
)
# Only names that markup has: "a < b" and "<unk>" are text.
_TAG = re.compile(
    rf"<(/?)(?:[a-z]{{1,6}}:)?({_NAMES})(?:\s[^<>=]{{1,200}}=[^<>]{{0,2000}}|\s*)/?>", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--(?:(?!<!--).){0,10000}?-->|<!\[CDATA\[|\]\]>", re.DOTALL)
_HEADING = re.compile(
    r"<(?:jats:)?title>\s*([^<>]{1,60}?)\s*[.:]?\s*</(?:jats:)?title>", re.IGNORECASE
)
# Publishers give a formula twice, for those who can show MathML and for those who cannot.
_TEX = r"<(?:jats:)?tex-math[^<>]{0,200}>[^<>]{0,500}</(?:jats:)?tex-math>"
_TEX_BESIDE_MATH = re.compile(
    rf"{_TEX}(?=\s{{0,9}}<(?:alternatives|(?:[a-z]{{1,6}}:)?math)\b)|(?<=:math>){_TEX}"
)
_BREAKS = frozenset("br div hr li p sec list list-item ol ul abstract title h1 h2 h3 h4".split())
_NUMERIC = re.compile(r"&#(?:\d{2,6}|[xX][0-9a-fA-F]{2,5});")
# Beginning with one set of signs, so that texts are searched at the speed of C.
_BLANKS = re.compile(r"[ \t\r\f\v\n](?:(?<=\n)\s*|[ \t\r\f\v]*\n\s*|[ \t\r\f\v]+)")


def plain_text(text: str) -> str:
    """Return `text` without markup, entities resolved, paragraphs as lines.

    A heading inside a text stays as `Heading: `; signs that only look like markup stay.

    >>> plain_text("<jats:title>Aim</jats:title><jats:p>Bread &amp; <i>salt</i>, a &lt; b</jats:p>")
    'Aim: Bread & salt, a < b'
    >>> plain_text("<tex-math>$2x$</tex-math><mml:math><mml:mn>2</mml:mn>x</mml:math> the salt")
    '2x the salt'
    >>> plain_text("6.2% &amp;#177; 2.8%")
    '6.2% ± 2.8%'
    """
    if "<" not in text and "&" not in text:
        return text.strip()
    bare = _COMMENT.sub("", text) if "<!" in text or "]]>" in text else text
    if "tex-math" in bare:
        bare = _TEX_BESIDE_MATH.sub("", bare)
    bare = _HEADING.sub(lambda match: f"\n{match[1]}: ", bare)
    bare = _TAG.sub(lambda match: "\n" if match[2].lower() in _BREAKS else "", bare)
    if bare == text and "&lt;/" not in text:
        return _unescaped(text).strip()
    text = _unescaped(bare)
    if "&" in bare and "</" in text:  # escaped twice on its way
        text = _TAG.sub("", text)
    text = _BLANKS.sub(lambda match: "\n" if "\n" in match[0] else " ", text).strip()
    return re.sub(r"^([^\n:]{1,60}:)\s*\n", r"\1 ", text, flags=re.MULTILINE)


def _unescaped(text: str) -> str:
    """Return a text with its entities resolved, numeric ones also where they were escaped twice."""
    return _NUMERIC.sub(lambda found: html.unescape(found[0]), html.unescape(text))


def unwrapped(text: str) -> str:
    """Return a hard-wrapped text with a paragraph on a line.

    A paragraph begins where a line is indented, or behind an empty one.

    >>> unwrapped("We bake\\nbread.\\n  It is\\ngood.")
    'We bake bread.\\nIt is good.'
    """
    paragraphs = re.split(r"\n(?=[ \t])|\n[ \t]*\n", text.strip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


# Those that ftfy undoes; what it calls sloppy differs from these in the controls U+0080 to U+009F.
_ENCODINGS = (
    "latin-1", "cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1257", "iso-8859-2",
    "mac-roman", "cp437",
)  # fmt: skip


def repaired(text: str) -> str:
    """Return `text` with what was decoded wrongly decoded rightly; most texts come back unchanged.

    By ftfy (Speer, “ftfy”, Zenodo 2019), which changes only what is hardly ever meant; nothing but
    the encoding is mended, so that quotes, widths and ligatures stay as they were read.

    >>> repaired("CafÃ© â€“ naÃ¯ve"), repaired("Café – naïve")
    ('Café – naïve', 'Café – naïve')
    """
    if text.isascii() or not _traces().search(text):
        return text
    import ftfy  # late: most files are all right
    from ftfy.badness import is_bad

    if not is_bad(text):
        return text
    fixed = ftfy.fix_encoding(text)
    # Half repaired is worse than as read: nobody sees any more what was there.
    return text if "�" in fixed and "�" not in text else fixed


@cache
def _traces() -> re.Pattern[str]:
    """Return what finds the places where ftfy could find fault, in a tenth of its time.

    A letter in UTF-8 is a byte from C2 to F4 and bytes from 80 to BF behind it, of which programs
    make a blank or a question mark of some; each wrong encoding shows them as letters of its own.
    """
    forms = [
        f"(?<=[{_letters(name, 0xC2, 0xF4)}])[ ?]?[{_letters(name, 0x80, 0xBF)}]"
        for name in _ENCODINGS
    ]
    # What tells enough alone: controls, a letter whose second byte became a blank, a lost one.
    alone = "(?<=[\x80-\x9fÂÃÅÎÐÙ�])"
    return re.compile(rf"[^\x00-\x7f](?:{alone}|{'|'.join(forms)})")


def _letters(encoding: str, first: int, last: int) -> str:
    """Return the bytes from `first` to `last` as letters, escaped; undefined ones as controls."""
    letters = [
        bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in range(first, last + 1)
    ]
    return re.escape("".join(letters))


# An owner and a repository are needed: a bare host, or an owner's page, is no code.
_LINK = re.compile(
    r"(?:https?://)?(?:www\.)?((?:github\.com|gitlab\.com|huggingface\.co)/"
    r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9_][\w./-]*)",
    re.ASCII,
)
_HOSTS = ("github.com/", "gitlab.com/", "huggingface.co/")
# Pages of the host that hold no code.
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


# --- Dates as bibliographies write them, as ISO dates cut where knowledge ends -------------------

# How months begin in English, German, French, Italian, Spanish, Portuguese and Dutch, no accents.
_MONTHS = (
    "jan ene gen", "feb fev", "mar maa", "apr abr avr", "may mai mei mag", "jun juin giu",
    "jul juil lug", "aug ago aou", "sep set", "oct okt ott out", "nov", "dec dez dic",
)  # fmt: skip
_MONTH_OF = {start: n for n, starts in enumerate(_MONTHS, start=1) for start in starts.split()}
_WORD = r"(?P<word>[A-Za-z\u00c0-\u024f\u0300-\u036f]{3,10})\.?"
_YEAR = r"(?P<year>\d{4})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_FORMS = tuple(
    re.compile(form, re.ASCII)
    for form in (
        rf"{_YEAR}(?:[-/.](?P<month>\d{{1,2}})(?:[-/.]{_DAY})?)?(?:[T ]\d.*|[/ ]*)?",
        rf"{_YEAR}(?P<month>\d\d){_DAY}",
        rf"{_YEAR}\s*[-/, ]?\s*{_WORD}(?:[-/ ]\s*{_DAY})?(?:[^\w].*)?",
        rf"{_WORD}\s+{_DAY},?\s+{_YEAR}(?:\b.*)?",
        rf"{_DAY}[-/. ]\s*(?:de\s)?{_WORD}[-/., ]\s*(?:de\s)?{_YEAR}(?:\b.*)?",
        rf"(?:[A-Za-z]{{3}},\s*){_DAY}\s+{_WORD}\s+{_YEAR}(?:\b.*)?",
        rf"(?:\d{{1,2}}\.?\s*[-–]\s*\d{{1,2}}\.?\s+)?{_WORD},?\s+{_YEAR}",
        rf"{_WORD}\s+\d{{1,2}}\s*[-–]\s*\d{{1,2}},?\s+{_YEAR}",
        rf"(?P<month>\d{{1,2}})/{_YEAR}",
        rf"{_YEAR}\s*年\s*(?:(?P<month>\d{{1,2}})\s*月\s*)?(?:(?P<day>\d{{1,2}})\s*日)?",
        # Points part days from months wherever they are in use; a number above 12 is no month.
        rf"{_DAY}\.\s?(?P<month>\d{{1,2}})\.\s?{_YEAR}(?:\s.*)?",
        rf"(?P<day>1[3-9]|2\d|3[01])[/-](?P<month>\d{{1,2}})[/-]{_YEAR}(?:\s.*)?",
        rf"(?P<month>\d{{1,2}})[/-](?P<day>1[3-9]|2\d|3[01])[/-]{_YEAR}(?:\s.*)?",
    )
)
_ANY_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?!\d)", re.ASCII)


# The papers of a file share few dates.
@lru_cache(2**12)
def read_date(text: str) -> str:
    """Return the ISO date that `text` states, as far as it is certain, or "".

    Of "03/04/2024", which is March or April, only the year is certain; so it is of seasons.

    >>> read_date("2024 Jan 5"), read_date("5 May 2024"), read_date("May 2024"), read_date("2024/7")
    ('2024-01-05', '2024-05-05', '2024-05', '2024-07')
    >>> read_date("5. März 2024"), read_date("3-7 June 2024"), read_date("2024年1月5日")
    ('2024-03-05', '2024-06', '2024-01-05')
    >>> read_date("03/04/2024"), read_date("13/04/2024"), read_date("4.3.2024")
    ('2024', '2024-04-13', '2024-03-04')
    >>> read_date("Spring 2024"), read_date("in press")
    ('2024', '')
    """
    text = " ".join(text.split())[:60]
    for form in _FORMS:
        match = form.fullmatch(text)
        if match and (found := _date(match.groupdict())):
            return found
    year = _ANY_YEAR.search(text)
    return year[1] if year else ""


@lru_cache(2**12)
def date_of_parts(year: object, month: object = "", day: object = "") -> str:
    """Return the ISO date of separate parts, each a number or a text; what is no date is cut off.

    >>> date_of_parts("2024", "feb", 30), date_of_parts(2024, "6"), date_of_parts("", "6")
    ('2024-02', '2024-06', '')
    """
    groups = {"year": str(year or "").strip(), "day": str(day or "").strip()}
    if not re.fullmatch(r"\d{4}", groups["year"], re.ASCII):
        return read_date(groups["year"])[:4]
    word = str(month or "").strip()
    return _date({**groups, "month" if word.isdecimal() else "word": word})


def _month(word: str) -> str:
    """Return the number of a month by how its name begins; "" of a season."""
    start = "".join(sign for sign in unicodedata.normalize("NFD", word.lower()) if sign.isalpha())
    found = _MONTH_OF.get(start[:4]) or _MONTH_OF.get(start[:3])
    return str(found) if found else ""


def _is_short(number: str) -> bool:
    """Say whether digits can be a day or month: a number may be longer than any calendar takes."""
    return number.isdecimal() and len(number) <= 2


def _date(groups: dict[str, str | None]) -> str:
    """Return the longest date that the parts make which a calendar has."""
    year, month, day = groups.get("year") or "", groups.get("month") or "", groups.get("day") or ""
    if word := groups.get("word"):
        month = _month(word)
    if not _is_short(month) or not 1 <= int(month) <= 12:
        return year
    month = f"{int(month):02}"
    if not _is_short(day):
        return f"{year}-{month}"
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return f"{year}-{month}"
