#!/usr/bin/env python3
"""Verify a survey from its published files alone, as docs/proof.md of Fieldguide describes.

Usage: python3 verify.py [FOLDER]. Needs the standard library only; exit status 1 on a failure.
"""

import csv
import io
import json
import posixpath
import re
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from html import unescape
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

Failure = tuple[str, int, str, str]  # file, offset in its text or -1, what was found, what expected
Parts = list[tuple[int, str, dict[str, str], str]]  # offset, tag or "", attributes, text
EVIDENCE = ("papers.json", "facts.json", "metrics.json", "taxonomy.json", "changes.json")
WORDS = "none one two three four five six seven eight nine".split()
WORD = rf"\b(?:{'|'.join(WORDS)})\b"
NUMBER = re.compile(
    rf"(?<![\w.,-])\d+(?:,\d{{3}})*(?:\.\d+)?(?![\w-]|[.,]\d)|{WORD}", re.IGNORECASE
)
COUNT = re.compile(rf"(?:all )?([\d,]+|{WORD})(?: papers?)?", re.IGNORECASE)
UNITS = {
    "×": r"\w\W?(?:[x×]|times|-?fold)|[x×]\W?\d|\bfactor"
    r"|\bspeed-?up|\bthroughput (?:gain|improvement)",
    "%": "%|per ?cent|pct",
    "points": r"(?:\b|\d)p(?:oints?|\.?p)\b|%",
}
STRUCTURE = re.compile(  # headings, tables, subtitle, byline, anchors, images, captions, references
    r"#{1,6} [^\n]+|(?:\|[^\n]*\n?)+|\*[^\n]+\*|(?:Edited by|version|newest paper) [^\n]*"
    r'|(?:<a id="[^"]+"></a>)?(?:(?:!\[|\*\*(?:Table|Figure)\b[^*\n]*\*\* |\*\*\d+\.\*\* )[^\n]*)?'
)
LINK = re.compile(r"!?\[(?:\\.|\[[^\]]*\]|[^\[\]\\])*\]\([^()\s]*\)")
VALUES = r"[^>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^>\"']*)*"
RAW = rf"<!--.*?-->|<(script|style)\b({VALUES})>.*?</\1\s*>"
TAG = re.compile(rf"{RAW}|<([a-z][^\s/>]*)(?=[\s/])({VALUES})>", re.DOTALL | re.IGNORECASE)
ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
SOURCED = re.compile(r'<(\w+)(\s[^>]*\bdata-(?:kind|quote)="[^>]*)>(.*?)</\1>', re.DOTALL)
LINKED = re.compile(r"<(a)(\s[^>]*)>([^<]*)</a>")
MARKUP = re.compile(  # tags, addresses of links, list markers and heading marks
    r"(?<!\\)</?(?!https?:)[A-Za-z][^>]*>|(?<=[^\\]\])\([^()\s]*\)|(?m:^\s*(?:(?:[-+#]+|\d+\.) )+)"
)
MARKDOWN = re.compile(r"(?<!\\)\[((?:\\.|\[[^\]]*\]|[^\[\]\\])*)\]\(([^()\s]*)\)")
CAPTION = re.compile(r"^(?:<a [^>]*></a>)?\*\*(Table|Figure) \d+\.\*\* (.*)", re.DOTALL)
ENTRY = re.compile(r"^(?:<a [^>]*></a>)?\*\*(\d+)\.\*\* (.*)", re.MULTILINE)
ELEMENT = {tag: re.compile(f"<{tag}>(.*?)</{tag}>") for tag in ("title", "id", "updated")}
COUNTED = re.compile(  # numbers of captions that count: n = 41, 17 of 41, four support it
    r"\b(n\s=\s\d+)|(?<![\w.-])([\d,]+ (?:(?!and\b)\w+ )?of [\d,]+)"
    rf"|\b((?:Of|All) (?:\d+|{WORD}) papers on it[^.]*)"
)
DECIMAL = re.compile(r"\d+(?:\.\d+)?")
CELL = re.compile(r"<td\b[^>]*>(.*?)</td>", re.DOTALL)
QUOTED = re.compile(r"“([^“”\s]+(?:\s[^“”\s]+){3,})”")  # shorter ones may be terms
DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
NONE: dict[str, Any] = {}
LINKS, SCHEMES = {"href", "src", "srcset"}, {"http", "https", "mailto"}
CHECKED = {"id", "data-quote", "data-ld", *LINKS}


