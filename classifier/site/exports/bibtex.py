"""BibTeX, one entry a paper; UTF-8 text, with LaTeX's own signs escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from classifier.papers.names import Name
from classifier.papers.paper import Paper
from classifier.site.exports.citation import Citation, citation, kind_of, other_keys, own_abstract

# Braces count for BibTeX even behind a backslash, so that `\{` alone would unbalance an entry; and
# the text font of plain LaTeX has other signs in place of < > |. Both stand as mathematics.
_MATHEMATICS = {"{": r"\lbrace", "}": r"\rbrace", "<": "<", ">": ">", "|": "|"}
_ESCAPES = {
    "\\": r"\textbackslash{}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip
# The last: signs that LaTeX draws as one with the next (-- as a dash, '' as a quotation mark).
_SPECIAL = re.compile(r"[{}<>|]+|[\\$&#%_^~]|-(?=-)|'(?=')|`(?=`)|,(?=,)|[!?](?=`)")
# CSL variable -> BibTeX field; who published, and where, depends on the kind.
_DETAILS = (
    ("volume", "volume"), ("issue", "number"), ("edition", "edition"),
    ("chapter-number", "chapter"), ("collection-title", "series"), ("publisher-place", "address"),
    ("ISBN", "isbn"), ("ISSN", "issn"), ("PMID", "pmid"), ("PMCID", "pmcid"),
    ("language", "language"),
)  # fmt: skip
_DIVIDES = re.compile(r"^\\|[,\[\]()]|\band\b", re.IGNORECASE)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def bibtex_entry(
    paper: Paper,
    key: str,
    aliases: Sequence[str] = (),
    tags: Sequence[str] = (),
    *,
    abstract: bool = False,
    label: str = "",
) -> str:
    """Return the entry of one paper. A field that no source states is left out.

    aliases: its other ids, whose keys BibLaTeX then knows, too (`ids`); tags: keywords beside its
    own; abstract: whether its abstract stands there, too; label: what a paper without authors is
    cited as. The kind is `misc` where no source says what was published.
    """
    cited = citation(paper)
    fields = _fields(cited, [*cited.keywords, *tags], other_keys(paper.id, key, aliases))
    fields += [("abstract", braced(escape_latex(own_abstract(paper))))] if abstract else []
    fields += [("key", _label(label))] if label and not cited.authors else []
    return entry_text(key, fields, kind_of(cited.type).bibtex)


def entry_text(key: str, fields: Iterable[tuple[str, str]], kind: str = "misc") -> str:
    """Return an entry of fields as they are written in it; empty ones are left out."""
    lines = "".join(f"  {name} = {value},\n" for name, value in fields if value)
    return f"@{kind}{{{key},\n{lines}}}\n"


def escape_latex(text: str) -> str:
    r"""Return text in which the signs that LaTeX reads as commands are escaped.

    >>> escape_latex("50% of R&D_x <{}>")
    '50\\% of R\\&D\\_x $<\\lbrace\\rbrace>$'
    """
    return _SPECIAL.sub(_escaped, text)


def author_field(names: Sequence[Name], *, has_more: bool = False) -> str:
    """Return names as BibTeX reads them: `Family, Given`, a group in braces."""
    authors = [_author(name) for name in names]
    return " and ".join([*authors, "others"] if authors and has_more else authors)


def braced(text: str) -> str:
    """Return text in braces; nothing stays nothing."""
    return f"{{{text}}}" if text else ""


def _escaped(match: re.Match[str]) -> str:
    found = match.group()
    if found[0] in _MATHEMATICS:
        return f"${''.join(map(_MATHEMATICS.__getitem__, found))}$"
    return _ESCAPES.get(found) or found + "{}"


def _fields(
    cited: Citation, keywords: Sequence[str], further_keys: Sequence[str]
) -> list[tuple[str, str]]:
    kind, details = kind_of(cited.type), cited.details
    year, month, day = (*cited.date.split("-"), "", "")[:3]
    return [
        ("title", braced(braced(escape_latex(cited.title)))),
        ("author", braced(author_field(cited.authors, has_more=cited.has_more_authors))),
        ("editor", braced(author_field(cited.editors))),
        (kind.organisation, braced(escape_latex(cited.organisation))),
        ("year", braced(year)),
        ("month", _MONTHS[int(month) - 1] if month else ""),
        ("day", braced(day.removeprefix("0"))),
        (kind.venue, braced(escape_latex(cited.venue))),
        (kind.issuer, braced(escape_latex(details.get("publisher", "")))),
        *(
            (field, braced(escape_latex(details[name])))
            for name, field in _DETAILS
            if name in details
        ),
        ("pages", braced(_pages(details["page"])) if "page" in details else ""),
        ("eprint", braced(cited.arxiv_id)),
        ("archiveprefix", "{arXiv}" if cited.arxiv_id else ""),
        ("doi", braced(_verbatim(cited.doi))),
        ("url", braced(_verbatim(cited.url))),
        ("keywords", braced(escape_latex(", ".join(keywords)))),
        ("groups", braced(escape_latex(", ".join(cited.collections)))),
        ("note", braced(cited.note)),
        ("ids", braced(", ".join(further_keys))),
    ]


def _label(name: str) -> str:
    """Return what a paper is cited as for the styles of natbib, whole.

    They take three letters of what stands there, and fail where more than 26 papers of a year have
    the same; all of a "special character", a command in braces, counts as one letter.
    """
    return rf"{{{{\relax {escape_latex(name)}}}}}"


def _pages(text: str) -> str:
    """Return pages with the dash of BibTeX between the first and the last.

    >>> _pages("12-34"), _pages("e7"), _pages("1–3, 9")
    ('12--34', 'e7', '1--3, 9')
    """
    return "--".join(map(escape_latex, re.split(r"\s*[-\u2013\u2014]+\s*", text)))


def _author(name: Name) -> str:
    if not name.given:
        return braced(escape_latex(name.family))
    return f"{_name_part(name.family)}, {_name_part(name.given)}"


def _name_part(part: str) -> str:
    """Set a part in braces where BibTeX, or a reader of it, would divide it once more.

    So would natbib at a bracket: names stand in the brackets of its labels.
    """
    escaped = escape_latex(part)
    return braced(escaped) if _DIVIDES.search(escaped) else escaped


def _verbatim(address: str) -> str:
    """Return an address without braces or backslashes, which would unbalance the entry.

    Nothing else is escaped: LaTeX packages and reference managers take addresses as they are.
    """
    return address.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C")
