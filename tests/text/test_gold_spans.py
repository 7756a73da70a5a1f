from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from sklearn.metrics import cohen_kappa_score

from classifier.errors import InputError
from tests.text.gold_spans import (
    BY_POSITION,
    GOLD,
    ROLES,
    GoldAbstract,
    GoldNumber,
    GoldSentence,
    read_results,
    read_sentences,
)

RYE = {"title": "Rye", "abstract": "Rye is dense.  We bake it 12% lighter on LoafBench."}
SENTENCES = "file,paper,start,end,role,main\n"
RESULTS = "file,paper,start,end,value,unit,benchmark\n"


@pytest.fixture
def bakery(tmp_path: Path) -> Path:
    """A folder with one abstract: two sentences of 13 and 36 characters."""
    with gzip.open(tmp_path / "rye.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(RYE) + "\n")
    return tmp_path


def table(bakery: Path, header: str, *rows: str) -> Path:
    path = bakery / "marked.csv"
    path.write_text(header + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_sentences_are_joined_to_their_text(bakery: Path) -> None:
    rows = ("rye.jsonl.gz,Rye,0,13,problem,", "rye.jsonl.gz,Rye,14,50,contribution,yes")
    (rye,) = read_sentences(table(bakery, SENTENCES, *rows), bakery)
    assert rye.sentences == (
        GoldSentence(0, 13, "problem", ""),
        GoldSentence(14, 50, "contribution", "yes"),
    )
    assert rye.text[14:50] == snapshot("We bake it 12% lighter on LoafBench.")


def test_numbers_are_joined_to_their_text(bakery: Path) -> None:
    row = "rye.jsonl.gz,Rye,25,28,12,%,LoafBench"
    (rye,) = read_results(table(bakery, RESULTS, row), bakery)
    assert rye.numbers == (GoldNumber(25, 28, "12", "%", "LoafBench"),)
    assert rye.text[25:28] == "12%"


def test_a_row_without_a_span_is_an_abstract_without_numbers(bakery: Path) -> None:
    (rye,) = read_results(table(bakery, RESULTS, "rye.jsonl.gz,Rye,,,,,"), bakery)
    assert rye.numbers == ()


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        (["Rye,0,13,problem,", "Rye,14,50,result,"], ["0 main sentences of a paper"]),
        (["Rye,0,13,aim,yes", "Rye,14,50,result,no"], ["role 'aim'", "main 'no'"]),
        (["Rye,0,13,problem,yes"], ["words in no sentence, or in two"]),
        (["Rye,0,14,problem,yes", "Rye,14,50,result,"], ["span 0 to 14"]),
        (["Spelt,0,13,problem,yes"], ["'Spelt'"]),
    ],
)
def test_every_fault_of_a_file_of_sentences(
    bakery: Path, rows: list[str], faults: list[str]
) -> None:
    path = table(bakery, SENTENCES, *(f"rye.jsonl.gz,{row}" for row in rows))
    with pytest.raises(InputError) as caught:
        read_sentences(path, bakery)
    assert [fault.actual for fault in caught.value.faults] == faults


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        (["Rye,25,28,13,%,"], ["'13' at 25"]),
        (["Rye,25,28,12,%,CrumbBench"], ["benchmark 'CrumbBench'"]),
        (["Rye,25,60,12,%,"], ["span 25 to 60"]),
        (["Rye,25,28,12,%,", "Rye,25,27,12,,"], ["start 25"]),
        (["Rye,25,28,12,%,", "Rye,,,,,"], ["a row without a span beside others"]),
    ],
)
def test_every_fault_of_a_file_of_numbers(bakery: Path, rows: list[str], faults: list[str]) -> None:
    path = table(bakery, RESULTS, *(f"rye.jsonl.gz,{row}" for row in rows))
    with pytest.raises(InputError) as caught:
        read_results(path, bakery)
    assert [fault.actual for fault in caught.value.faults] == faults


def test_the_marked_sentences_fit_the_abstracts(shared: Path) -> None:
    abstracts = read_sentences(GOLD / "test_sentences.csv", shared)
    assert len({(abstract.file, abstract.title) for abstract in abstracts}) == 69
    roles = Counter(s.role for abstract in abstracts for s in abstract.sentences)
    assert [roles[role] for role in ROLES] == [157, 153, 77, 108, 12, 21]
    by_position = Counter(s.role for a in abstracts[:BY_POSITION] for s in a.sentences)
    assert [by_position[role] for role in ROLES] == [111, 86, 75, 96, 1, 19]


def test_the_marked_numbers_fit_the_abstracts(shared: Path) -> None:
    abstracts = read_results(GOLD / "test_results.csv", shared)
    assert len({(abstract.file, abstract.title) for abstract in abstracts}) == 100
    assert sum(not abstract.numbers for abstract in abstracts) == 67


def test_the_numbers_cover_every_abstract_chosen_by_position(shared: Path) -> None:
    with_sentences = read_sentences(GOLD / "test_sentences.csv", shared)[:BY_POSITION]
    with_numbers = read_results(GOLD / "test_results.csv", shared)
    assert {a.title for a in with_sentences} <= {a.title for a in with_numbers}


@pytest.mark.parametrize(
    ("name", "sentences", "same", "kappa", "papers", "same_main"),
    [("second_look.csv", 75, 73, 0.97, 10, 10), ("second_reader.csv", 85, 81, 0.94, 12, 11)],
)
def test_the_readings_agree_as_the_readme_says(
    shared: Path, name: str, sentences: int, same: int, kappa: float, papers: int, same_main: int
) -> None:
    again = read_sentences(GOLD / name, shared)
    first = {a.title: a for a in read_sentences(GOLD / "test_sentences.csv", shared)}
    one = [s.role for a in again for s in first[a.title].sentences]
    other = [s.role for a in again for s in a.sentences]
    assert (len(one), sum(a == b for a, b in zip(one, other, strict=True))) == (sentences, same)
    assert round(cohen_kappa_score(one, other), 2) == kappa
    agreed = [main_of(a) == main_of(first[a.title]) for a in again]
    assert (len(agreed), sum(agreed)) == (papers, same_main)


def main_of(abstract: GoldAbstract) -> int:
    return next(s.start for s in abstract.sentences if s.main == "yes")
