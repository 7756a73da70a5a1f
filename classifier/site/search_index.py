"""search-index.js: the data with which the browser finds papers and lists them.

It is a classic script that sets the variable `fieldguideIndex`, because a page opened from the disk
can load only scripts. One column per property, with the newest papers first:

| property | value |
|---|---|
| keys | keys of queries, as `BrowseKey`; `values` are `[id, label, phrase]` |
| pages | slug of the paper: its page is `p/SLUG.html` |
| titles | display title |
| authors | names joined by `; `, the last `et al.` if there are more; "" for none |
| organisations | organisation of the paper, or "" |
| code | addresses of its code, then of data and others, without https://, or "" |
| dates | ISO 8601, cut to the known part, or "" |
| texts | start of the sentence on its contribution; after a line break the whole text, in a
survey of at most a thousand papers |
| terms | ascending indexes of the paper's terms in the joined `values` of all keys |
| said | `[term index, start, end]` per sentence that states an open problem
or a release; the offsets refer to the whole text |
| abbreviations | `[short, long]`, from the texts of the whole survey |
| places | search results that are not papers, each a `Place` |
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from classifier.papers.names import plain_name
from classifier.papers.paper import Paper
from classifier.site.listing import newest_first
from classifier.site.paths import host_and_path, web_address
from classifier.survey.entry import SurveyPaper
from classifier.survey.keys import FILED, KEYS, UNDATED, Key, Value
from classifier.survey.survey import Survey
from classifier.survey.table import Term
from classifier.survey.wording import count_in_digits, date_in_words, name_in_prose
from classifier.taxonomy.model import NOT_STATED, Facet, Roles, Taxonomy, TypedColumn, name_from_id
from classifier.text.mentions import abbreviations
from classifier.text.normalise import tokens
from classifier.text.roles import RoledSentence


@dataclass(frozen=True, slots=True)
class BrowseKey:
    """A key of the query, with its values."""

    id: str
    name: str
    values: tuple[Value, ...]
    """In the order in which they are listed."""
    many: bool = False
    """Whether a paper may have several values; one of the others replaces the chosen value."""
    kind: bool = False
    """Whether the value is printed with each paper, like its kind of contribution."""
    searched: bool = False
    """Whether the search finds papers by the labels of the values."""
    nested: bool = False
    """Whether the ids are those of categories, children below their parents."""
    long: bool = False
    """Whether only the first values are listed until a reader asks for more."""
    open: bool = False
    """Whether its values are listed from the start."""


def sorted_search_keys(survey: Survey) -> list[BrowseKey]:
    """Return the search keys in the order of the browse page: labels, names, then all others.

    Every category that is not retired is a value of its key, even if no paper has the category.
    """
    taxonomy = survey.taxonomy
    found = {term: len(rows) for term, rows in survey.facts.rows.items()}
    first, *others = taxonomy.facets.values()
    topics = _facet_key(first, found, first.id, "about {}")
    filed = _facet_key(first, found, FILED, "filed under {}")
    tops = tuple(value for value in filed if "/" not in value[0])
    keys = [
        BrowseKey(first.id, first.name, topics, many=True, searched=True, nested=True, open=True),
        BrowseKey(FILED, "Filed under", tops),
    ]
    for facet in others:
        values = _facet_key(facet, found, facet.id, f"{name_in_prose(facet.name)}: {{}}")
        single = facet.kind == "single"
        applicable = applicable_papers(facet, survey)
        name = f"{facet.name} (of {applicable})" if applicable else facet.name
        keys.append(
            BrowseKey(
                facet.id, name, values, many=not single, kind=single, searched=True,
                nested=True, open=single,
            )
        )  # fmt: skip
    keys += [
        _lexicon_key(name, found, taxonomy.roles)
        for name in taxonomy.lexicons
        if name not in taxonomy.facets
    ]
    keys += [_column_key(column, found) for column in taxonomy.columns.values()]
    keys += [_key_with_used_values(key, first, found) for key in KEYS]
    return [key for key in keys if key.values or key.id not in taxonomy.columns]


def _facet_key(
    facet: Facet, counts: Mapping[Term, int], key: str, phrase: str
) -> tuple[Value, ...]:
    """Return the values of a facet: the categories in use, and all others that papers have.

    phrase: text to print after "12 papers"; `{}` in it stands for the name.
    """
    names = {category.id: category.name for category in facet.walk()}
    for other in sorted(value for name, value in counts if name == key and value not in names):
        retired = facet.get(other)
        names[other] = retired.name if retired else other
        if other == NOT_STATED:
            names[other] = "none found"
    return tuple((value, name, phrase.replace("{}", name)) for value, name in names.items())


def _lexicon_key(lexicon: str, term_counts: Mapping[Term, int], roles: Roles) -> BrowseKey:
    """Return the key of a lexicon."""
    counts = {value: count for (key, value), count in term_counts.items() if key == lexicon}
    names = sorted(counts, key=lambda name: (-counts[name], name.casefold(), name))
    if lexicon == roles.unsolved:
        problems = tuple((n, n, f"said to be unsolved: {n}") for n in names if n != NOT_STATED)
        return BrowseKey(lexicon, "Said to be unsolved", problems, many=True, long=True)
    title = name_from_id(lexicon)
    values = tuple((name, name, f"naming {name}") for name in names if name != NOT_STATED)
    if NOT_STATED in names:
        values += ((NOT_STATED, "none named", f"without {title.lower()} named"),)
    return BrowseKey(lexicon, title, values, many=True, searched=True, long=True)


def _column_key(column: TypedColumn, term_counts: Mapping[Term, int]) -> BrowseKey:
    """Return the values of a typed column: numbers by unit and size, others by frequency."""
    counts = {value: count for (key, value), count in term_counts.items() if key == column.id}

    def sort_key(value: str) -> tuple[str, float, str]:
        """Return the sort key of a value."""
        number, _, unit = value.partition(" ")
        if column.kind == "number":
            return unit, float(number.replace(",", "")), value
        return "", -counts[value], value

    values = tuple(
        (value, value, f"with {value} as {name_in_prose(column.name)}")
        for value in sorted(counts, key=sort_key)
    )
    return BrowseKey(column.id, column.name, values, many=True, searched=True, long=True)


def _key_with_used_values(key: Key, first_facet: Facet, counts: Mapping[Term, int]) -> BrowseKey:
    """Return the key with the values that papers have."""
    name = key.name.replace("{facet}", first_facet.name)
    listed = key.values or _sorted_used_values(key, counts)
    topic = name_in_prose(first_facet.name)
    phrased = tuple((v, label, phrase.replace("{facet}", topic)) for v, label, phrase in listed)
    return BrowseKey(key.id, name, phrased, many=key.is_multiple, long=not key.values)


def _sorted_used_values(key: Key, counts: Mapping[Term, int]) -> list[Value]:
    """Return the values that papers have, the latest or largest first."""
    known = [value for name, value in counts if name == key.id and value != UNDATED]
    known.sort(key=lambda value: (len(value), value), reverse=True)
    values = [
        (value, _date_in_words(value), key.phrase.format(_date_in_words(value))) for value in known
    ]
    if (key.id, UNDATED) in counts:
        values.append((UNDATED, "undated", f"without a {key.id}"))
    return values


def _date_in_words(value: str) -> str:
    """Return a date in words; a quarter as "Q3 2025"."""
    year, _, quarter = value.partition("-Q")
    return f"Q{quarter} {year}" if quarter else date_in_words(value)


# The index of five thousand papers stays below 700 KB compressed; texts and authors weigh most.
_MAX_AUTHORS = 8
_LONGEST_TEXT = 200
_MAX_WHOLE_TEXTS = 1_000


Place = tuple[str, ...]
"""A search result that is not a paper: name, kind, address; further words that find it (cues with
commas; of a claim its topic and the words of its placements); words that ask for it, each alone
(hyphens join words that ask together, ^ marks a word that asks only at the start of a query); of a
claim words of its topic that it is about."""


def applicable_papers(facet: Facet, survey: Survey) -> str:
    """Return the number of papers to which a facet applies ("7 papers"); "" for all papers."""
    applicable = sum(facet.applies_to_topics(entry.first.categories) for entry in survey.entries)
    return count_in_digits(applicable, "paper") if applicable < len(survey.entries) else ""


def search_index(survey: Survey, places: Sequence[Place] = ()) -> str:
    """Return the script that sets the variable; the same survey gives the same text."""
    keys = sorted_search_keys(survey)
    terms = [(key.id, value) for key in keys for value, _, _ in key.values]
    numbers = {term: number for number, term in enumerate(terms)}
    ids = (entry.paper.id for entry in survey.facts.entries)
    terms_of = dict(zip(ids, survey.facts.terms_by_row(), strict=True))
    entries = newest_first(survey.entries)
    are_whole = len(entries) <= _MAX_WHOLE_TEXTS
    columns = {
        "keys": [  # without false values
            {name: value for name, value in asdict(key).items() if value is not False}
            for key in keys
        ],
        "pages": [entry.slug for entry in entries],
        "titles": [entry.paper.title_marked for entry in entries],
        "authors": [authors_for_index(entry.paper) for entry in entries],
        "organisations": [entry.paper.organisation for entry in entries],
        "code": [_code_addresses(entry) for entry in entries],
        "dates": [entry.paper.published.date for entry in entries],
        "texts": [
            shorten(entry.contribution) + f"\n{entry.paper.abstract_display}" * are_whole
            for entry in entries
        ],
        "terms": [sorted(numbers[term] for term in terms_of[entry.paper.id]) for entry in entries],
        "said": [
            [
                (numbers[term], each.span.start + each.heading, each.span.end)
                for term, each in _stated_terms(entry, survey.roles)
                if are_whole
            ]
            for entry in entries
        ],
        "abbreviations": sorted(
            abbreviations(
                (f"{e.paper.title_display}. {e.paper.abstract_display}" for e in entries),
                abbreviated_cues(survey.taxonomy),
            ).items(),
            key=lambda pair: (-len(pair[1]), pair),  # RLVR before the RL in it
        ),
        "places": list(places),
    }
    written = ",\n".join(
        f'"{name}":{json.dumps(column, ensure_ascii=False, separators=(",", ":"))}'
        for name, column in columns.items()
    )
    return f"var fieldguideIndex={{\n{written}\n}};\n"


def _code_addresses(entry: SurveyPaper) -> str:
    """Return the addresses of a paper's code."""
    ordered = sorted(entry.paper.code_urls, key=lambda url: url != entry.code_url)
    safe = map(web_address, ordered)
    return " ".join("".join(host_and_path(url)).rstrip("/") for url in safe if url)


