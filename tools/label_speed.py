"""How fast papers are labelled: `fieldguide label`, beside stock TF-IDF and logistic regression.

    python -m tools.label_speed [--papers 4000] [--rounds 3] [--json FILE]

Both are whole processes of one core on the same file, in turns; the best of some rounds counts.
The stock one reads the lines, makes TF-IDF of words and pairs, predicts a probability a category
with models that were fitted before, and writes them: no cue, no reason, no other format.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.benchmarks import corpora
from tools.labelled import ROOT, Report, parser_of, read_material

STOCK = """\
import json, sys
import joblib
model, source, target = sys.argv[1:]
vectorizer, categories = joblib.load(model)
records = [json.loads(line) for line in open(source, encoding="utf-8")]
rows = vectorizer.transform(f"{r['title']}. {r['abstract']}" for r in records)
shares = [each.predict_proba(rows)[:, 1] for each in categories]
with open(target, "w", encoding="utf-8") as file:
    for record, *scores in zip(records, *shares):
        file.write(json.dumps({"title": record["title"], "scores": scores}) + "\\n")
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = parser_of("label_speed", __doc__)
    parser.add_argument("--papers", type=int, default=4_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    report = Report(options)
    with tempfile.TemporaryDirectory() as folder:
        source, model = Path(folder, "papers.jsonl"), Path(folder, "model.joblib")
        corpora.write_records(options.papers, source)
        _fit_stock(model)
        (script := Path(folder, "stock.py")).write_text(STOCK, encoding="utf-8")
        ours = [sys.executable, "-m", "classifier", "label", str(source), "-o"]
        stock = [sys.executable, str(script), str(model), str(source)]
        seconds: dict[str, list[float]] = {"ours": [], "stock": []}
        for number in range(options.rounds):
            for name, command in (("ours", ours), ("stock", stock)):
                seconds[name].append(_run([*command, str(Path(folder, f"{name}{number}.jsonl"))]))
    best = {name: options.papers / min(each) for name, each in seconds.items()}
    report.say("fieldguide label, with reasons", best["ours"], f"{best['ours']:.0f} a second")
    report.say("stock TF-IDF and regression", best["stock"], f"{best['stock']:.0f} a second")
    ratio = best["ours"] / best["stock"]
    report.say("ratio", ratio, f"{ratio:.2f} (expected: 0.15)")
    minutes = 1e6 / best["ours"] / 2 / 60
    report.say("a million on two cores", minutes, f"{minutes:.0f} minutes (expected: 40)")
    return report.end()


def _fit_stock(path: Path) -> None:
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    material = read_material()
    known = material.lists + material.fresh
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    rows = vectorizer.fit_transform(f"{p.title}. {p.abstract}" for p in known.papers)
    models = []
    for facet in material.taxonomy.facets.values():
        said = [told[facet.id].values if facet.id in told else () for told in
                known.decisions.values()]  # fmt: skip
        models += [
            LogisticRegression(solver="liblinear").fit(rows, [name in each for each in said])
            for name in facet.ids
        ]
    joblib.dump((vectorizer, models), path)


def _run(command: Sequence[str]) -> float:
    """Return the processor seconds of a process that uses one core."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    before = os.times()
    subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, env={**os.environ, **threads}
    )
    after = os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system


if __name__ == "__main__":
    sys.exit(main())
