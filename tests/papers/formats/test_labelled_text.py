"""Exports whose labels stand for the tags of RIS; the samples are ours, their shapes are real."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.files.content import text_content
from classifier.papers.formats import reader_for
from classifier.papers.formats.ris import LABELLED_TEXT
from classifier.papers.paper import Paper

REFWORKS = """\
RT Journal Article
SR 1
A1 安奥文;李面粉;
AD 面包大学;
T1 面包识别研究
JF 面包学报
YR 2020
IS 03
vo 12
OP 1-10
K1 面包;识别
AB 针对面包。
SN 1000-0001

"""
NOTE_EXPRESS = """\
{Reference Type}: Journal Article
{Title}: 面包识别研究
{Author}: 安奥文;李面粉
{Journal}: 面包学报
{Year}: 2020
{Volume}: 12
{Issue}: 03
{Pages}: 1-10
{Keywords}: 面包;识别
{Abstract}: 针对面包。
{ISBN/ISSN}: 1000-0001

"""
COCHRANE = """\
Record #1 of 1
ID: CN-1
AU: 安奥文
AU: 李面粉
TI: 面包识别研究
SO: 面包学报
YR: 2020
VL: 12
NO: 03
PG: 1-10
PT: Journal article
KY: *面包; 识别
AB: 针对面包。

"""
OVID = """\
<1>
UI  - 31234567
TI  - 面包识别研究
AU  - 安奥文
AU  - 李面粉
SO  - 面包学报. 12(03):1-10, 2020 Mar.
PT  - Journal Article
KW  - 面包
KW  - 识别
AB  - 针对面包。
YR  - 2020

"""


def read(text: str) -> list[Paper]:
    records = LABELLED_TEXT.read(text_content("a.txt", text))
    return [record for record in records if isinstance(record, Paper)]


@pytest.mark.parametrize("text", [REFWORKS, NOTE_EXPRESS, COCHRANE, OVID])
def test_dialects(text: str) -> None:
    assert reader_for(text_content("a.txt", text)) is LABELLED_TEXT
    first, second = read(text + text)
    assert first.title == second.title == "面包识别研究"
    assert first.authors == ("安奥文", "李面粉")
    assert (first.abstract, first.venue, first.published.date) == (
        "针对面包。", "面包学报", "2020",
    )  # fmt: skip
    assert first.keywords == ("面包", "识别")
    assert dict(first.reference)["type"] == "article-journal"
    if text != OVID:  # which has them in one line with the journal
        numbers = {name: dict(first.reference)[name] for name in ("volume", "issue", "page")}
        assert numbers == {"volume": "12", "issue": "03", "page": "1-10"}


@given(st.text(alphabet="RT1A{}:<>#-\n abc") | st.text())
def test_any_text_is_read(text: str) -> None:
    for start in (REFWORKS, NOTE_EXPRESS, COCHRANE, OVID):
        assert read(start + text)


@pytest.mark.parametrize("sign", ["RT Ab\n", "<1>\n", "{", "<1", "Record #1 of 2\n", "TI: "])
def test_rubbish_takes_no_longer_than_its_length(sign: str) -> None:
    before = time.process_time()
    content = text_content("a.txt", sign * 100_000)
    if not LABELLED_TEXT.why_not(content):
        list(LABELLED_TEXT.read(content))
    assert time.process_time() - before < 5
