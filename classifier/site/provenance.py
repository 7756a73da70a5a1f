"""Where the sentences of a section come from, in words and with links to check it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from classifier.site import paths
from classifier.survey.document import Kind, Sentence
from classifier.survey.facts import terms_of
from classifier.survey.survey import Survey
from classifier.survey.wording import in_prose

KINDS: Mapping[Kind, str] = {
    "Q": "quoted from an abstract",
    "P": "paraphrased: a sentence of a digest",
    "C": "computed",
    "T": "drawn together from papers that share a fact",
    "H": "written by the editors",
    "D": "a definition of the taxonomy",
}
_KEYS: Mapping[str, str] = {"filed": "filed under"}


@dataclass(frozen=True, slots=True)
class SourceLink:
    """What a sentence can be checked against."""

    text: str
    page: str
    """Path from the top of the site, or ""."""
    value: str
    """The value of a fact, or ""."""


@dataclass(frozen=True, slots=True)
class SourcedSentence:
    """A sentence with its kind and sources in words."""

    id: str
    kind: str
    sources: tuple[SourceLink, ...]


class SourceWriter:
    """Writes the sources of sentences of one edition."""

    def __init__(
        self, edition: Survey, paper_pages: Mapping[str, str], category_pages: frozenset[str]
    ) -> None:
        """Take the edition; paper id -> its page; ids of the categories that have a page."""
        self._facts = edition.fact_values
        self._facets = edition.taxonomy.facets
        self._first = edition.taxonomy.first.id
        self._papers = {
            known: (entry.paper.title_display, paper_pages[entry.paper.id])
            for entry in edition.entries
            for known in (*entry.aliases, entry.paper.id)
        }
        self._paged = category_pages
        self._writers: Mapping[str, Callable[[str], SourceLink]] = {
            "facts": self._fact,
            "metrics": lambda key: SourceLink(f"measured: {key}", "method.html", ""),
            "paper": lambda paper_id: self._paper(paper_id, ""),
            "taxonomy": self._category,
            "reviews.csv": lambda paper_id: self._paper(paper_id, "reviews.csv: "),
            "fieldguide": lambda _: SourceLink("Fieldguide’s own words", "method.html", ""),
        }

    def sourced(self, sentence: Sentence) -> SourcedSentence:
        """Return a sentence's kind and sources in words."""
        scheme, _, rest = sentence.source.partition(": ")
        writer = self._writers.get(scheme)
        named = rest.split(", ") if writer else [sentence.source]
        links = map(writer, named) if writer else (SourceLink(text, "", "") for text in named)
        kind = KINDS[sentence.kind]
        if sentence.source.startswith("fieldguide: "):
            kind = "fixed words"
        return SourcedSentence(sentence.id, kind, tuple(links))

    def _fact(self, fact_id: str) -> SourceLink:
        value = str(self._facts.get(fact_id, ""))
        if fact_id != "all" and "=" not in fact_id:
            return SourceLink(fact_id, "facts.json", value)
        words = " · ".join(self._term(key, wanted) for key, wanted in terms_of(fact_id))
        return SourceLink(words or "all papers", paths.browse(fact_id), value)

    def _term(self, key: str, value: str) -> str:
        facet = self._facets.get(self._first if key == "filed" else key)
        category = facet.get(value) if facet else None
        name = _KEYS.get(key) or (in_prose(facet.name) if facet else key)
        return f"{name} {category.name if category else value}"

    def _paper(self, paper_id: str, lead: str) -> SourceLink:
        title, page = self._papers.get(paper_id, (paper_id, ""))
        return SourceLink(f"{lead}{title}", page, "")

    def _category(self, path: str) -> SourceLink:
        facet, _, rest = path.partition("/")
        category_id, _, _ = rest.rpartition("/")
        if facet == self._first and category_id in self._paged:
            return SourceLink(f"taxonomy.yaml: {path}", paths.category_page(category_id), "")
        return SourceLink(f"taxonomy.yaml: {path}", "taxonomy.json", "")