def plain_text(markdown: str) -> str:
    """Remove escapes, entities and line breaks from Markdown."""
    return " ".join(unescape(re.sub(r"\\([\\`*_{}\[\]<>|#()!.+~-])", r"\1", markdown)).split())


def letters(text: str) -> str:
    """Remove blanks and Markdown characters, so that two forms of a text are equal."""
    return re.sub(r"[\s\\`*_\[\]|<>!]", "", text)


def letter_forms(text: str) -> set[str]:
    """Return the letters of a text as it is, and after its markup is removed."""
    return {letters(text), letters(unescape(MARKUP.sub("", text)))}


def number_digits(number: str) -> str:
    """Convert a number to digits without separators: "1,200" to "1200", "two" to "2"."""
    number = number.lower().replace(",", "")
    return str(WORDS.index(number)) if number in WORDS else number


@lru_cache(2**16)
def attributes_of(tag: str) -> dict[str, str]:
    """Return the attributes of a tag."""
    return {n.lower(): unescape(v[1:-1] if v[0] in "\"'" else v) for n, v in ATTRIBUTE.findall(tag)}


def read_page(content: bytes) -> Parts:
    """Return the tags of a page with an id or link, and its sourced texts, which have no tag."""
    page = content.decode()
    tags = ((t.start(), t[1] or t[3], t[2] or t[4]) for t in TAG.finditer(page))
    parts = [(at, tag.lower(), attributes_of(rest), "") for at, tag, rest in tags if rest]
    for form in (SOURCED, LINKED):
        parts += [(t.start(), "", attributes_of(t[2]), t[3]) for t in form.finditer(page)]
    parts += [(t.start(), "", {"data-ld": ""}, t[1]) for t in DATA.finditer(page)]
    return [part for part in parts if not CHECKED.isdisjoint(part[2])]


def read_markdown(content: bytes) -> Parts:
    """Return the links, pictures and ids of a Markdown file, and its links again as texts."""
    text = content.decode()
    parts = [(at, tag, attributes, "") for at, tag, attributes, _ in read_page(content) if tag]
    for link in MARKDOWN.finditer(text):
        parts.append((link.start(), "a", {"href": link[2]}, ""))
        parts.append((link.start(), "", {"href": link[2]}, plain_text(link[1])))
    return parts


READERS = {".html": read_page, ".atom": read_page, ".md": read_markdown, ".txt": read_markdown}


def read_part(files: Mapping[str, bytes], path: str) -> Parts:
    """Return the parts of a file that `is_page`."""
    return READERS[posixpath.splitext(path)[1]](files[path])


def is_page(path: str) -> bool:
    """Return whether a file has links and texts to check."""
    return posixpath.splitext(path)[1] in READERS and path != "robots.txt"


