"""What it takes to print any page: the edition, the templates, and who lies where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment

from classifier.site import paths
from classifier.site.benchmarks_page import LEXICON
from classifier.site.blocks import Relink
from classifier.site.exports.cite_keys import cite_keys
from classifier.site.exports.feeds import Feed, feeds
from classifier.site.exports.sitemap import canonical
from classifier.site.listing import Catalogue, make_catalogue, paged_categories
from classifier.site.markdown import byline
from classifier.site.markup import inline_to_html
from classifier.site.metadata import Metadata
from classifier.site.narrow import arrangement, content_digest, narrow_edition, without_remarks
from classifier.site.plate import Bundle, File, Plate, digest_of
from classifier.site.survey_page import anchors
from classifier.site.template_digests import TemplateDigests
from classifier.site.templating import make_environment, style_sheets
from classifier.survey.changes.compare import Changes
from classifier.survey.changes.move import Move
from classifier.survey.edition import Edition


@dataclass(frozen=True, slots=True)
class Annex:
    """What other steps of a build know that pages show, too."""

    entries: str = ""
    """A digest of all that the entries of the edition are made of, but for their numbers and what
    the editors say of them; "" where that is not known."""
    metrics: Mapping[str, object] = field(default_factory=dict)
    """What metrics.json holds."""
    changes: Changes | None = None
    """What changed since the baseline, where there is one."""
    held: Sequence[Move] = ()
    """Labels that the lock keeps from moving."""


@dataclass(frozen=True, slots=True)
class Press:
    """What it takes to print any page: the edition, the templates, and who lies where."""

    edition: Edition
    environment: Environment
    catalogue: Catalogue
    keys: Mapping[str, str]
    """Paper id -> cite key."""
    pages: Mapping[str, str]
    """Paper id -> path of its page."""
    pages_by_number: Mapping[int, str]
    """Reference number -> path of the paper's page."""
    pages_by_anchor: Mapping[str, str]
    """Anchor of the survey -> path of the page of its section."""
    written: Mapping[str, int]
    """Files that are made by now, those beside the pages first: path -> bytes."""
    feeds: Mapping[str, Feed]
    """Path without ending (`feed`, `c/safety`) -> the feed that lies there."""
    frame: Mapping[str, object]
    """What the frame of every page shows."""
    digests: TemplateDigests
    """Of each template, with what it prints of the frame."""
    content: str
    """A digest of all that a narrow press prints (`site/narrow.py`), but for the arrangement of
    papers; "" where that is not known."""
    arranged: str
    """A digest of that arrangement."""

    @property
    def narrow(self) -> Press:
        """The press for what shows no prose."""
        edition = narrow_edition(self.edition)
        return replace(self, edition=edition, catalogue=replace(self.catalogue, edition=edition))

    @property
    def unremarked(self) -> Press:
        """The press for what shows no remark of the editors."""
        edition = without_remarks(self.edition)
        catalogue = replace(self.catalogue, edition=edition)
        arranged = arrangement(edition)
        return replace(self, edition=edition, catalogue=catalogue, arranged=arranged)

    def bundle(
        self, name: str, files: Callable[[], Iterable[File]], *made_of: object
    ) -> Iterator[File]:
        """Yield files that a narrow press prints, as a bundle where it is known what they are.

        made_of: what else they are made of.
        """
        if self.content:
            yield Bundle(name, digest_of(name, self.content, self.arranged, made_of), files)
        else:
            yield from files()

    def page(
        self, path: str, template: str, *, metadata: Metadata | None = None, **content: object
    ) -> Plate:
        """Return the plate of the page at `path`, for which `template` is filled with records."""
        address = canonical(str(self.frame["base_url"]), path)
        return Plate(
            path,
            digest_of(self.digests.of(template), path, address, metadata, sorted(content.items())),
            lambda: self.environment.get_template(template).render(
                self.frame,
                root=paths.root_of(path),
                path=path,
                canonical=address,
                metadata=metadata,
                **content,
            ),
        )

    def plain(self, path: str, template: str = "", **content: object) -> Plate:
        """Return the plate of a file that is no page: without a frame."""
        template = template or path
        return Plate(
            path,
            digest_of(self.digests.of(template), sorted(content.items())),
            lambda: self.environment.get_template(template).render(content),
        )

    def relink(self, path: str) -> Relink:
        """Return what makes the links of survey Markdown work on the page at `path`."""
        root = paths.root_of(path)
        by_number, by_anchor = self.pages_by_number, self.pages_by_anchor
        return lambda markdown: paths.rebase_links(markdown, root, by_number, by_anchor)


def make_press(
    edition: Edition,
    project_template_folders: Sequence[Path],
    written: Mapping[str, int] = MappingProxyType({}),
    entries: str = "",
) -> Press:
    """Return the press for an edition; `written` may grow while it is used.

    entries: as in `Annex`.
    """
    environment = make_environment(project_template_folders)
    document, base_url = edition.document, edition.taxonomy.survey.base_url
    names = any(entry.names.get(LEXICON) for entry in edition.entries)
    frame = {
        "base_url": base_url,
        "document": document,
        "byline": inline_to_html(byline(document)),
        # Every edit makes a new version: a frame that showed it would print every page anew.
        "imprint": inline_to_html(byline(document, with_version=False)),
        "style_sheets": style_sheets(environment),
        "has_benchmarks": names,
        "has_method": any(section.id == "method" for section in document.sections),
    }
    narrow = narrow_edition(edition)
    lists = make_catalogue(narrow)
    catalogue = replace(lists, edition=edition, paged=tuple(paged_categories(edition)))
    return Press(
        edition=edition,
        environment=environment,
        catalogue=catalogue,
        keys=cite_keys([entry.paper for entry in edition.entries]),
        pages={entry.paper.id: paths.paper_page(entry) for entry in edition.entries},
        pages_by_number={entry.number: paths.paper_page(entry) for entry in edition.entries},
        pages_by_anchor=anchors(document),
        written=written,
        feeds={feed.base: feed for feed in feeds(narrow, lists.paged)},
        frame=frame,
        digests=TemplateDigests(environment, frame),
        content=content_digest(narrow, entries) if entries else "",
        arranged=arrangement(narrow),
    )
