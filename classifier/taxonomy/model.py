"""The taxonomy as records: survey settings, facets, categories and cues.

The models define the shape of `taxonomy.yaml`. `classifier.taxonomy.references` checks rules that
involve several fields, such as an id that is used twice.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

_PART = "[a-z0-9]+(?:-[a-z0-9]+)*"
CATEGORY_ID = f"^{_PART}(?:/{_PART})*$"
FACET_ID = "^[a-z][a-z0-9_]*$"

NOT_STATED = "none"
"""The value in ledger, lock and queries if no category of a facet applies; never a category id."""

T = TypeVar("T", "Facet", "TypedColumn")
Text = Annotated[str, StringConstraints(min_length=1)]
CategoryId = Annotated[str, StringConstraints(pattern=CATEGORY_ID)]
FacetId = Annotated[str, StringConstraints(pattern=FACET_ID)]
WEB_ADDRESS = r"^(?:https?://\S+)?$"
WebAddress = Annotated[str, StringConstraints(pattern=WEB_ADDRESS)]
CONTACT = r"^(?:https?://\S+|[^\s@:/?]+@[^\s@:/?]+\.[^\s@:/?]+)?$"
Contact = Annotated[str, StringConstraints(pattern=CONTACT)]
COLOUR = r"^(?:#[0-9a-fA-F]{6})?$"
Colour = Annotated[str, StringConstraints(pattern=COLOUR)]
PICTURE = r"^(?:[\w-][\w.-]*\.(?:svg|png|jpg|webp))?$"
Picture = Annotated[str, StringConstraints(pattern=PICTURE)]
_SPDX_ID = r"[A-Za-z0-9][A-Za-z0-9.+-]*"
PARTIAL_DATE = r"^(?:\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?)?$"
PartialDate = Annotated[str, StringConstraints(pattern=PARTIAL_DATE)]


def name_from_id(identifier: str) -> str:
    """Return a readable name for an id.

    >>> name_from_id("training_material"), name_from_id("safety/red-teaming")
    ('Training material', 'Red teaming')
    """
    words = identifier.rpartition("/")[2].replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _default_name(fields: dict[str, Any]) -> str:
    return name_from_id(fields.get("id", ""))


class _Record(BaseModel):
    """A frozen record that rejects unknown keys and strips blanks from its texts."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, str_strip_whitespace=True, use_attribute_docstrings=True
    )


class Roles(_Record):
    """The facet, categories and lexicons for which the survey has special sections or pages."""

    contribution: FacetId = "contribution"
    """The facet on the kind of contribution of a paper."""
    benchmark: CategoryId = "benchmark"
    """Its category for papers that present a benchmark; their findings are printed."""
    study: CategoryId = "study"
    """Its category for studies; their findings are printed."""
    survey: CategoryId = "survey"
    """Its category for surveys of the field."""
    benchmarks: Text = "benchmarks"
    """The lexicon of benchmarks, on which results are compared."""
    models: Text = "models"
    """The lexicon of models."""
    unsolved: Text = "unsolved"
    """The lexicon of open problems: problem -> cues, read in some sentences only."""


DEFAULT_ROLES = Roles()


class SurveySettings(_Record):
    """The settings of the survey: title, editors, addresses and the papers to read."""

    title: Text
    """The title of the survey."""
    subtitle: str = ""
    """One line below the title."""
    editors: tuple[Text, ...] = ()
    """The people or the group responsible for the taxonomy and the claims."""
    scope: str = ""
    """The survey's scope, as Markdown."""
    abstract: str = ""
    """The editors' sentences in the abstract, as Markdown, printed with their names."""
    method: str = ""
    """The editors' account of how the survey was made, as Markdown, printed in its method."""
    licence: str = ""
    """The licence of the editors' texts and labels: an SPDX id such as `CC-BY-4.0`, which the site
    links, an SPDX expression, or any name."""
    base_url: WebAddress = ""
    """The address under which the site is published; only canonical links use it."""
    repository: WebAddress = ""
    """The address of the repository; without `feedback`, reports go to its issues."""
    feedback: Contact = ""
    """Target of "Wrong label?" and "Add a paper": the address of an issue form or a mailbox."""
    accent: Colour = ""
    """The colour of links, marks and figures, such as `"#7a2048"`; adapted for dark mode."""
    logo: Picture = ""
    """A picture in taxonomy/ printed before the title on every page, such as `logo.svg`."""
    sources: tuple[Text, ...] = ("papers/*",)
    """The files to survey: patterns relative to the project folder."""
    stop_words: Literal["english", "none"] | tuple[Text, ...] = "english"
    """Words that the classifier ignores: `english`, `none`, or a list of your own."""
    use_keywords: bool = True
    """Whether the classifier reads keywords and subject headings of the papers as text."""
    roles: Roles = DEFAULT_ROLES
    """The ids of the facet, categories and lexicons that have a section or page of their own."""

    @property
    def licence_id(self) -> str:
        """The licence if it is a single SPDX id, else ""."""
        return self.licence if re.fullmatch(_SPDX_ID, self.licence) else ""


