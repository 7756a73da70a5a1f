"""Which papers of an edition are exported: by category, or by a query of the browse page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from classifier.errors import UsageError
from classifier.site.exports.cite_keys import cite_keys
from classifier.survey.entry import Entry
from classifier.survey.facts.query import Term, terms_of
from classifier.survey.facts.terms import entry_terms
from classifier.survey.survey import Survey

_SHOWN = 12
"""Values that a message names."""
_NO_MATTER = frozenset({"sort", "page"})
"""What the address of the browse page says of how papers are shown."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Papers of an edition, in the order of its reference list."""

    edition: Survey
    entries: tuple[Entry, ...]
    keys: Mapping[str, str]
    """Paper id -> cite key, of every paper of the edition: no selection changes a key."""


def select(
    edition: Survey, *, category: str = "", filed: bool = False, query: str = ""
) -> Selection:
    """Return the papers to which `category` applies and for which all terms of `query` hold.

    category: id, alias or name of a category of the first facet, "" for all papers; filed: only
    those filed under it; query: the address of the browse page, or what stands behind its `?`.
    Raises UsageError for a category, key or value that the survey does not know.
    """
    if filed and not category:
        raise UsageError("--filed says how --category is meant; name a category, too.")
    terms = {*_category_terms(edition, category, filed), *_query_terms(query)}
    having = [(entry, set(entry_terms(edition.taxonomy, entry))) for entry in edition.entries]
    known = set().union(*(held for _, held in having))
    for term in sorted(terms):
        _check_term(edition, term, known)
    chosen = tuple(entry for entry, held in having if terms <= held)
    return Selection(edition, chosen, cite_keys([entry.paper for entry in edition.entries]))


def _category_terms(edition: Survey, category: str, filed: bool) -> list[Term]:
    if not category:
        return []
    facet = edition.taxonomy.first
    found = facet.resolve(category)
    if found is None:
        ids = ", ".join(facet.ids)
        raise UsageError(
            f"--category '{category}': no category of {facet.id}; wanted one of {ids}."
        )
    if filed and "/" in found.id:
        raise UsageError(f"--filed: nothing is filed under a part; '{found.id}' is one.")
    return [("filed" if filed else facet.id, found.id)]


def _query_terms(query: str) -> list[Term]:
    text = query.rpartition("?")[2].partition("#")[0].strip()
    if not text:
        return []
    try:
        terms = terms_of(text)
    except ValueError:
        raise UsageError(
            f"--query '{query}': found no query; wanted what stands behind the ? in the address of "
            "browse.html, such as code=yes&filed=benchmarks (in quotes, or the shell takes the &)."
        ) from None
    if any(key == "q" for key, _ in terms):
        raise UsageError(
            "--query: words (q=…) are searched by the browse page alone; leave q out, or download "
            "the papers that it lists."
        )
    return [(key, value) for key, value in terms if key not in _NO_MATTER]


def _check_term(edition: Survey, term: Term, known: set[Term]) -> None:
    """Raise UsageError where no paper could have a term; that none has it is no fault."""
    key, value = term
    taxonomy = edition.taxonomy
    facet = taxonomy.first if key == "filed" else taxonomy.facets.get(key)
    if term in known or (facet is not None and value in facet.ids):
        return
    keys = sorted({each for each, _ in known})
    if key not in keys:
        raise UsageError(f"--query: found key '{key}'; wanted one of {', '.join(keys)}.")
    values = sorted(each for of, each in known if of == key)
    more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    raise UsageError(
        f"--query: no paper has {key}={value}; papers have {', '.join(values[:_SHOWN])}{more}."
    )
