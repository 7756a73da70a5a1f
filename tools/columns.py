"""How true the columns of the comparison tables are: python -m tools.columns [--show].

tests/labelling/columns.csv says what a reader found in the digests of the shipped survey. Cues
were written while the papers filed under a column's categories were read; from papers that are
filed elsewhere, and asked all the same, none were. --show prints each difference.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from classifier.labelling.cue_index import CueIndex
from classifier.labelling.optional_facet import STATED_VOTE
from classifier.papers.load import load_papers
from classifier.taxonomy.load import load_taxonomy

ROOT = Path(__file__).parents[1]
GOLD = ROOT / "tests/labelling/columns.csv"


def read_and_said() -> Iterator[tuple[dict[str, str], set[str], set[str]]]:
    """Yield a row of the table, what its reader found and what the cues say."""
    taxonomy = load_taxonomy(ROOT / "taxonomy/taxonomy.yaml").taxonomy
    assert taxonomy is not None
    papers = load_papers([ROOT / "papers/agentic-ai.jsonl"], ROOT).papers
    place = {paper.id: row for row, paper in enumerate(papers)}
    evidence = CueIndex(taxonomy).count(papers)
    with GOLD.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            ids = [category.id for category in taxonomy.facet(line["facet"]).categories]
            votes = evidence[line["facet"]].votes(ids)[place[line["id"]]]
            said = {each for each, vote in zip(ids, votes, strict=True) if vote >= STATED_VOTE}
            yield line, set(filter(None, line["values"].split("; "))), said


def tallies(show: bool = False) -> dict[tuple[str, str], Counter[str]]:
    """Return facet, "filed" or "elsewhere" -> values right, said, read; papers."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for line, read, said in read_and_said():
        place = "filed" if line["filed"] == "yes" else "elsewhere"
        tally = found.setdefault((line["facet"], place), Counter())
        tally.update(papers=1, right=len(read & said), said=len(said), read=len(read))
        if show and read != said:
            print(line["facet"], line["id"], "-", *read - said, "+", *said - read, line["title"])
    return found


def main() -> None:
    """Print precision and recall of each facet that was read."""
    for (facet, place), tally in sorted(tallies("--show" in sys.argv).items()):
        right = tally["right"]
        print(
            f"{facet:13}{place:10}{tally['papers']:4} papers, {tally['read']:3} values read: "
            f"precision {right}/{tally['said']}, recall {right}/{tally['read']}"
        )


if __name__ == "__main__":
    main()
