"""Which papers are exported, and what is said where none can be meant."""

from __future__ import annotations

import pytest

from classifier.errors import UsageError
from classifier.site.exports.labelled import select_papers
from classifier.survey.keys import NAMES
from classifier.survey.survey import Survey

HOOKS, SONG, BARE = "arxiv:2401.10230", "doi:10.1000/abc", "p-0123456789"


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ({}, [HOOKS, SONG, BARE]),
        ({"category": "tools"}, [HOOKS]),
        ({"category": "Tools & hooks"}, [HOOKS]),
        ({"category": "tools/hooks"}, [HOOKS]),
        ({"category": "song"}, [HOOKS, SONG, BARE]),
        ({"category": "song", "filed": True}, [SONG, BARE]),
        ({"category": "flight"}, []),
        ({"query": "code=yes"}, [HOOKS]),
        ({"query": "browse.html?filed=song&year=2023&sort=title&page=2#x"}, [SONG]),
        ({"query": "topic=tools%2Fhooks"}, [HOOKS]),
        ({"query": "filed=flight"}, []),
        ({"query": "all"}, [HOOKS, SONG, BARE]),
        ({"query": "year=2023&year=2024"}, [HOOKS, SONG]),
        ({"query": "year=2023&year=2024&code=yes"}, [HOOKS]),
        ({"category": "song", "query": "topic=tools"}, [HOOKS]),
        ({"category": "song", "query": "year=undated"}, [BARE]),
    ],
)
def test_papers_are_chosen_by_category_and_query(
    survey: Survey, asked: dict[str, str], ids: list[str]
) -> None:
    selection = select_papers(survey, **asked)  # type: ignore[arg-type]
    assert [entry.paper.id for entry in selection.entries] == ids
    assert len(selection.keys) == 3


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"category": "crumbs"},
            "--category: 'crumbs' is not a category of topic; expected one of flight, song, tools.",
        ),
        ({"filed": True}, "--filed needs --category. Add --category ID."),
        (
            {"category": "tools/hooks", "filed": True},
            "--filed: 'tools/hooks' is a subcategory, and papers are filed only under top categories. Choose its top category.",
        ),
        (
            {"query": "code"},
            "--query 'code': is not a query; expected the part after the ? in the address of "
            "browse.html, such as 'code=yes&filed=benchmarks'. Put it in quotes.",
        ),
        (
            {"query": "size=3"},
            "--query: found key 'size'; expected one of "
            f"{', '.join(sorted({'contribution', 'topic', *NAMES}))}.",
        ),
        (
            {"query": "year=1999"},
            "--query: no paper has year=1999; papers have 2023, 2024, undated.",
        ),
        (
            {"query": "q=crows"},
            "--query: words (q=…) are searched only on the browse page. Remove q, or download the "
            "papers from that page.",
        ),
    ],
)
def test_what_cannot_be_meant_is_told_with_what_can(
    survey: Survey, asked: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError) as error:
        select_papers(survey, **asked)  # type: ignore[arg-type]
    assert str(error.value).replace("tools, song, flight", "flight, song, tools") == message
