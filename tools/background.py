"""Make the background: latent dimensions of the words of all sciences, from unlabelled abstracts.

    python -m tools.background [--without SOURCE ...] [-o FILE]

Only abstracts whose weights may be shipped are used: metadata of arXiv (CC0) and four collections
of medicine, biology and ecology. `--without` leaves sources out, for an honest figure on papers
from there. Takes about two minutes of one processor.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
import zipfile
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer
from threadpoolctl import threadpool_limits

from classifier.labelling import background
from classifier.labelling.background import Background, background_of
from classifier.text.normalise import tokens
from tools.labelled import SHARED, lines, parser_of

SOURCES = ("arxiv-", "arxiv_20k", "cei", "hoc", "icrs", "ohsumed")
"""What the names of the sources whose weights may be shipped begin with."""
OWN_SOURCES = {
    "math": ("arxiv-math",), "astro": ("arxiv-astro",), "econfin": ("arxiv-econfin",),
    "shipped": ("arxiv-cs", "arxiv_20k"), "ohsumed": ("ohsumed",), "cei": ("cei",),
    "hoc": ("hoc",), "icrs": ("icrs",),
}  # fmt: skip
"""Field -> the sources from which its own papers come."""
N_TERMS, N_DIMENSIONS, MIN_DF = 12_000, 256, 5
TAKE_OF_CS = 5, 2
"""Of every five abstracts of the archive of computer science two are used: the others would
outnumber all other sciences."""


def main() -> int:
    """Write the file; return the exit code."""
    parser = parser_of("background", __doc__)
    parser.add_argument("--without", nargs="*", default=[], metavar="SOURCE")
    parser.add_argument("-o", "--output", type=Path, default=None, metavar="FILE")
    options = parser.parse_args()
    path = options.output or Path(background.__file__).with_name(background.FILE)
    path.write_bytes(background_bytes(options.without))
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


def background_without(field: str, folder: Path) -> Background:
    """Return the background without the sources of a field's own papers; `folder` is a cache."""
    path = folder / f"background-{N_TERMS}-{N_DIMENSIONS}-{field}.npz"
    if not path.is_file():
        path.write_bytes(background_bytes(OWN_SOURCES.get(field, ())))
    with np.load(path) as arrays:
        return background_of(arrays)


def background_bytes(without: Collection[str]) -> bytes:
    """Return the file: a .npz of plain arrays, the basis in whole numbers of eight bits."""
    vectorizer = TfidfVectorizer(
        analyzer=partial(_words, stop_words=ENGLISH_STOP_WORDS),
        sublinear_tf=True,
        min_df=MIN_DF,
        max_features=N_TERMS,
    )
    with threadpool_limits(limits=1):
        rows = vectorizer.fit_transform(_texts(without))
        basis = TruncatedSVD(N_DIMENSIONS, random_state=0).fit(rows).components_.T
    scales = np.abs(basis).max(axis=0) / 127
    whole = np.round(basis / scales).astype(np.int8)
    mean = np.asarray(rows.mean(axis=0)).ravel() @ (whole * scales)
    arrays = {
        "basis": whole,
        "idf": vectorizer.idf_.astype(np.float16),
        "mean": mean.astype(np.float32),
        "scales": scales.astype(np.float32),
        "terms": np.frombuffer("\n".join(vectorizer.get_feature_names_out()).encode(), np.uint8),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, array, allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(info, member.getvalue(), zipfile.ZIP_DEFLATED, 9)
    return stream.getvalue()


def _texts(without: Collection[str]) -> Iterator[str]:
    path = SHARED / "data" / "fields" / "background.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            if record["src"].startswith(SOURCES) and record["src"] not in without:
                yield f"{record['title']}. {record['abstract']}"
    if "arxiv_20k" not in without:
        every, take = TAKE_OF_CS
        for number, record in enumerate(lines("arxiv_20k")):
            if number % every < take:
                yield f"{record['title']}. {record['abstract']}"


def _words(text: str, stop_words: Collection[str]) -> list[str]:
    return [
        word
        for word in tokens(text)
        if word not in stop_words and len(word) > 1 and not word.isdigit()
    ]


if __name__ == "__main__":
    sys.exit(main())
