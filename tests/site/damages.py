"""Ways to damage the golden survey, each of which a verifier must find."""

from __future__ import annotations

from collections.abc import Mapping

DAMAGES: dict[str, tuple[str, str, str]] = {
    # What is damaged -> file, text of it, text instead.
    "a digit of a digest": ("papers.json", "took up 1.5% more water", "took up 1.6% more water"),
    "a digit of an abstract": ("papers.json", "a gain of 3% for", "a gain of 4% for"),
    "a word of an abstract": ("papers.json", "for the early schedules", "for the late schedules"),
    "a sign in a digest": ("papers.json", "took up 1.5% more", "took up −1.5% more"),
    "the value of a result": ("papers.json", '"value": "92"', '"value": "29"'),
    "the direction of a result": ("papers.json", '"direction": "up"', '"direction": "down"'),
    "the unit of a result": ("papers.json", '"unit": "points"', '"unit": "litres"'),
    "the sign of a result": ("papers.json", '"short": "+1.5 %"', '"short": "−1.5 %"'),
    "the clause of a result": ("papers.json", '"quote": "The error is 6%', '"quote": "The error is 5%'),
    "the place of a result": ("papers.json", '"number": [160, 162]', '"number": [100, 102]'),
    "the day of a paper": ("papers.json", '"published": "2025-05-05"', '"published": "2025-05-06"'),
    "the year of a paper": ("papers.json", '"published": "2022"', '"published": "2021"'),
    "the category of a paper": ("papers.json", '"primary": "flour"', '"primary": "ovens"'),
    "the status of a label": (
        "papers.json",
        '"primary": "sourdough", "confidence": 1.0, "status": "reviewed"',
        '"primary": "sourdough", "confidence": 1.0, "status": "confident"',
    ),
    "a key paper": ("papers.json", '"key": true', '"key": false'),
    "code": ("papers.json", '"code": ["linked", "yes"]', '"code": ["no"]'),
    "the kind of a text": ("papers.json", '"abstract_kind": "digest"', '"abstract_kind": "abstract"'),
    "a count": ("facts.json", '"papers.total": {"value": 15', '"papers.total": {"value": 16'),
    "a count of a query": ("facts.json", '"filed=flour": {"value": 4', '"filed=flour": {"value": 5'),
    "a query": ("facts.json", '"query": "filed=flour"', '"query": "filed=ovens"'),
    "a form of a query": ("facts.json", '"query": "having(dated)"', '"query": "guess(dated)"'),
    "a date": ("facts.json", '"value": "2025-05-05"', '"value": "2025-05-07"'),
    "a count of rows": ("facts.json", '"papers.left_out": {"value": 1', '"papers.left_out": {"value": 2'),
    "a digit of a sentence": ("sentences.jsonl", "sorts 14 of 15", "sorts 13 of 15"),
    "a number in words": ("sentences.jsonl", "labels of five papers", "labels of six papers"),
    "a year of a sentence": ("sentences.jsonl", "dated from 2022 to May", "dated from 2021 to May"),
    "a quotation": ("sentences.jsonl", "shows a gain of 3%", "shows a loss of 3%"),
    "a quotation mark": ("sentences.jsonl", "“A Rapeseed test", "A Rapeseed test"),
    "a paraphrase": ("sentences.jsonl", "the ash content by 0.2", "the ash content by 2.0"),
    "a span": ("sentences.jsonl", '"span": [126, 212]', '"span": [125, 212]'),
    "the kind of a sentence": ("sentences.jsonl", '"kind": "Q"', '"kind": "P"'),
    "the paper of a sentence": ("sentences.jsonl", '"paper: p-e1267a85a1"', '"paper: p-ee363f6ee9"'),
    "the fact of a sentence": ("sentences.jsonl", "facts: papers.total,", "facts: papers.eaten,"),
    "a sentence that was dropped": ("survey.md", "one record that could not be read", "one record"),
    "prose that was added": ("survey.md", "\n\nNot about bread.", "\n\nBread is good.\n\nNot about bread."),
    "a count on a page": ("index.html", '?status=reviewed">5<', '?status=reviewed">6<'),
    "a sentence on a page": ("c/ovens.html", "a gain of", "a loss of"),
    "a result on a page": ("c/flour.html", "+1.5 %</a>", "−1.5 %</a>"),
    "a digest on a page": ("p/p-ee363f6ee9.html", "</mark> more water", "</mark> more salt"),
    "a link": ("survey.html", 'href="p/p-ee363f6ee9.html"', 'href="p/p-ee363f6ee8.html"'),
}  # fmt: skip

PROGRAM_DAMAGES: dict[str, tuple[str, str, str]] = {
    # Damages that verify.py finds, and the buttons in the browser do not look for.
    "a link in Markdown": ("survey.md", "(p/p-e1267a85a1.html#found)", "(p/p-e1267a85a2.html#found)"),
    "a reference in Markdown": ("survey.md", "](#ref-11)", "](#ref-99)"),
    "a number of a paper in Markdown": ("survey.md", "[3%](p/p-e1267", "[4%](p/p-e1267"),
    "a caption": ("survey.md", "** The year 2024 has 6 of", "** The year 2024 has 7 of"),
    "a number of records in a caption": ("survey.md", "=\u00a017.", "=\u00a071."),
    "a quotation in a cell": ("survey.md", "“We test whether freezing sets", "“We know that freezing sets"),
    "a title in the references": ("survey.md", "[Proofing by Sound]", "[Proofing by Light]"),
    "a sentence of a chapter": ("c/other.md", "Not about bread", "All about bread"),
    "a link of a chapter": ("c/ovens.md", "(../p/p-e1267a85a1.html", "(../p/p-e1267a85a2.html"),
    "a value in results.json": ("results.json", '"value": "92"', '"value": "93"'),
    "a quotation in results.csv": ("results.csv", "raised dough by 92%", "raised dough by 93%"),
    "a date of a reference": ("references.json", "[[2023, 4, 5]]", "[[2023, 4, 6]]"),
    "a cite key": ("references.bib", "{p-ee363f6ee9,", "{p-ee363f6ee8,"),
    "the date of a feed entry": ("feed.atom", "<updated>2025-01-20T", "<updated>2025-02-20T"),
    "a title in a feed": ("feed.atom", "<title>Does Resting Flour", "<title>Does Rested Flour"),
    "a link of a feed": ("c/flour.atom", "/p/p-ee363f6ee9.html", "/q/p-ee363f6ee9.html"),
    "a date in JSON-LD": ("p/p-ee363f6ee9.html", '"datePublished": "2025-01-20"', '"datePublished": "2025-01-21"'),
    "a link of llms.txt": ("llms.txt", "sentences.jsonl)", "sentences.json)"),
}  # fmt: skip


def damaged(site: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """Return the files of a site with one damage."""
    file, old, new = (DAMAGES | PROGRAM_DAMAGES)[name]
    text = site[file].decode("utf-8")
    assert old in text, f"{file} has no {old!r}"
    return {**site, file: text.replace(old, new, 1).encode("utf-8")}


def with_evidence(site: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with evidence.js made again, so that it gives no damage away."""
    from classifier.site.exports.evidence import evidence_script

    others = {path: content for path, content in site.items() if path != "evidence.js"}
    return {**others, "evidence.js": evidence_script(others, ("evidence.js",))}
