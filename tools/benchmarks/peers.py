"""Fieldguide and its peers in one run: `python -m tools.benchmarks.peers [--peers a,b]`.

The 182 labelled abstracts of gold/dev.csv, scored in two ways: with the decisions, five folds, and
with the taxonomy alone. All peers get the same folds, papers, calibration and thresholds. Prints
Markdown. Needs the abstracts in ../shared; peers whose packages are missing are left out, with what
brings them (all at once: `pip install '.[bench]'`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from classifier.evaluation.gold import match_gold, read_gold
from classifier.files.atomic import write_file
from classifier.files.json_text import json_bytes
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy
from tools.benchmarks.comparison import Material, compare
from tools.benchmarks.rivals.registry import FIELDGUIDE, RIVALS, Peer
from tools.benchmarks.table import as_json, markdown

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "With 182 decisions, five folds": True,
    "The taxonomy alone": False,
}
"""Heading -> whether there are decisions to learn from."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit code."""
    options = _options(arguments)
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        print(f"{shared}: not there. The abstracts to compare on belong in it.", file=sys.stderr)
        return 1
    peers = [FIELDGUIDE, *_present(options.peers)]
    material, fresh = load_material(shared), fresh_papers(shared)
    found = {}
    for heading, decided in SETTINGS.items():
        results = compare(peers, material, fresh, decided=decided, told=_tell)
        print(f"### {heading}\n\n{markdown(results)}", flush=True)
        found[heading] = as_json(results)
    if options.json:
        write_file(options.json, json_bytes(found))
    return 0


def load_material(shared: Path) -> Material:
    """Return the labelled and unlabelled abstracts of `shared` under the shipped taxonomy."""
    taxonomy = load_taxonomy(ROOT / "taxonomy" / "taxonomy.yaml").taxonomy
    papers = load_papers(sorted((shared / "seeds").glob("*.txt")), shared).papers
    truth, _ = match_gold(read_gold(shared / "gold" / "dev.csv", taxonomy, "dev.csv"), papers)
    return Material(taxonomy, papers, truth)


def fresh_papers(shared: Path) -> Iterator[Paper]:
    """Yield abstracts that nobody scores, to time labelling with."""
    with gzip.open(shared / "data" / "arxiv_20k.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield Paper(record["title"], id=record["id"], abstract=record["abstract"])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [peer.id for peer in RIVALS]
    parser.add_argument(
        "--peers",
        type=lambda text: text.split(","),
        default=names,
        metavar="A,B",
        help=f"which to hold Fieldguide against; default all: {','.join(names)}",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.peers) - set(names))
    if unknown:
        parser.error(f"--peers: no {', '.join(unknown)}; one or more of {', '.join(names)}")
    return options


def _present(names: Sequence[str]) -> list[Peer]:
    """Return the peers asked for whose packages are there; say how to get the others."""
    chosen = [peer for peer in RIVALS if peer.id in names]
    for peer in chosen:
        if peer.missing:
            wanted = " ".join(f"'{requirement}'" for requirement in peer.missing)
            print(f"Left out: {peer.name}. It needs: pip install {wanted}", file=sys.stderr)
    return [peer for peer in chosen if not peer.missing]


def _tell(step: str) -> None:
    print(f"… {step}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
