"""How time grows with the length of a text: python -m tools.growth [READER|STEP…] [--size 200000].

Tried are the readers of all formats, each step that works on titles and abstracts, and a whole
build (`build`), whose first paper says the same sign again and again. What cannot be linear is
bounded: Markdown of more than 2,000 marks is printed as it is.

A file of four times the length may take little more than four times as long, whatever it holds: a
sign repeated, brackets that are never closed, one long line, many short records. For each reader
such a file is one of its examples, with a text repeated in a hole of it.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType

from classifier.errors import InputError
from classifier.files.content import text_content
from classifier.labelling.cue_index import tokens_and_negations
from classifier.papers.clean import plain_text, repair_encoding
from classifier.papers.code_links import find_code_urls
from classifier.papers.reader import Reader
from classifier.papers.readers import all_readers
from classifier.pipeline import compute
from classifier.project import Project
from classifier.site.markup import inline_to_html, markdown_to_html
from classifier.survey.paper_names import short_name
from classifier.survey.quotation import is_clear_with_title
from classifier.text.clean import clean_abstract, clean_title
from classifier.text.links import without_dead_links
from classifier.text.normalise import title_key
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences
from classifier.text.sentences import split_sentences

BREAD = Path(__file__).resolve().parents[1] / "tests" / "golden" / "project"

# Four times the length may take 9 times as long: linear is 4, quadratic 16. So far from both, a
# busy machine is not mistaken for a slow reader.
MOST_GROWTH = 9.0
TIMES_LONGER = 4
LOOKS = 5
# Seconds for 40,000 characters below which growth is not measured, for it is noise.
FLOOR = 0.15
LONGEST = 5.0

UNITS: tuple[str, ...] = (
    "{", "}", "{}", "@a{", "@article{a,", "@comment{", '"', "'", '""', '","', '"\n', " #", "=",
    "a = {", "\\", "\\{", "\\'", "\\(", "$", "$$", "\\cite{", "%", "<", "<a", "<a ", "<a href=x>",
    "<p>", "</p>", "<!--", "<!-- a", "-->", "<![CDATA[", "<!DOCTYPE a [", "<td>", "<title>", "<i",
    "<details>", "<summary>", "</details>", "<script>", "&", "&a", "&amp;", "&#", "|", "| a ",
    "|-", "[", "[a", "]", "[a]", "[a](", "](", "![", "![](", "(", ")", "((a)", "*", "**", "**a",
    "_", "`", "```", "```\n", "~", "> ", "#", "# a\n", "- ", "- [", "- [a](http://a.b/c)\n",
    "  - a\n", "\n", "\n\n", "\r", " ", "\t", "a ", "a\n", " \n", ",", ", a", ";", "; A, B", ".",
    "A. ", ":", "a: ", "-", "--", "–", "/", "http://", "www.", "10.1/", "arXiv:", "0", "1 ", "1.",
    "2024 ", "a", "A", "aB", "é", "Ã©", "\u3000", "\ufeff", "and ", " and a", "et al. ",
    "TY  - \n", "AU  - \n", "AU  - A, B\n", "AB  - \n", "ER  - \n", "TY  - JOUR\nTI  - A\nER  - \n",
    "PMID- 1\n", "FAU - A\n", "PT J\n", "      a\n", "%0 A\n", "%A B\n", "\\\\\n", "-" * 78 + "\n",
    '{"title": "A"}\n', "{'a': ", '{"a":', "[[", "null,", "\\u", "\\ud800", "1e9", "[1,",
    "@a{b, title={A}}\n", "New\n", "·\n", "\x1c", "\x85",
)  # fmt: skip
"""Texts to repeat."""

OPENERS: tuple[str, ...] = (
    "[a](", "[a](http://a.b/c ", '<a href="', "<a ", "<img ", '"', "{", "$", "\\(", "(", "[",
    "![a](", "<!--", "`", "**", "_", "http://", "doi: ", "arXiv:", "a: ", "- [ ] ", "1. ", "\\url{",
    "\\cite[", "&", "et al", "A, ", "2024", "2024 ",
)  # fmt: skip
FILLERS: tuple[str, ...] = (
    " ", "a", "a ", "\\", "(", "[", ",", ";", "\t", "-", "1", ".", '"', "'", "=", "a=", "<", "/",
    "&", "*", "_", ":", "|", "A.", " - ", "x\\", "é", "\n ", "a\n", "{", "}",
)  # fmt: skip
"""What is repeated behind each of `OPENERS`, which nothing closes."""


Work = Callable[[str], object]
"""What is done with a text, and measured."""

SIGNS: tuple[str, ...] = (
    "<", "&lt;", "&amp;", "(", "[", "[a](", "![", "$", "$x$ ", '"', "“", "'", "\\", "\\alpha ",
    "\u0301", "a\u0301", "1,000,", "1,000 ", "0.5% ", "(AB) ", "Ab (", "@", ".", "A.", "U.S. ", "~",
    "^", "{", "*", "`", "_", "|", "--", " ", "https://a.b/c", "©", "Methods: ", "Results", "a", "Ã",
    "(c) ", "Copyright ", "Fig. 1. ", "the ", "abed", "ly", "We show 5% gains. ",
)  # fmt: skip
"""What is repeated in titles and abstracts."""


def _results(text: str) -> None:
    results_of(roled_sentences(text), lambda piece: ())


def _cues(text: str) -> None:
    tokens_and_negations(text)


STEPS: dict[str, Work] = {
    "abstract": clean_abstract,
    "title": clean_title,
    "name": short_name,
    "key": title_key,
    "plain": plain_text,
    "code": find_code_urls,
    "repaired": repair_encoding,
    "sentences": split_sentences,
    "roles": roled_sentences,
    "results": _results,
    "cues": _cues,
    "quotes": partial(is_clear_with_title, "A title"),
    "links": without_dead_links,
    "markdown": markdown_to_html,
    "line": inline_to_html,
}
"""Each step that works on a title, an abstract or a text of the editors."""


def build(text: str) -> None:
    """Build the tests' small project with a paper whose one sentence holds the text."""
    record = {
        "title": "Sourdough of the long text",
        "abstract": f"We propose a sourdough oven {text} that bakes rye 5% faster.",
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(BREAD, Path(folder) / "bread"))
        (root / "papers" / "long.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
        compute(Project(root))


class TooSlow(BaseException):
    """A file took longer than any linear time."""


def main() -> None:
    """Print every file whose time grows faster than its length."""
    parser = argparse.ArgumentParser(prog="python -m tools.growth", description=__doc__)
    parser.add_argument("readers", nargs="*", help="their names; without any all of them")
    parser.add_argument("--size", type=int, default=200_000, help="characters of the longer file")
    arguments = parser.parse_args()
    found = 0
    steps = {**STEPS, "build": build}
    readers = {reader.name: reader for reader in all_readers()}
    if unknown := [name for name in arguments.readers if name not in {*steps, *readers}]:
        parser.error(f"unknown: {', '.join(unknown)}; expected {', '.join([*steps, *readers])}")
    for name in [name for name in steps if not arguments.readers or name in arguments.readers]:
        for unit in SIGNS:
            if fault := growth_fault(steps[name], "@@", unit, arguments.size):
                found += 1
                print(f"{name}: {unit!r}: {fault}", flush=True)
        print(f"{name}: done", flush=True)
    for reader in readers.values():
        if arguments.readers and reader.name not in arguments.readers:
            continue
        for frame, unit in cases(reader):
            try:
                fault = growth_fault(partial(read_through, reader), frame, unit, arguments.size)
            except Exception as error:
                fault = repr(error)
            if fault:
                found += 1
                print(f"{reader.name}: {unit!r} in {frame!r}: {fault}", flush=True)
        print(f"{reader.name}: done", flush=True)
    sys.exit(1 if found else 0)


def cases(reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield frame and unit: each hole of each example alone, the others left empty."""
    for frame in reader.examples:
        for hole in range(frame.count("@@")):
            parts = frame.split("@@")
            alone = "".join(parts[: hole + 1]) + "@@" + "".join(parts[hole + 1 :])
            for unit in UNITS:
                yield alone, unit
            for opener in OPENERS:
                opened = alone.replace("@@", f"{opener}@@")
                yield from ((opened, unit) for unit in FILLERS)


def filled(frame: str, unit: str, size: int) -> str:
    """Return a file with `unit` repeated in each hole of `frame`, of about `size` characters."""
    length = max(1, size // len(unit) // max(1, frame.count("@@")))
    return frame.replace("@@", unit * length)


def growth_fault(work: Work, frame: str, unit: str, size: int) -> str:
    """Return how time grows from `size` / 4 to `size` characters, "" where it does as it should.

    What looks too slow is measured again, up to `LOOKS` times, and the best times count.
    """
    floor = FLOOR * size / 40_000
    long = seconds_of(work, filled(frame, unit, size))
    if long < floor:
        return ""
    gc.collect()
    short = seconds_of(work, filled(frame, unit, size // TIMES_LONGER))
    for _ in range(LOOKS):
        if long <= min(MOST_GROWTH * short, 10 * floor):
            return ""
        if long < LONGEST:
            long = min(long, seconds_of(work, filled(frame, unit, size)))
        short = min(short, seconds_of(work, filled(frame, unit, size // TIMES_LONGER)))
    return f"{size // TIMES_LONGER:,} characters {short:.2f} s, {size:,} characters {long:.2f} s"


def seconds_of(work: Work, text: str) -> float:
    """Return the seconds of the processor that work on a text takes, at most about `LONGEST`."""
    logging.disable()  # a test keeps each record: that is not the reader's time
    signal.signal(signal.SIGVTALRM, _too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    started = time.process_time()
    try:
        work(text)
    except TooSlow:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        logging.disable(logging.NOTSET)
    return time.process_time() - started


def read_through(reader: Reader, text: str) -> None:
    """Read a file from its first record to its last, whatever is said of it."""
    content = text_content("growth.txt", text)
    try:
        if not reader.reject_reason(content):
            for _ in reader.read(content):
                pass
    except InputError:
        pass


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow


if __name__ == "__main__":
    main()
