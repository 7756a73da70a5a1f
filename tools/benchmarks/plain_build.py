"""What bare libraries take for about what a build does: `python -m … plain_build PROJECT OUT`.

The stock pipeline of scikit-learn (TF-IDF of words and pairs, one logistic regression a category)
learns from the papers on which people decided and labels all, and Jinja2 prints a page a paper with
title, labels and abstract, escaped: no evidence, calibration, facts, sentences, search or proof.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from jinja2 import Environment
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
</head><body><h1>{{ title }}</h1><ul>{% for label in labels %}<li>{{ label }}</li>{% endfor %}</ul>
<p>{{ abstract }}</p></body></html>"""


def main() -> None:
    """Learn, label, print."""
    project, out = (Path(argument) for argument in sys.argv[1:3])
    records = [
        json.loads(line)
        for path in sorted((project / "papers").glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    texts = [f"{record['title']}. {_text(record)}" for record in records]
    decided = _decided(project)
    taught = [row for row, record in enumerate(records) if record.get("id") in decided]
    names = MultiLabelBinarizer()
    truth = names.fit_transform([decided[records[row]["id"]] for row in taught])
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2)
    learned = vectorizer.fit_transform([texts[row] for row in taught])
    model = OneVsRestClassifier(LogisticRegression(C=4)).fit(learned, truth)
    found = names.inverse_transform(model.predict(vectorizer.transform(texts)))
    page = Environment(autoescape=True).from_string(PAGE)
    out.mkdir()
    for number, (record, labels) in enumerate(zip(records, found, strict=True)):
        content = {"title": record["title"], "labels": labels, "abstract": _text(record)}
        (out / f"{number}.html").write_text(page.render(content), encoding="utf-8")


def _text(record: dict[str, object]) -> str:
    return str(record.get("abstract") or record.get("digest") or "")


def _decided(project: Path) -> dict[str, list[str]]:
    """Return paper id -> the topics that people gave it last."""
    import csv

    found = {}
    with (project / "taxonomy" / "reviews.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["facet"] == "topic":
                found[row["id"]] = row["value"].split("; ")
    return found


if __name__ == "__main__":
    main()
