"""How fast papers are read into `Passages`, beside scikit-learn's vectoriser, and whether equally.

python -m tools.benchmarks.passages            # microseconds an abstract, stage by stage
python -m tools.benchmarks.passages --equal    # every difference from `passages_of`; there is none
"""

from __future__ import annotations

import argparse
import gc
import gzip
import itertools
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from classifier.labelling.passage_reader import PassageReader
from classifier.labelling.passages import Passages, Vocabulary, passages_of
from classifier.text.bulk import reading
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.labelling import passage_reader, respell
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import CueMatcher, parse_cue
from classifier.taxonomy.load import load_taxonomy

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
FILES = ("arxiv_20k.jsonl.gz", "curated_dev.jsonl.gz", "areas_dev.jsonl.gz")
VIEWS = ("title", "contribution", "anywhere", "against")
STAGES = {
    passage_reader: ("displayed", "read_texts", "respelled_passages"),
    respell: (
        "brackets_of",
        "_papers",
        "_asked",
        "_firing",
        "_spelled",
    ),
    reading: (
        "characters_of",
        "pieces_of",
        "spans_of",
        "tokens_of",
        "runs_of",
        "phrase_cues",
        "role_words_of",
        "roles_of",
        "negated_tokens",
    ),
}
"""Module -> the functions in it that are timed."""


def papers_of(name: str, count: int) -> list[Paper]:
    """Return the first papers of a shared file."""
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in itertools.islice(lines, count)]
    return [Paper(each["title"], abstract=each["abstract"]) for each in records]


def shipped_cues() -> list[str]:
    """Return every cue of the shipped taxonomy."""
    taxonomy = load_taxonomy(ROOT / "taxonomy" / "taxonomy.yaml").taxonomy
    return [
        cue
        for facet in taxonomy.facets.values()
        for category in facet.walk()
        for view in VIEWS
        for cue in getattr(category.cues, view)
    ]


def reader_of(cues: Sequence[str], terms: Sequence[str]) -> PassageReader:
    """Return a reader whose vocabulary has the words of cues and terms."""
    ways = (way for cue in cues for way in parse_cue(cue).alternatives)
    words = [word for way in ways for place in way if place for word in sorted(place)]
    return PassageReader(Vocabulary([*words, *(w for term in terms for w in term.split())]), cues)


def differences(read: Passages, wanted: Passages, matcher: CueMatcher) -> Iterator[str]:
    """Yield what `read` says otherwise than the definition does."""
    for name in ("papers", "words", "negated", "starts", "owners", "headings", "stated"):
        if not np.array_equal(getattr(read, name), getattr(wanted, name)):
            yield name
    both = np.stack([np.unique(each.hashes, return_inverse=True)[1] for each in (read, wanted)])
    if len(np.unique(both, axis=1).T) != both[0].max(initial=-1) + 1 or len(set(both.max(1))) > 1:
        yield "hashes"
    for passage, spelling in read.respelled.items():
        if wanted.respelled.get(passage) != spelling:
            yield f"the spelling of passage {passage}"
    for passage, spelling in wanted.respelled.items():
        matches = matcher.find(spelling.words)
        if passage not in read.respelled and any(
            spelling.covers_place(match.start, match.end) for match in matches
        ):
            yield f"no spelling of passage {passage}"


def count_differences(chunk: int, count: int) -> int:
    """Print and count the differences over all shared abstracts."""
    cues = shipped_cues()
    matcher, total = CueMatcher([parse_cue(cue) for cue in dict.fromkeys(cues)]), 0
    for name in FILES:
        papers = papers_of(name, count)
        reader = reader_of(cues, [paper.title.lower() for paper in papers])
        for first in range(0, len(papers), chunk):
            some = papers[first : first + chunk]
            wanted = passages_of([text_views(paper) for paper in some], reader.vocabulary)
            for difference in differences(reader.read(some), wanted, matcher):
                print(f"{name}, papers from {first}: {difference}")
                total += 1
        print(f"{name}: {len(papers)} papers read")
    return total


def timed(times: dict[str, float], name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that adds its processor seconds to `times`."""

    def run(*given: Any) -> Any:
        start = time.process_time()
        result = call(*given)
        times[name] += time.process_time() - start
        return result

    return run


def measure(chunk: int, count: int, rounds: int) -> None:
    """Print the time an abstract takes, and each stage's, beside the stock vectoriser's."""
    papers = papers_of(FILES[0], count)
    texts = [f"{paper.title}. {paper.abstract}" for paper in papers]
    stock = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2).fit(texts)
    start = time.process_time()
    reader = reader_of(shipped_cues(), list(stock.get_feature_names_out()))
    print(f"made in {time.process_time() - start:.2f} s")
    gc.freeze()  # what stands is not searched again: the measure is of the reading
    times: dict[str, float] = defaultdict(float)
    best: dict[str, float] = {}
    for module, names in STAGES.items():
        for name in names:
            setattr(module, name, timed(times, name, getattr(module, name)))
    for _ in range(rounds):
        times.clear()
        timed(times, "stock TfidfVectorizer", stock.transform)(texts)
        for first in range(0, len(papers), chunk):
            timed(times, "PassageReader.read", reader.read)(papers[first : first + chunk])
        best = {name: min(spent, best.get(name, spent)) for name, spent in times.items()}
    for name, spent in best.items():
        print(f"{name:24} {spent / len(papers) * 1e6:7.1f} µs an abstract")
    ratio = best["PassageReader.read"] / best["stock TfidfVectorizer"]
    print(f"{'of the stock':24} {ratio:7.2f}")


def main() -> None:
    """Measure, or compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--equal", action="store_true", help="count differences instead")
    parser.add_argument("--chunk", type=int, default=500)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    told = parser.parse_args()
    if told.equal:
        print(f"{count_differences(told.chunk, told.papers)} differences")
    else:
        measure(told.chunk, told.papers, told.rounds)


if __name__ == "__main__":
    main()
