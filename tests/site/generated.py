"""A large survey of papers that nobody wrote, to weigh pages and to time them."""

from __future__ import annotations

from hashlib import blake2b, shake_128
from struct import unpack

from classifier.labelling.labels import FacetLabels, PaperLabels, Reason
from classifier.papers.paper import Paper, Published, Source
from classifier.survey.document import Document, Paragraph, Reference, Section, Sentence, Table
from classifier.survey.entry import SurveyPaper
from classifier.survey.related import related_papers
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Taxonomy
from classifier.text.roles import roled_sentences

SYLLABLES = ("ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "za", "plan", "tool", "graph")
TOPICS = 12
_COMPARED = 200


def drawn(*parts: object) -> int:
    """Return a number that depends on nothing but `parts`."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=6).digest(), "big")


def word(number: int) -> str:
    """Return one of some ten thousand words, the small numbers the short ones."""
    letters = SYLLABLES[number % 13]
    while number := number // 13:
        letters += SYLLABLES[number % 13]
    return letters


WORDS = tuple(word(number) for number in range(13, 9000))


def words(seed: object, number: int) -> str:
    """Return words as texts hold them: few of them often, most of them seldom."""
    drawn_bytes = shake_128(repr(seed).encode()).digest(4 * number)
    pairs = zip(*(unpack(f">{2 * number}H", drawn_bytes)[side::2] for side in (0, 1)), strict=True)
    return " ".join(WORDS[min(pair) % len(WORDS)] for pair in pairs)


def make_paper(number: int) -> Paper:
    """Return a paper with a text of six sentences and eight authors."""
    seed = drawn("paper", number)
    year, month = 2020 + seed % 6, 1 + seed // 7 % 12
    sentences = [words((number, part), 18) for part in range(4)]
    return Paper(
        title=f"{word(seed % 9000 + 13).title()}: {words((number, 'title'), 8)}",
        id=f"p-{number:010x}",
        abstract=f"{sentences[0]}. We introduce {sentences[1]}. It reaches 53.6% on {sentences[2]}."
        f" Code is available at https://github.com/a/b. {sentences[3]} remains open.",
        abstract_kind="abstract",
        authors=tuple(words((number, "author", i), 2).title() for i in range(8)),
        published=Published(f"{year}-{month:02}") if seed % 10 else Published(),
        url=f"https://example.org/{number}",
        code_urls=("https://github.com/a/b",),
        sources=(Source("papers/made.jsonl", "jsonl", number + 1),),
    )


def make_entry(paper: Paper, number: int) -> SurveyPaper:
    """Return the paper with one to three topics."""
    seed = drawn("labels", number)
    topics = tuple(dict.fromkeys(f"topic-{seed // 5**k % TOPICS}" for k in range(1 + seed % 3)))
    reasons = tuple(Reason(topic, words((number, topic, i), 2), "term", 1.2 - i / 5)
                    for topic in topics for i in range(6))  # fmt: skip
    likely = {topic: 0.9 - index / 5 for index, topic in enumerate(topics)}
    labels = FacetLabels(topics, topics[0], 0.83, "confident", likely, reasons)
    sentences = tuple(roled_sentences(paper.abstract_display))
    names = {"benchmarks": tuple({f"Bench-{seed % 97}", f"Bench-{seed // 97 % 401}"})}
    facets = PaperLabels(paper.id, {"topic": labels})
    return SurveyPaper(paper, facets, number, labels, sentences, names)


def make_large_survey(papers: int) -> Survey:
    """Return a survey of so many papers."""
    categories = [
        {"id": f"topic-{i}", "core": i < 5, "name": f"Topic {i}", "definition": f"Work on {i}."}
        for i in range(TOPICS)
    ]
    taxonomy = Taxonomy.model_validate(
        {
            "survey": {"title": "A large survey", "repository": "https://github.com/a/survey"},
            "facets": {"topic": {"kind": "multi", "at_most": 3, "categories": categories}},
            "lexicons": {"benchmarks": {}},
        }
    )
    entries = tuple(make_entry(make_paper(n), n + 1) for n in range(papers))
    references = tuple(Reference(e.number, e.paper.id, e.paper.title) for e in entries)
    sections = tuple(_section(f"topic-{i}", entries) for i in range(TOPICS))
    document = Document("A large survey", "", ("Ada",), "0123", "2025-12", sections, references)
    return Survey(
        taxonomy=taxonomy,
        entries=entries,
        document=document,
        related=related_papers(entries),
    )


def _section(category_id: str, entries: tuple[SurveyPaper, ...]) -> Section:
    filed = [entry for entry in entries if entry.first.primary == category_id]
    cited = ", ".join(f"[{entry.number}](#ref-{entry.number})" for entry in filed[:20])
    text = f"Of {len(filed)} papers some bend wire \\[{cited}\\]."
    rows = tuple(
        (f"[{entry.number}](#ref-{entry.number})", f"[{entry.paper.title}](p/{entry.slug}.html)")
        for entry in filed[:_COMPARED]
    )
    source = f"facts: filed={category_id}"
    sentence = Sentence(f"{category_id}-scale", text, "T", source)
    table = Table(f"papers-{category_id}", "Which papers?", ("Ref.", "Paper"), rows)
    return Section(category_id, f"Topic {category_id}", 1, (Paragraph((sentence,)), table))
