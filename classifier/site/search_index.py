"""search-index.js: what the browser needs to find papers and to show them in a list.

A classic script that sets one variable, `fieldguideIndex`, since a page opened from the disk may
load scripts and no other file. One column a property, papers in the order of the newest first:

| property | value |
|---|---|
| keys | what can be asked, as `BrowseKey`; `values` are `[id, label, phrase]` |
| pages | the slug of each paper: its page is `p/SLUG.html` |
| titles | the display title |
| authors | names joined by `; `, the last `et al.` where more are known; else the organisation |
| organisations | who stands behind the paper, or "" |
| owners | who owns the addresses of its code, or "" |
| dates | ISO 8601, cut where knowledge ends, or "" |
| texts | the beginning of the sentence that says what the paper does; behind a line break the whole
text, in a survey of up to a thousand papers |
| terms | the numbers of the terms that hold for it, rising: places among the values of all keys |
| places | pages that are of no paper: `[name, what it is, path]`, then words that it
is found by too (of a claim its topic and the words that point at sentences), and words of which
one alone asks for it |
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from classifier.papers.names import plain_name
from classifier.papers.paper import Paper
from classifier.site.browse_keys import BrowseKey, browse_keys
from classifier.site.listing import newest_first
from classifier.site.paths import host_and_path
from classifier.survey.entry import Entry
from classifier.survey.facts import entry_terms
from classifier.survey.survey import Survey

# Five thousand papers are to stay below 700 KB when compressed: texts and authors weigh the most.
_MOST_AUTHORS = 8
_LONGEST_TEXT = 200
_MOST_WHOLE_TEXTS = 1_000


Place = tuple[str, ...]
"""What a page that is of no paper is called, what it is of, its path; more words to find it by;
words of which one alone asks for it."""


def search_index(edition: Survey, places: Sequence[Place] = ()) -> str:
    """Return the script that sets the variable. The same edition gives the same text."""
    keys = browse_keys(edition)
    terms = [(key.id, value) for key in keys for value, _, _ in key.values]
    numbers = {term: number for number, term in enumerate(terms)}
    entries = newest_first(edition.entries)
    columns = {
        "keys": [_key(key) for key in keys],
        "pages": [entry.slug for entry in entries],
        "titles": [entry.paper.title_display for entry in entries],
        "authors": [indexed_authors(entry.paper) for entry in entries],
        "organisations": [entry.paper.organisation for entry in entries],
        "owners": [_owners(entry.paper) for entry in entries],
        "dates": [entry.paper.published.date for entry in entries],
        "texts": [_text(entry, len(entries) <= _MOST_WHOLE_TEXTS) for entry in entries],
        "terms": [
            sorted({numbers[term] for term in entry_terms(edition.taxonomy, entry)})
            for entry in entries
        ],
        "places": list(places),
    }
    written = ",\n".join(
        f'"{name}":{json.dumps(column, ensure_ascii=False, separators=(",", ":"))}'
        for name, column in columns.items()
    )
    return f"var fieldguideIndex={{\n{written}\n}};\n"


def _key(key: BrowseKey) -> dict[str, object]:
    """Return a key without what is false of it."""
    return {name: value for name, value in asdict(key).items() if value is not False}


def _owners(paper: Paper) -> str:
    paths = (host_and_path(url)[1] for url in paper.code_urls)
    return " ".join(dict.fromkeys(path.strip("/").split("/")[0] for path in paths))


def _text(entry: Entry, is_whole: bool) -> str:
    shown = shortened(entry.contribution)
    return f"{shown}\n{entry.paper.abstract_display}" if is_whole else shown


def indexed_authors(paper: Paper) -> str:
    """Return the authors that can be searched for, the organisation where none is known, or "".

    >>> indexed_authors(Paper("T", authors=("Ada One", "Ben Two"), author_count=4))
    'Ada One; Ben Two; et al.'
    """
    if not paper.authors:
        return paper.organisation
    shown = [plain_name(name) for name in paper.authors[:_MOST_AUTHORS]]
    more = paper.has_more_authors or len(paper.authors) > len(shown)
    return "; ".join((*shown, "et al.") if more else shown)


def shortened(text: str) -> str:
    """Return a text cut behind a word, with an ellipsis where it goes on.

    >>> shortened("Presents a method."), shortened("word " * 50)[-11:]
    ('Presents a method.', 'word word …')
    """
    if len(text) <= _LONGEST_TEXT:
        return text
    return text[: _LONGEST_TEXT - 1].rpartition(" ")[0].rstrip(" ,;:") + " …"