def _stated_terms(entry: SurveyPaper, roles: Roles) -> Iterator[tuple[Term, RoledSentence]]:
    """Yield the terms of a paper that a sentence of its text states, each with the sentence."""
    for problem, sentence in entry.unsolved.items():
        yield (roles.unsolved, problem), sentence
    releases = [each for each in entry.sentences if each.role == "release"]
    announced = ("announced",) if entry.code not in ("", "linked") else ()
    for what in (*announced, *entry.released):
        yield from ((("code", what), each) for each in releases[:1])


def authors_for_index(paper: Paper) -> str:
    """Return the authors for the index, or "".

    >>> authors_for_index(Paper("T", authors=("Ada One", "Ben Two"), author_count=4))
    'Ada One; Ben Two; et al.'
    """
    names = [plain_name(name) for name in paper.authors[:_MAX_AUTHORS]]
    if paper.has_more_authors or len(paper.authors) > len(names):
        names.append("et al.")
    return "; ".join(names)


def shorten(text: str) -> str:
    """Return a text cut after a word, with an ellipsis if it was longer.

    >>> shorten("Presents a method."), shorten("word " * 50)[-11:]
    ('Presents a method.', 'word word …')
    """
    if len(text) <= _LONGEST_TEXT:
        return text
    return text[: _LONGEST_TEXT - 1].rpartition(" ")[0].rstrip(" ,;:") + " …"


def abbreviated_cues(taxonomy: Taxonomy) -> Iterator[tuple[str, str]]:
    """Yield ("VLA", "vision language action") if a category has both of them as cues."""
    for category in (each for facet in taxonomy.facets.values() for each in facet.walk()):
        cues = {" ".join(tokens(cue)) for _, some in category.cues.views() for cue in some}
        for cue in cues:
            short = "".join(word[0] for word in cue.split())
            if len(short) > 1 and short in cues:
                yield short.upper(), cue