class DesignMatrix(_Record):
    """Two facets whose categories are counted against each other in a matrix."""

    rows: FacetId
    """The facet whose categories are the rows."""
    columns: FacetId
    """The facet whose categories are the columns."""


class Figures(_Record):
    """The figures on the home page. Each figure is drawn only if there is data for it."""

    claims: bool = True
    """Whether to draw the claims, with a dot per paper on the side of its evidence."""
    levels: bool = True
    """Whether to draw the scores that papers report for their own systems on one benchmark."""
    matrix: DesignMatrix | None = None
    """The two facets of the matrix; none without this key."""


DEFAULT_FIGURES = Figures()


class Cues(_Record):
    """The phrases that seed a category, by the part of a paper in which they are counted."""

    title: tuple[Text, ...] = ()
    """Counted in the title only: nearly certain phrases."""
    contribution: tuple[Text, ...] = ()
    """Counted only in sentences that state what the paper does."""
    anywhere: tuple[Text, ...] = ()
    """Counted in the whole text, title and keywords included."""
    against: tuple[Text, ...] = ()
    """Phrases that are evidence against the category."""
    rejected: tuple[Text, ...] = ()
    """Phrases that are not cues of the category: `fieldguide check --suggest` no longer proposes
    them. They do not affect labels."""

    def views(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the name and the cues of each of the four lists, in a fixed order."""
        return tuple((view, getattr(self, view)) for view in CUE_VIEWS)

    def __bool__(self) -> bool:
        return any(cues for _, cues in self.views())


CUE_VIEWS = tuple(name for name in Cues.model_fields if name != "rejected")
"""The four lists of cues: `title` is counted in the title, `contribution` in every sentence of the
abstract, `anywhere` and `against` in both and in the keywords. Of an optional facet, which says
what a paper does, a `contribution` cue counts only where the paper says so: not in the problem, not
in the results."""


class Claim(_Record):
    """A statement of the editors, printed with their names."""

    text: Text
    """The statement, as Markdown."""
    by: Text
    """Who makes it."""
    on: PartialDate = ""
    """When it was made: `2025-10-15`, `2025-10` or `2025`; quote a bare year."""
    evidence: tuple[Text, ...] = ()
    """What an earlier version counted under it; nothing reads it now."""


class Category(_Record):
    """A category of a facet; its children have the same fields."""

    id: CategoryId
    """Words joined by hyphens, never changed; a child's id is `parent-id/own-part`."""
    core: bool = False
    """Whether the category counts in the core mean of the quality report."""
    out_of_scope: bool = False
    """Marks the one category for papers that do not belong; it is never combined with another."""
    name: Text = Field(default_factory=_default_name)
    """The name that readers see; it may change. Default: made from the id."""
    definition: str = ""
    """The definition, as Markdown; printed in the survey."""
    includes: tuple[Text, ...] = ()
    """Short phrases for what belongs to it."""
    excludes: tuple[Text, ...] = ()
    """Short phrases for what does not belong to it."""
    cues: Cues = Cues()
    """The phrases that seed the classifier. `_` is one open word, `word~` allows inflections."""
    exemplars: tuple[Text, ...] = ()
    """Titles of papers that certainly belong to it."""
    aliases: tuple[Text, ...] = ()
    """Former ids and names that reviewers may still write."""
    replaced_by: CategoryId | None = None
    """The category that this one was merged into; papers no longer get this one."""
    children: tuple[Category, ...] = ()
    """Sub-categories."""
    claims: tuple[Claim, ...] = ()
    """Statements of the editors about this category."""

    def walk(self) -> Iterator[Category]:
        """Yield this category and all categories below it, depth first, including retired ones."""
        yield self
        for child in self.children:
            yield from child.walk()


class Facet(_Record):
    """A question about every paper, with categories as answers."""

    id: str = ""
    """The key of the facet in `facets`; not repeated in the file."""
    name: Text = Field(default_factory=_default_name)
    """The name that readers see. Default: made from the id."""
    definition: str = ""
    """The question that the facet answers, as Markdown."""
    kind: Literal["multi", "single"]
    """`multi`: several categories may apply, one is primary. `single`: exactly one applies, or
    none where the facet `applies_to` some categories."""
    hidden: bool = False
    """Whether the facet is labelled and exported, but printed nowhere in the survey and its site.
    The first facet cannot be hidden."""
    at_most: Annotated[int, Field(ge=1)] | None = None
    """How many top categories a paper may have (`multi` only). Default: no limit."""
    applies_to: tuple[CategoryId, ...] = ()
    """Categories of the first facet to whose papers this facet applies; a paper may then have no
    answer. Default: all papers, each of which has an answer."""
    categories: Annotated[tuple[Category, ...], Field(min_length=1)]
    """The answers, in the order in which the survey prints them."""

    def walk(self, *, include_retired: bool = False) -> Iterator[Category]:
        """Yield the categories in use, depth first. include_retired: also the replaced ones."""
        yield from self._all_categories if include_retired else self._categories_in_use

    def get(self, identifier: str) -> Category | None:
        """Return the category with exactly this id, which may be retired, or None."""
        return self._categories_by_id.get(identifier)

    def resolve(self, text: str) -> Category | None:
        """Return the category with this id, name or alias, ignoring case; None if there is none.

        If a category was replaced, the result is its replacement; the same holds for its children.
        """
        found = self._categories_by_spelling.get(spelling_key(text))
        passed: set[str] = set()
        while found is not None and found.id in self._retired_ids and found.id not in passed:
            passed.add(found.id)
            found = self._categories_by_id.get(self._successor(found.id))
        return found

    @property
    def may_be_unstated(self) -> bool:
        """Whether a paper may have no category, because the facet applies only to some papers."""
        return bool(self.applies_to)

    @property
    def is_manual(self) -> bool:
        """Whether only reviewers can fill it in: it applies to some papers and has no cues."""
        return self.may_be_unstated and not any(category.cues for category in self.walk())

    def is_not_stated(self, text: str) -> bool:
        """Return whether `text` means that no category applies, if the facet allows this."""
        return self.may_be_unstated and spelling_key(text) == NOT_STATED

    def is_valid_answer(self, text: str) -> bool:
        """Return whether `text` is a valid answer: a category, or that no category applies."""
        return self.resolve(text) is not None or self.is_not_stated(text)

    def applies_to_topics(self, topics: Collection[str]) -> bool:
        """Return whether the facet applies to a paper with these categories of the first facet."""
        return not self.applies_to or any(topic in self.applies_to for topic in topics)

    def _successor(self, identifier: str) -> str:
        """Return the id of the category that replaced this one or its nearest replaced parent."""
        own = self._categories_by_id[identifier].replaced_by
        return own or self._successor(identifier.rpartition("/")[0])

    def top_id_of(self, identifier: str) -> str:
        """Return the id of the top category; for `benchmarks/judges` it is `benchmarks`."""
        return identifier.partition("/")[0]

    def top_ids_of(self, ids: Collection[str]) -> list[str]:
        """Return the top categories (in use) of these categories, in the taxonomy's order."""
        tops = {self.top_id_of(value) for value in ids}
        return [top for top in self.ids if top in tops]

    def leaves(self, ids: Collection[str]) -> list[str]:
        """Return these categories without those of which a child is given, in the taxonomy's order.

        If a child is given, its parent is implied.
        """
        return [
            category.id
            for category in self.walk()
            if category.id in ids and not any(other.startswith(f"{category.id}/") for other in ids)
        ]

    def violated_rule(
        self, ids: Collection[str]
    ) -> Literal["", "out of scope", "single", "at most"]:
        """Return the rule that this combination of categories violates, or "".

        `out of scope`: the out-of-scope category is combined with another. `single`: more than one
        category. `at most`: too many top categories.
        """
        tops = self.top_ids_of(ids)
        if self.out_of_scope and self.out_of_scope.id in tops and len(tops) > 1:
            return "out of scope"
        if self.kind == "single" and len(self.leaves(ids)) > 1:
            return "single"
        return "at most" if self.at_most and len(tops) > self.at_most else ""

    @cached_property
    def tops(self) -> tuple[Category, ...]:
        """The top categories in use, in the taxonomy's order."""
        return tuple(top for top in self.categories if not top.replaced_by)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of the top categories in use."""
        return tuple(top.id for top in self.tops)

    @cached_property
    def out_of_scope(self) -> Category | None:
        """The category for papers that are outside the survey's scope, or None."""
        return next((category for category in self.walk() if category.out_of_scope), None)

    @cached_property
    def _all_categories(self) -> tuple[Category, ...]:
        """All categories, depth first."""
        return tuple(category for top in self.categories for category in top.walk())

    @cached_property
    def _categories_in_use(self) -> tuple[Category, ...]:
        """All categories that are not retired, depth first."""
        return tuple(
            category for category in self._all_categories if category.id not in self._retired_ids
        )

    @cached_property
    def _categories_by_id(self) -> dict[str, Category]:
        """All categories by id."""
        return {category.id: category for category in self._all_categories}

    @cached_property
    def _categories_by_spelling(self) -> dict[str, Category]:
        """All categories by normalised id, name and alias."""
        return self.by_normalised_name(spelling_key)

    def by_normalised_name(self, normalise: Callable[[str], str]) -> dict[str, Category]:
        """Return all categories by id, name and alias, each normalised with `normalise`.

        An id takes precedence over a name, a name over an alias, and an earlier category over a
        later one.
        """
        ids = [(each.id, each) for each in self._all_categories]
        names = [(each.name, each) for each in self._all_categories]
        aliases = [(alias, each) for each in self._all_categories for alias in each.aliases]
        return {normalise(name): each for name, each in reversed([*ids, *names, *aliases])}

    @cached_property
    def _retired_ids(self) -> frozenset[str]:
        """Ids of the replaced categories and of all categories below them."""
        return frozenset(
            below.id
            for category in self._categories_by_id.values()
            if category.replaced_by
            for below in category.walk()
        )


def mark_as_promised(value: str) -> str:
    """Mark a value of a typed column as only announced.

    >>> mark_as_promised("code")
    'code (promised)'
    """
    return f"{value} (promised)"


class TypedColumn(_Record):
    """A property of papers that has a type: a column in tables, the sheet and the exports."""

    id: str = ""
    """The key of the column in `columns`; not repeated in the file."""
    name: Text = Field(default_factory=_default_name)
    """The name that readers see. Default: made from the id."""
    definition: str = ""
    """What a value means, as Markdown."""
    kind: Literal["text", "number", "one of", "date"]
    """`text`: a name of `lexicon`, or any text by hand. `number`: a number with one of `units`.
    `one of`: one of `values`. `date`: a year, a month or a day."""
    applies_to: tuple[CategoryId, ...] = ()
    """Categories of the first facet whose papers have the column. Default: all papers."""
    several: bool = False
    """Whether a paper may have several values. Default: the first one in its text."""
    lexicon: str = ""
    """The lexicon whose names are values (`text` only). Default: filled by hand."""
    units: dict[Text, tuple[Text, ...]] = {}
    """Unit -> other spellings (`number` only)."""
    values: dict[Text, tuple[Text, ...]] = {}
    """Value -> the cues that state it (`one of` only)."""
    promised: tuple[Text, ...] = ()
    """Cues of an announcement, such as `will be` (`one of` only): the value `code` of “code will be
    released” is `code (promised)`, unless the text also states `code`."""
    cues: tuple[Text, ...] = ()
    """Phrases that state a value; `VALUE` is its place: `dose~ of VALUE`. A cue without `VALUE`
    only has to be in the same sentence. Default: every sentence, except problems and limits."""
    against: tuple[Text, ...] = ()
    """Phrases of the same form whose value, or whose sentence, does not count."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of a column of kind `one of`, the promised ones last."""
        return (*self.values, *(map(mark_as_promised, self.values) if self.promised else ()))

    def applies_to_topics(self, topics: Collection[str]) -> bool:
        """Return whether the column applies to papers with these categories of the first facet."""
        return not self.applies_to or any(topic in self.applies_to for topic in topics)


class Taxonomy(_Record):
    """A complete taxonomy. The survey is grouped by the first facet."""

    survey: SurveySettings
    """The survey itself: its title, its editors, its sources."""
    facets: Annotated[dict[FacetId, Facet], Field(min_length=1)]
    """The facets by id; the survey is grouped by the first."""
    lexicons: dict[Text, dict[Text, tuple[Text, ...]]] = {}
    """Names to recognise: lexicon -> name -> spellings; or the name of a file with these."""
    figures: Figures = DEFAULT_FIGURES
    """The figures on the home page."""
    landmarks: dict[Text, tuple[Text, ...]] = {}
    """Works that readers expect, name -> further spellings, in the case in which texts write them;
    the survey lists those that are not among its papers and that three papers name."""
    columns: dict[FacetId, TypedColumn] = {}
    """Typed columns by id, in the order of the tables."""

    @field_validator("facets", "columns", mode="before")
    @classmethod
    def _set_ids(cls, records: Any) -> Any:
        """Set the id of each facet and each column to its key."""
        if not isinstance(records, dict):
            return records
        return {
            key: {**record, "id": key} if isinstance(record, dict) else record
            for key, record in records.items()
        }

    @model_validator(mode="after")
    def _resolve_aliases(self) -> Taxonomy:
        """Replace former ids of categories in `applies_to` by their current ids."""
        first, *_ = self.facets.values()
        categories = [each for top in first.categories for each in top.walk()]
        current = {alias: each.id for each in categories for alias in each.aliases}

        def resolve_aliases(records: dict[str, T]) -> dict[str, T]:
            """Replace former ids in `applies_to` of all records."""
            followed = {}
            for key, record in records.items():
                ids = tuple(current.get(each, each) for each in record.applies_to)
                is_same = record is first or ids == record.applies_to
                followed[key] = record if is_same else record.model_copy(update={"applies_to": ids})
            return followed

        facets, columns = resolve_aliases(self.facets), resolve_aliases(self.columns)
        if facets == self.facets and columns == self.columns:
            return self
        return self.model_copy(update={"facets": facets, "columns": columns})

    @cached_property
    def visible(self) -> Taxonomy:
        """The taxonomy without hidden facets."""
        facets = {name: facet for name, facet in self.facets.items() if not facet.hidden}
        return self.model_construct(
            survey=self.survey,
            facets=facets,
            lexicons=self.lexicons,
            figures=self.figures,
            landmarks=self.landmarks,
            columns=self.columns,
        )

    @property
    def roles(self) -> Roles:
        """The ids of the facet, categories and lexicons that have special roles in the survey."""
        return self.survey.roles

    @property
    def open_problems(self) -> Mapping[str, tuple[str, ...]]:
        """The lexicon of open problems (cues by problem); {} if there is none."""
        return self.lexicons.get(self.roles.unsolved, {})

    @property
    def first(self) -> Facet:
        """The facet by which the survey is grouped."""
        return next(iter(self.facets.values()))

    def facet(self, identifier: str) -> Facet:
        """Return the facet with this id, or raise KeyError."""
        return self.facets[identifier]

    @cached_property
    def stop_words(self) -> tuple[str, ...]:
        """The lower-case words that the classifier ignores."""
        setting = self.survey.stop_words
        if setting == "english":
            from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # late: slow to import

            return tuple(sorted(ENGLISH_STOP_WORDS))
        return () if setting == "none" else tuple(word.lower() for word in setting)

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits that change if the meaning of a label may have changed.

        The digest covers ids, names, definitions, includes and excludes. It does not cover cues,
        claims and texts of the survey.
        """
        meaning = [
            [
                facet.id,
                [
                    [each.id, each.name, each.definition, each.includes, each.excludes]
                    for each in facet.walk(include_retired=True)
                ],
            ]
            for facet in self.facets.values()
        ]
        canonical = json.dumps(meaning, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def spelling_key(text: str) -> str:
    """Normalise a name for comparison, ignoring case and blanks."""
    return " ".join(text.split()).casefold()
