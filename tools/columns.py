"""How true the labels are that cues alone give: python -m tools.columns [--show].

tests/labelling/columns.csv says what a reader found in the digests of the shipped survey. Cues
were written while the papers filed under a column's categories were read; from papers that are
filed elsewhere, and asked all the same, none were. tests/labelling/children.csv says of each
reviewed paper and category with children which of these fit it, and which are arguable; cues of
children were mended with it in view. tests/labelling/themes.csv says of 110 reviewed papers which
themes they are mainly about, and which are arguable; cues were mended with one half in view.
tests/labelling/unsolved.csv says of a paper and a problem whether the digest says that this is
unsolved: true, arguable or wrong; cues were mended with it in view.
--show prints each difference.
"""

from __future__ import annotations

import csv
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from classifier.labelling.cue_index import CueIndex, Evidence
from classifier.labelling.decide import LIKELY, find_children
from classifier.labelling.stated_facet import STATED_VOTE
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.survey.names import ProblemFinder
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy
from classifier.text.roles import roled_sentences

ROOT = Path(__file__).parents[1]
GOLD = ROOT / "tests/labelling/columns.csv"
CHILDREN = ROOT / "tests/labelling/children.csv"
THEMES = ROOT / "tests/labelling/themes.csv"
PROBLEMS = ROOT / "tests/labelling/unsolved.csv"


def shipped() -> tuple[Taxonomy, Sequence[Paper]]:
    """Return the shipped taxonomy and papers."""
    taxonomy = load_taxonomy(ROOT / "taxonomy/taxonomy.yaml").taxonomy
    assert taxonomy is not None
    return taxonomy, load_papers([ROOT / "papers/agentic-ai.jsonl"], ROOT).papers


@cache
def counted() -> tuple[Taxonomy, dict[str, int], dict[str, Evidence]]:
    """Return the shipped taxonomy, paper id -> row, and facet id -> the evidence of the papers."""
    taxonomy, papers = shipped()
    place = {paper.id: row for row, paper in enumerate(papers)}
    return taxonomy, place, CueIndex(taxonomy).count(papers)


def read_and_said() -> Iterator[tuple[dict[str, str], set[str], set[str]]]:
    """Yield a row of the table, what its reader found and what the cues say."""
    taxonomy, place, evidence = counted()
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


def child_verdicts(show: bool = False) -> list[Counter[str]]:
    """Return fits, arguable, wrong, none of the children given, of either half of the papers."""
    taxonomy, place, evidence = counted()
    given = find_children(taxonomy.facet("topic"), evidence["topic"])
    halves: list[Counter[str]] = [Counter(), Counter()]
    with CHILDREN.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            child = given[place[line["id"]]].get(line["parent"], "").partition("/")[2]
            verdict = "wrong" if child else "none"
            for each in ("fits", "arguable"):
                verdict = each if child in filter(None, line[each].split("; ")) else verdict
            halves[hashlib.sha256(line["id"].encode()).digest()[-1] % 2][verdict] += 1
            if show and verdict != "fits" and (child or line["fits"]):
                print(line["parent"], line["id"], verdict, child, "+", line["fits"], line["title"])
    return halves


def filed_child_verdicts() -> Counter[str]:
    """Return how many parts that papers are filed in fit, are arguable, or are wrong."""
    taxonomy, place, evidence = counted()
    given = find_children(taxonomy.facet("topic"), evidence["topic"], LIKELY)
    with (ROOT / "taxonomy/reviews.csv").open(encoding="utf-8", newline="") as file:
        filed = {
            row["id"]: row["value"]
            for row in csv.DictReader(file)
            if row["facet"] == "topic" and row["primary"] == "yes"
        }
    verdicts: Counter[str] = Counter()
    with CHILDREN.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            child = given[place[line["id"]]].get(line["parent"], "").partition("/")[2]
            if child and filed.get(line["id"]) == line["parent"]:
                known = [each for each in ("fits", "arguable") if child in line[each].split("; ")]
                verdicts[known[0] if known else "wrong"] += 1
    return verdicts


def themes(show: bool = False) -> list[Counter[str]]:
    """Return themes said, of them main or arguable; main, of them said, in either half."""
    taxonomy, place, evidence = counted()
    ids = [category.id for category in taxonomy.facet("theme").categories]
    votes = evidence["theme"].votes(ids)
    with THEMES.open(encoding="utf-8", newline="") as file:
        read = "; ".join(f"{line['main']}; {line['arguable']}" for line in csv.DictReader(file))
    halves: list[Counter[str]] = [Counter(), Counter()]
    with THEMES.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            pairs = zip(ids, votes[place[line["id"]]], strict=True)
            said = {
                each for each, vote in pairs if vote >= STATED_VOTE and each in read.split("; ")
            }
            main_, arguable = (set(line[name].split("; ")) - {""} for name in ("main", "arguable"))
            right = len(said & (main_ | arguable))
            halves[hashlib.sha256(line["id"].encode()).digest()[0] % 2].update(
                said=len(said), right=right, main=len(main_), found=len(said & main_)
            )
            if show and (main_ - said or said - main_ - arguable):
                print("theme", line["id"], "-", *main_ - said, "+", *said - main_ - arguable)
    return halves


def unsolved(show: bool = False) -> tuple[Counter[str], list[tuple[str, str]]]:
    """Return how many problems said are true, arguable, wrong, unread, how many true are missed.

    Then the pairs of paper and problem that nobody has read.
    """
    with PROBLEMS.open(encoding="utf-8", newline="") as file:
        read = {(each["id"], each["problem"]): each["verdict"] for each in csv.DictReader(file)}
    taxonomy, papers = shipped()
    finder = ProblemFinder(taxonomy.open_problems)
    said = {
        (paper.id, problem): sentence.words
        for paper in papers
        for problem, sentence in finder.find(roled_sentences(paper.abstract_display)).items()
    }
    verdicts = Counter(read.get(pair, "unread") for pair in said)
    missed = [pair for pair, verdict in read.items() if verdict == "true" and pair not in said]
    verdicts["missed"] = len(missed)
    if show:
        for pair in missed:
            print("missed", *pair)
        for pair, words in said.items():
            if read.get(pair) != "true":
                print(read.get(pair, "unread"), *pair, words)
    return verdicts, [pair for pair in said if pair not in read]


def main() -> None:
    """Print how true the values, children, themes and problems are."""
    for (facet, place), tally in sorted(tallies("--show" in sys.argv).items()):
        right = tally["right"]
        print(
            f"{facet:13}{place:10}{tally['papers']:4} papers, {tally['read']:3} values read: "
            f"precision {right}/{tally['said']}, recall {right}/{tally['read']}"
        )
    for half, verdicts in zip(("one", "other"), child_verdicts("--show" in sys.argv), strict=True):
        said = verdicts.total() - verdicts["none"]
        told = ", ".join(f"{verdicts[each]} {each}" for each in ("fits", "arguable", "wrong"))
        print(f"children, the {half} half: {said} given, of them {told}")
    for half, tally in zip(("mended", "other"), themes("--show" in sys.argv), strict=True):
        print(
            f"themes, the {half} half: {tally['right']} of {tally['said']} said are true or "
            f"arguable, {tally['found']} of {tally['main']} main ones are said"
        )
    verdicts, _ = unsolved("--show" in sys.argv)
    told = ", ".join(f"{verdicts[each]} {each}" for each in ("true", "arguable", "wrong", "unread"))
    print(f"said to be unsolved: {told}; {verdicts['missed']} true ones are missed")


if __name__ == "__main__":
    main()
