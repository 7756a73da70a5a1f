from __future__ import annotations

import re
from dataclasses import replace

import pytest
from browsing import WRITTEN_ELSEWHERE

from classifier.site.checks.links import check_site
from classifier.site.render import moved_categories, render_site
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Category, Facet, Taxonomy

HOME = "https://example.org/b"


def category(identifier: str, **fields: object) -> dict[str, object]:
    return {"id": identifier, **fields}


def moved(*categories: dict[str, object], paged: str) -> dict[str, str]:
    """Return where former ids lead when the categories `paged` have a page."""
    facet = Facet.model_validate({"kind": "multi", "categories": categories})
    return moved_categories(facet, [Category(id=name) for name in paged.split()])


@pytest.mark.parametrize(
    ("categories", "expected"),
    [
        ([category("song", aliases=["singing", "Song & dance"])], {"singing": "song"}),
        ([category("song"), category("calls", replaced_by="song")], {"calls": "song"}),
        (
            [
                category("song"),
                category("calls", replaced_by="song", children=[category("calls/alarm")]),
            ],
            {"calls": "song", "calls/alarm": "song"},
        ),
        (
            [category("song", children=[category("song/dawn", aliases=["dawn"])])],
            {"dawn": "song"},
        ),
        ([category("song", aliases=["flight"]), category("flight")], {}),
        ([category("song", aliases=["song"])], {}),
    ],
)
def test_a_former_id_leads_to_the_nearest_page(
    categories: list[dict[str, object]], expected: dict[str, str]
) -> None:
    assert moved(*categories, paged="song flight") == expected


@pytest.fixture(scope="module")
def renamed(survey: Survey) -> Survey:
    """The edition after a paper got its arXiv id, and after a category was renamed."""
    first, *others = survey.entries
    fields = survey.taxonomy.model_dump()
    _, song, *_ = fields["facets"]["topic"]["categories"]
    song["aliases"] = ("singing", "tools", "Singing & whistling")
    fields["survey"]["base_url"] = HOME
    taxonomy = Taxonomy.model_validate(fields)
    aliases = ("doi:10.1000/abc", "p-00000000aa")  # the first is the id of another paper
    return replace(survey, taxonomy=taxonomy, entries=(replace(first, aliases=aliases), *others))


@pytest.fixture(scope="module")
def renamed_site(renamed: Survey) -> dict[str, bytes]:
    return render_site(renamed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p/p-00000000aa.html", "p/arxiv-2401.10230.html"),
        ("c/singing.html", "c/song.html"),
    ],
)
def test_an_old_address_leads_to_the_new_one_without_a_script(
    old: str, new: str, renamed_site: dict[str, bytes]
) -> None:
    page = renamed_site[old].decode()
    assert f'<meta http-equiv="refresh" content="0; url=../{new}">' in page
    assert f'<link rel="canonical" href="{HOME}/{new}">' in page
    assert f'<a href="../{new}">' in page
    assert "<script" not in page


def test_a_stub_takes_the_place_of_no_page(
    renamed_site: dict[str, bytes], site: dict[str, bytes]
) -> None:
    assert b"Moved" not in renamed_site["p/doi-10.1000-abc.html"]
    assert b"Moved" not in renamed_site["c/tools.html"]
    assert set(renamed_site) - set(site) == {
        "c/singing.atom",
        "c/singing.html",
        "p/p-00000000aa.html",
        "robots.txt",  # with the sitemap: only a survey with an address on the web has them
        "sitemap.xml",
    }
    assert check_site(renamed_site, other_paths=WRITTEN_ELSEWHERE) == []


def test_who_follows_a_feed_under_its_old_address_gets_the_new_papers(
    renamed_site: dict[str, bytes],
) -> None:
    titles = {
        path: re.findall("<entry>\n<title>(.+?)</title>", renamed_site[path].decode())
        for path in ("c/singing.atom", "c/song.atom")
    }
    assert titles["c/singing.atom"] == titles["c/song.atom"] != []