@lru_cache(2**16)
def resolve_link(folder: str, address: str) -> tuple[str | None, str, str]:
    """Split an address into scheme (None within the site), file ("" for the same page) and id."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return parts.scheme, "", ""
    path = posixpath.normpath(posixpath.join(folder, unquote(parts.path))) if parts.path else ""
    return None, path, unquote(parts.fragment)


def site_address(files: Mapping[str, bytes]) -> str:
    """Return the address of the site on the web, or "" if the front page has none."""
    front = files.get("index.html", b"").decode()
    return "".join(re.findall(r'<link rel="canonical" href="([^"]*)"', front)[:1])


def count_links(pages: Mapping[str, Parts]) -> int:
    """Return the number of links in pages."""
    parts = (part for parts in pages.values() for part in parts if part[1] not in ("", "base"))
    return sum(len(LINKS & attributes.keys()) for _, _, attributes, _ in parts)


def dead_links(
    pages: Mapping[str, Parts], known: Collection[str], home: str = ""
) -> Iterator[Failure]:
    """Yield each link that leads neither to a known file, nor to an id in it, nor to the web.

    home: address of the site, whose pages are files of it.
    """
    ids = {path: {part[2].get("id") for part in parts} for path, parts in pages.items()}
    for path, parts in pages.items():
        own_folder = posixpath.dirname(path)
        for offset, tag, attributes, _ in parts:
            for name in LINKS & attributes.keys() if tag not in ("", "base") else ():
                address, folder = attributes[name], own_folder
                if home and address.startswith(home):
                    address, folder = address[len(home) :] or "index.html", ""
                scheme, target, fragment = resolve_link(folder, address)
                target, expected = target or path, ""
                if scheme is not None:
                    expected = "" if scheme in SCHEMES else "an http or https address"
                elif target not in known:
                    expected = "a file of the site"
                elif fragment and fragment not in ids.get(target, ()):
                    expected = f"an id of {target}"
                if expected:
                    yield path, offset, f"a link to '{attributes[name]}'", expected


def terms_of(paper: Any, first: str) -> dict[str, list[str]]:
    """Return by key the values with which queries select a paper; first: id of the first facet."""
    own, date = paper["labels"][first], paper["published"]
    return {
        "filed": [own["primary"]],
        "status": [own["status"]],
        "text": [paper["abstract_kind"]],
        "key": ["yes" if paper["key"] else "no"],
        "authors": ["yes" if paper["authors"] else "no"],
        "several": ["yes" if sum("/" not in each for each in own["categories"]) > 1 else "no"],
        "dated": [{0: "none", 4: "year", 7: "month"}.get(len(date), "day")],
        "year": [date[:4] or "undated"],
        "month": [date[:7] if date[5:] else "undated"],
        "quarter": [f"{date[:4]}-Q{(int(date[5:7]) + 2) // 3}" if date[5:] else "undated"],
        **{facet: each["categories"] or ["none"] for facet, each in paper["labels"].items()},
        **paper["terms"],
    }


def categories_of(categories: Any) -> Iterator[Any]:
    """Yield categories and their children."""
    for category in categories:
        yield category
        yield from categories_of(category.get("children", ()))


def fold_text(text: str) -> str:
    """Return the letters of a text in lower case, without hyphens."""
    return letters(text).lower().replace("-", "")


def title_of(record: Any, key: str = "title") -> str:
    """Return the letters of a title, without the mark of a retraction."""
    title = letters(unescape(record.get("title_display", record.get(key, ""))))
    return "".join(filter(str.isprintable, title)).removeprefix("RETRACTED:")


class Proof:
    """The published files of a survey (content by path), and checks of their statements."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files, self.checked = files, Counter[str]()
        self.papers, self.facts, self.metrics, taxonomy, changes = (
            json.loads(files[name]) for name in EVIDENCE
        )
        self.sentences = [json.loads(line) for line in files["sentences.jsonl"].splitlines()]
        self.texts = {sentence["id"]: sentence["text"] for sentence in self.sentences}
        self.by_id = {name: p for p in self.papers for name in (*p["aliases"], p["id"])}
        self.by_page = {paper["page"]: paper for paper in self.papers}
        self.added = {paper["id"] for paper in changes["added"]}
        first, facet = next(iter(taxonomy["facets"].items()))
        self.definitions = {
            letters(category.get(key, ""))
            for each in taxonomy["facets"].values()
            for category in categories_of(each["categories"])
            for key in ("name", "definition")
        }
        self.outside = {f"filed={c['id']}" for c in facet["categories"] if "out_of_scope" in c}
        self.rows: dict[tuple[str, str], set[int]] = {}
        for row, paper in enumerate(self.papers):
            for key, values in terms_of(paper, first).items():
                for value in values:
                    self.rows.setdefault((key, value), set()).add(row)

    def failures(self, pages: Mapping[str, Parts]) -> Iterator[Failure]:
        """Yield every statement that does not hold; pages: path -> its parts."""
        yield from self.statement_failures(pages)
        for check in (
            self.check_captions,
            self.check_chapters,
            self.check_quotes,
            self.check_results_files,
            self.check_references,
            self.check_feeds,
        ):
            yield from check()

    def statement_failures(self, pages: Mapping[str, Parts]) -> Iterator[Failure]:
        """Yield the failures that the buttons in the browser find, too."""
        for check in (
            self.check_facts,
            self.check_sentences,
            self.check_results,
            self.check_survey,
        ):
            yield from check()
        for path, parts in pages.items():
            for offset, tag, attributes, text in parts:
                if tag:
                    continue
                if "data-ld" in attributes:
                    wrong = self.wrong_data(path, text)
                else:
                    wrong = self.wrong_text(attributes, text)
                for actual, expected in wrong:
                    yield path, offset, actual, expected

    def table(self, file: str) -> list[list[str]]:
        """Return the rows of a CSV file, the header first."""
        return list(csv.reader(io.StringIO(self.files[file].decode(), newline="")))

    def evaluate(self, query: str) -> object:
        """Return the value of a query; None if its form is not in docs/proof.md."""
        form, argument = query[:-1].split("(", 1) if query.endswith(")") else ("count", query)
        if form in ("distinct", "having"):
            rows_of_keys = [
                [rows for (k, value), rows in self.rows.items() if k == key and value != "none"]
                for key in argument.split("&")
            ]
            if form == "distinct":
                return len(rows_of_keys[0])
            return len(set.intersection(*(set().union(*found) for found in rows_of_keys)))
        if form == "rows":
            return len(self.table(argument)) - 1
        if form == "sum":
            parts = argument.split(", ")
            return sum(self.facts[p]["value"] if p in self.facts else int(p) for p in parts)
        if form not in ("count", "new", "earliest", "latest") or not re.search("^all$|=", argument):
            return None
        terms = [] if argument == "all" else parse_qsl(argument, True)
        rows = set(range(len(self.papers))).intersection(*(self.rows.get(t, ()) for t in terms))
        papers = [self.papers[row] for row in rows]
        if form in ("earliest", "latest"):
            dates = sorted(paper["published"] for paper in papers if paper["published"])
            return dates[-1 if form == "latest" else 0] if dates else ""
        added = [paper for paper in papers if paper["id"] in self.added]
        return len(papers) if form == "count" else len(added)

    def check_facts(self) -> Iterator[Failure]:
        """Compute each fact again, and compare the data files with the browser's copy."""
        for name in EVIDENCE:
            if self.files[name].strip() not in self.files["evidence.js"]:
                yield "evidence.js", -1, f"content that differs from {name}", "the same content"
        for name, fact in self.facts.items():
            is_stated = fact["query"] == "stated"
            self.checked["facts stated, not computed" if is_stated else "facts"] += 1
            value = fact["value"] if is_stated else self.evaluate(fact["query"])
            if value != fact["value"] or ("=" in name and name != fact["query"]):
                yield "facts.json", -1, f"{name} = {fact['value']}", f"{value}: {fact['query']}"

    def check_sentences(self) -> Iterator[Failure]:
        """Compare each sentence with its source: words of an abstract, facts or metrics."""
        for sentence in self.sentences:
            scheme, _, ids = sentence["source"].partition(": ")
            expected = ""
            if sentence["kind"] in "QP":
                self.checked["quotations and paraphrases"] += 1
                expected = self.missing_words(sentence, self.by_id.get(ids))
            elif scheme in ("facts", "metrics"):
                self.checked["computed sentences"] += 1
                expected = self.missing_numbers(sentence, scheme, ids.split(", "))
            if expected:
                yield "sentences.jsonl", -1, f"'{sentence['id']}': “{sentence['text']}”", expected

    def missing_words(self, sentence: Any, paper: Any) -> str:
        """Return the words of the source if a quotation or paraphrase lacks them, otherwise ""."""
        if paper is None:
            return f"a paper of papers.json instead of '{sentence['source']}'"
        words = paper["abstract"][slice(*sentence.get("span", (0, 0)))]
        kind = "P" if paper["abstract_kind"] == "digest" else "Q"
        forms = {f"“{words}”"}
        if kind == "P":
            forms = {words.removesuffix("."), (words[:1].lower() + words[1:]).removesuffix(".")}
        is_quoted = any(unescape(form) in plain_text(sentence["text"]) for form in forms)
        if is_quoted and words.strip() == words != "" and kind == sentence["kind"]:
            return ""
        return f"{kind} of {paper['id']}: “{words}”"

    def missing_numbers(self, sentence: Any, scheme: str, ids: list[str]) -> str:
        """Return the numbers of the sources if the sentence has a different one, otherwise ""."""
        values = [self.source(scheme, name) for name in ids]
        if None in values:
            return f"a key of {scheme}.json instead of '{ids[values.index(None)]}'"
        figures = [each for v in values for each in (v if isinstance(v, list) else [v])]
        numbers = [figure for figure in figures if not isinstance(figure, str)]
        allowed = {form for n in numbers for form in (str(n), f"{n:.2f}", f"{100 * n:.0f}")}
        if scheme == "facts":
            # A sentence may also print differences, the number of non-zero counts, and numbers
            # in the ids and values of its facts.
            nonzero = {
                name for name, value in zip(ids, values, strict=True) if "=" in name and value
            }
            allowed = {str(abs(one - other)) for one, other in combinations([*numbers, 0], 2)}
            allowed |= {str(len(nonzero)), str(len(nonzero - self.outside))}
            texts = [*ids, *(figure for figure in figures if isinstance(figure, str))]
            allowed |= {str(int(n)) for text in texts for n in re.findall(r"\d+", text)}
        apart = {start for start, _ in sentence.get("apart", ())}
        printed = [m[0] for m in NUMBER.finditer(sentence["text"]) if m.start() not in apart]
        wrong = [number for number in printed if number_digits(number) not in allowed]
        return f"instead of {wrong[0]} one of {', '.join(sorted(allowed))}" if wrong else ""

    def source(self, scheme: str, name: str) -> Any:
        """Return the value of a fact, or the value at a path in metrics.json; None if unknown."""
        if scheme == "facts":
            return self.facts.get(name, {}).get("value")
        value: Any = {**self.metrics.get("facets", {}), **self.metrics}
        for key in [name] if name in value else name.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def check_results(self) -> Iterator[Failure]:
        """Compare the value, sign, unit and clause of each number with the abstract."""
        for paper in self.papers:
            for result in paper["results"]:
                self.checked["numbers of papers"] += 1
                clause, short, unit = result["quote"], result["short"], result["unit"]
                (start, end), value = result["number"], re.findall(r"\d+", result["value"])
                number, sign = paper["abstract"][start:end], re.search(r"[+−](?=[\d.·])", short)
                unit_form = re.compile(
                    UNITS.get(unit) or ".* per ".join(map(re.escape, unit.split(" per "))),
                    re.IGNORECASE,
                )
                signs = {"up": "+", "down": "−"}.get(result["direction"], "")
                signs += "−" if re.match("[-−–]", number) else ""
                is_right = (
                    clause == paper["abstract"][result["start"] : result["end"]]
                    and result["start"] <= start < end <= result["end"]
                    and (re.findall(r"\d+", number)[: len(value)] or [number])
                    == (value or [number])
                    and unit_form.search(clause)
                    and set(value) <= set(re.findall(r"\d+", short))
                    and (not sign or sign[0] in signs)
                )
                if not is_right:
                    yield "papers.json", -1, f"{short} ({paper['id']})", f"a number of “{clause}”"

    def check_survey(self) -> Iterator[Failure]:
        """Check that survey.md has each sentence, in order, and no other prose."""
        parts = [
            (sentence["id"], text, "in" in sentence)
            for sentence in self.sentences
            for part in sentence["text"].split("\n\n")
            if (text := " ".join(part.split()))
        ]
        parts.append(("", "\0", False))
        offset = met = 0
        for block in self.files["survey.md"].decode().split("\n\n"):
            text, is_table = " ".join(block.split()), block.lstrip().startswith("|")
            begins = text.startswith(parts[met][1])
            is_structure = not begins and STRUCTURE.fullmatch(block.strip())
            while parts[met][1] in text and (parts[met][2] if is_table else not is_structure):
                text, met = text.replace(parts[met][1], " ", 1), met + 1
            if re.search(r"\w", LINK.sub("", text)) and not is_structure:
                found = f"prose without a source, “{text[:80]}”"
                yield "survey.md", offset, found, f"the text of sentence '{parts[met][0]}'"
            offset += len(block) + 2
        if parts[met][0]:
            yield "survey.md", -1, f"no sentence '{parts[met][0]}'", "every sentence, in order"

    def check_captions(self) -> Iterator[Failure]:
        """Find each number of a caption in the table, in the CSV of the figure or in the facts."""
        facts = {str(fact["value"]) for fact in self.facts.values()}
        blocks = self.files["survey.md"].decode().split("\n\n")
        for block, table in zip(blocks, [*blocks[1:], ""], strict=True):
            kind, caption = ([*CAPTION.findall(block)] or [("", "")])[0]
            rows = [row.split(" | ")[:1] for row in table.splitlines()[2:]]
            for path in re.findall(r"\((figures/[^)]*\.csv)\)", caption):
                rows = self.table(path)[1:]
            labels = Counter(row[0] for row in rows)
            given = {str(len(rows)), *facts, *map(str, labels.values())}
            given |= {part for row in rows for cell in row for part in (cell, cell[:4])}
            for start in {"", *(label[:4] for label in labels)}:
                columns = [*zip(*(row for row in rows if row[0].startswith(start)), strict=True)]
                sums = [sum(float(c) for c in each if DECIMAL.fullmatch(c)) for each in columns[1:]]
                given |= {f"{total:g}" for total in (*sums, sum(sums))}
                given |= {str(len(set(each))) for each in columns}
            counted = " ".join(part for m in COUNTED.findall(plain_text(caption)) for part in m)
            for number in NUMBER.findall(counted):
                self.checked["numbers of captions"] += 1
                if number_digits(number) not in given:
                    found, expected = f"{number} in “{caption[:80]}”", f"a number of the {kind}"
                    yield "survey.md", -1, found, expected

    def check_chapters(self) -> Iterator[Failure]:
        """Find each block of a chapter in survey.md; addresses of links differ."""

        def blocks(file: str) -> list[str]:
            return [letters(MARKUP.sub("", b)) for b in self.files[file].decode().split("\n\n")]

        known = {*blocks("survey.md"), *self.definitions}
        for file in self.files:
            if file.startswith("c/") and file.endswith(".md"):
                for block in blocks(file):
                    self.checked["blocks of chapters"] += 1
                    if block not in known:
                        yield file, -1, f"“{block[:80]}”", "a text of survey.md"

    def check_quotes(self) -> Iterator[Failure]:
        """Find each quotation in a table in a published text."""
        texts = [paper[key] for paper in self.papers for key in ("abstract", "title")]
        names = ("papers.json", "taxonomy.json", "excluded.csv")  # also remarks and reasons
        texts += [*self.texts.values(), *(self.files[name].decode() for name in names)]
        known = fold_text(unescape(" ".join(texts)))

        @lru_cache(None)
        def is_known(quote: str) -> bool:
            return fold_text(unescape(quote)) in known

        for file, content in self.files.items():
            cells = []
            if file.endswith(".html"):
                cells = CELL.findall(content.decode())
            elif file.endswith(".md"):
                cells = [line for line in content.decode().splitlines() if line.startswith("|")]
            for quote in (quote for cell in cells if "“" in cell for quote in QUOTED.findall(cell)):
                self.checked["quotations in tables"] += 1
                # A form that is missing takes longest to search, so the likelier form is first.
                if not any(map(is_known, (MARKUP.sub("", quote), re.sub("<[^>]*>", "", quote)))):
                    yield file, -1, f"“{quote}”", "words of a published text"

    def check_results_files(self) -> Iterator[Failure]:
        """Compare results.json and results.csv with the numbers of papers.json."""
        right = [
            {**result, "paper": paper["id"], "published": paper["published"], "page": paper["page"]}
            | {"headline": "yes" if result["headline"] else "no"}
            for paper in self.papers
            for result in paper["results"]
        ]
        header, *table = self.table("results.csv")
        for file, rows in (
            ("results.json", json.loads(self.files["results.json"])),
            ("results.csv", [dict(zip(header, row, strict=True)) for row in table]),
        ):
            for row, result in zip_longest(rows, right, fillvalue=NONE):
                right_row = {key: str(result.get(key, value)) for key, value in row.items()}
                wrong = [key for key, v in right_row.items() if str(row[key]) not in (v, f"'{v}")]
                if wrong or not row or not result:
                    yield file, -1, f"another {', '.join(wrong) or 'row'}: {row}", str(result)

    def check_references(self) -> Iterator[Failure]:
        """Compare the references with the papers, in order: key, title, DOI, date and page."""
        items = json.loads(self.files["references.json"])
        keys = [paper["cite_key"] for paper in self.papers]
        for file in ("references.bib", "references.ris"):
            text = self.files[file].decode()
            found = re.findall(r"^(?:@\w+\{|ID  - )(.+?),?$", text, re.MULTILINE)
            if found != keys:
                yield file, -1, "other cite keys", "those of papers.json, in order"
        for item, paper in zip_longest(items, self.papers, fillvalue=NONE):
            self.checked["references"] += 1
            date = item.get("issued", {"date-parts": [[]]})["date-parts"][0]
            date = "-".join(f"{number:02}" for number in date)
            got = [item.get("id"), item.get("DOI", ""), date, title_of(item)]
            right = [paper.get(key) for key in ("cite_key", "doi", "published")] + [title_of(paper)]
            if got != right:
                yield "references.json", -1, str(got), str(right)
        for number, entry in ENTRY.findall(self.files["survey.md"].decode()):
            paper = self.papers[int(number) - 1]
            if (
                title_of(paper) not in title_of({"title": plain_text(entry)})
                or paper["page"] not in entry
            ):
                yield "survey.md", -1, f"reference {number}, “{entry[:80]}”", paper["title"]

    def check_feeds(self) -> Iterator[Failure]:
        """Compare the entries of feeds with the papers: title and date."""
        for file in (file for file in self.files if file.endswith(".atom")):
            for entry in self.files[file].decode().split("<entry>")[1:]:
                title, name, day = (ELEMENT[tag].findall(entry)[0] for tag in ELEMENT)
                kind, _, name = unquote(name).removeprefix("urn:fieldguide:").partition(":")
                paper = self.by_id[name if kind == "paper" else name.rpartition("/")[0]]
                date = paper["entered_on"] or paper["published"]
                date = paper["moved_on"] if kind == "move" else date
                self.checked["entries of feeds"] += 1
                if not day.startswith(date) or title_of(paper) not in title_of(
                    {"title": unescape(title)}
                ):
                    yield file, -1, f"{title}, {day}", f"{paper['title']}, {date}"

    def wrong_data(self, path: str, text: str) -> Iterator[tuple[str, str]]:
        """Yield what the JSON-LD of a page says of a paper in another way than papers.json."""
        data, paper = json.loads(text), self.by_page.get(path)
        self.checked["pages with JSON-LD"] += 1
        if paper:
            ids = {each["value"] for each in data.get("identifier", ())}
            got = [title_of(data, "name"), data.get("datePublished", ""), ids]
            right = [title_of(paper), paper["published"], {paper["doi"], paper["arxiv_id"]} - {""}]
            if got != right:
                yield f"JSON-LD {got}", str(right)

    def wrong_text(self, attributes: dict[str, str], text: str) -> Iterator[tuple[str, str]]:
        """Yield (printed, expected) for a sentence, quotation, count or result that is wrong."""
        address, _, query = attributes.get("href", "").partition("?")
        if "data-quote" in attributes:
            name, start, end = attributes["data-quote"].rsplit(" ", 2)
            kind, expected = "quotations", [self.by_id[name]["abstract"][int(start) : int(end)]]
        elif "data-kind" in attributes:
            whole = self.texts.get(attributes["id"], "")
            uncited = re.sub(r"^\\\[\[\d+\]\(#ref-\d+\)\\\]", "", whole)
            kind, expected = "sentences", [whole, uncited]
        elif address.endswith("browse.html") and (count := COUNT.fullmatch(text)):
            kind, expected = "counts", [str(self.evaluate(query or "all"))]
            text = number_digits(count[1])
        elif address.endswith("#found"):
            paper = self.by_page.get("p/" + address.split("p/")[-1].removesuffix("#found"))
            if paper is None:
                return  # A dead link, which `dead_links` reports.
            kind, expected = "results", [result["short"] for result in paper["results"]]
            expected += [paper["abstract"][slice(*result["number"])] for result in paper["results"]]
            starts = tuple(f"{each} on " for each in expected)
            parts = unescape(text).split("; ")
            if all(any(start.startswith(f"{part} on ") for start in starts) for part in parts):
                expected.append(text)
        else:
            return
        self.checked[f"{kind} on pages"] += 1
        printed = unescape(re.sub("<[^>]*>", "", text))
        if letters(printed) not in set().union(*map(letter_forms, expected)):
            yield f"“{printed}”", f"“{' or '.join(expected)}”"


