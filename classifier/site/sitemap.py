"""opensearch.xml: by which a browser offers the search of a published site in its address bar."""

from __future__ import annotations

from dataclasses import dataclass

from classifier.site.exports.sitemap import canonical
from classifier.survey.document import Document

# https://github.com/dewitt/opensearch/blob/master/opensearch-1-1-draft-6.md
_LONGEST_NAME = 16
_LONGEST_DESCRIPTION = 1024


@dataclass(frozen=True, slots=True)
class SearchDescription:
    """What an OpenSearch description says."""

    short_name: str
    """At most 16 characters."""
    description: str
    address: str
    """With `{searchTerms}` where the words go."""


def search_description(document: Document, base_url: str) -> SearchDescription:
    """Return the description of the search of a site that is published at `base_url`."""
    return SearchDescription(
        short_name(document.title),
        document.subtitle[:_LONGEST_DESCRIPTION] or document.title,
        f"{canonical(base_url, 'browse.html')}?q={{searchTerms}}",
    )


def short_name(title: str) -> str:
    """Return as many whole words of a title as sixteen characters hold.

    >>> short_name("Agentic artificial intelligence"), short_name("Counterrevolutionaries")
    ('Agentic', 'Counterrevolutio')
    """
    if len(title) <= _LONGEST_NAME:
        return title
    words = title[: _LONGEST_NAME + 1].rpartition(" ")[0]
    return words or title[:_LONGEST_NAME]