def verify(files: Mapping[str, bytes], known: Collection[str]) -> tuple[list[str], list[Failure]]:
    """Return the numbers of checks and all failures; known: paths to which pages may link."""
    pages = {path: read_part(files, path) for path in sorted(filter(is_page, files))}
    proof = Proof(files)
    failures = [*proof.failures(pages), *dead_links(pages, known, site_address(files))]
    proof.checked["links"] = count_links(pages)
    return [f"{number:,} {noun}" for noun, number in proof.checked.items()], failures


def main() -> int:
    """Verify a folder; print each failure, the numbers of checks, and the time."""
    start, folder = time.perf_counter(), Path(sys.argv[1] if sys.argv[1:] else __file__).resolve()
    folder = folder if folder.is_dir() else folder.parent
    paths = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    editions = tuple(name[:-11] for name in paths if name.endswith("/papers.json"))
    files = {name: p.read_bytes() for name, p in paths.items() if not name.startswith(editions)}
    try:
        checked, failures = verify(files, paths)
    except (KeyError, TypeError, ValueError) as error:
        print(f"{folder}: found an unknown format ({error!r}); expected that in docs/proof.md.")
        return 1
    for file, offset, actual, expected in failures:
        line = f":{files[file].decode().count(chr(10), 0, offset) + 1}" if offset >= 0 else ""
        print(f"{file}{line}: found {actual}; expected {expected}.")
    seconds = time.perf_counter() - start
    print(f"Checked {', '.join(checked)} in {seconds:.1f} s: {len(failures)} failures.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
