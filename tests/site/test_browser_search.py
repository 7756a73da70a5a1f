"""Search while typing, in a browser: on the disk and over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from browsing import tab_to_search, watched
from inline_snapshot import snapshot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RYE = "Keeping a Rye Starter Alive on Four Feedings a Month"

# Five papers that hold one word in each place, and what it takes to tell them apart.
SMALL = {
    "keys": [
        {"id": "names", "name": "Names", "searched": True, "values": [["a", "WebArena", ""]]},
    ],
    "titles": ["Text only", "By author", "By name", "The crumb", "SWE-bench and GPT-4.1",
               "The τ²-test"],
    "authors": ["", "Łukasz Crumb", "", "", "Zoë Ångström", ""],
    "organisations": ["", "Rye & Mill Institute", "", "", "", ""],
    "code": ["", "", "", "github.com/Miche-Labs/crumb", "", ""],
    "texts": ["A crumb, coding.", "", "", "", "Müller's 自动 proofing of reinforcement realised",
              ""],
    "terms": [[], [], [0], [], [], []],
}  # fmt: skip


@pytest.fixture(scope="module")
def words(browser: Browser, bread_folder: Any) -> Iterator[Page]:
    """A page on which the parts of the search are loaded."""
    page = browser.new_page()
    page.goto((bread_folder / "index.html").as_uri())
    page.evaluate("fieldguide.load().then(() => null)")
    yield page
    page.close()


def find(words: Page, query: str, index: dict[str, Any] = SMALL) -> dict[str, Any]:
    """Return what the engine answers over a small index."""
    script = """([index, query]) => {
      const { terms } = index;
      const names = (paper) => (
        [terms[paper].map((number) => index.keys[0].values[number][1]), []]
      );
      const found = fieldguide.makeEngine(index, names).find(query);
      return { ...found, titles: found.papers.map((paper) => index.titles[paper]) };
    }"""
    answer: dict[str, Any] = words.evaluate(script, [index, query])
    return answer


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("crumb", ["The crumb", "Text only", "By author"]),  # title before text and authors
        ("Cru", ["The crumb", "Text only", "By author"]),  # the beginning of a word
        ("CRU*", ["The crumb", "Text only", "By author"]),  # in any case
        ("lukasz", ["By author"]),  # accents are no matter
        ("Angstrom zoe", ["SWE-bench and GPT-4.1"]),
        ("muller", ["SWE-bench and GPT-4.1"]),
        ("mill institute", ["By author"]),  # whoever stands behind a paper, too
        ("webarena", ["By name"]),
        ("web arena", ["By name"]),  # the parts of a name, too
        ("arena", ["By name"]),
        ("swebench", ["SWE-bench and GPT-4.1"]),
        ("swe-bench", ["SWE-bench and GPT-4.1"]),
        ("gpt 4.1", ["SWE-bench and GPT-4.1"]),
        ("自", ["SWE-bench and GPT-4.1"]),  # scripts without spaces by the character
        ("crumbs", ["The crumb", "Text only", "By author"]),  # the singular, too
        ("code", ["Text only"]),  # and what drops its e before -ing
        ("realized", ["SWE-bench and GPT-4.1"]),  # in British spelling or American
        ("proofed", ["SWE-bench and GPT-4.1"]),  # by the stem where few hold the word
        ("the crumb of a", ["The crumb", "Text only", "By author"]),  # small words say nothing
        ("", []),
        ("?!", []),
        ("tau2-test", ["The τ²-test"]),  # a Greek letter by its name, and by itself
        ("τ²", ["The τ²-test"]),
        ("crumb-made", ["The crumb", "Text only", "By author"]),  # no name
        ("SWE-bench-9", ["SWE-bench and GPT-4.1"]),  # where no paper has the name, by its parts
    ],
)
def test_words_are_found_where_readers_look_for_them(
    words: Page, query: str, titles: list[str]
) -> None:
    assert find(words, query)["titles"] == titles


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("crunb", "crumb"),  # another letter
        ("crub", "crumb"),  # one too few
        ("crrumb", "crumb"),  # one too many
        ("curmb", "crumb"),  # two swapped
        ("reinforcemnt lerning", "reinforcement"),
        ("prooofing", "proofing"),
    ],
)
def test_a_misspelt_word_is_read_as_the_nearest(words: Page, query: str, read: str) -> None:
    answer = find(words, query)
    assert answer["titles"]
    assert answer["readings"][0] == [query.split()[0], read]


@pytest.mark.parametrize(
    "query",
    # capitalised; near a person's name; another first letter; two errors; near a beginning
    ["Crunb", "lucasz", "trumb", "reinfrocemnt", "reiforcment", "reiforces"],
)
def test_what_looks_like_a_name_or_begins_otherwise_is_read_as_it_stands(
    words: Page, query: str
) -> None:
    answer = find(words, query)
    assert (answer["titles"], answer["readings"]) == ([], [])


def test_a_name_or_a_short_word_is_found_whole_where_some_paper_holds_it(words: Page) -> None:
    small = {
        **SMALL,
        "titles": ["Reactive crumbs", "Loops"],
        "texts": ["", "A ReAct-style loop at $0.34."],
        "authors": ["", ""], "organisations": ["", ""], "code": ["", ""], "terms": [[], []],
    }  # fmt: skip
    answer = find(words, "ReAct", small)
    assert (answer["titles"], answer["more"]) == (["Loops"], 0)
    assert find(words, "react*", small)["titles"] == ["Loops", "Reactive crumbs"]
    verb = {**small, "titles": ["Ovens react", "Loops"]}
    assert find(words, "ReAct", verb)["titles"] == ["Loops"]
    assert find(words, "react", verb)["titles"] == ["Ovens react", "Loops"]
    only = {**verb, "texts": ["", "They react."]}
    answer = find(words, "ReAct", only)
    assert (answer["titles"], answer["missing"]) == ([], ["No paper names “ReAct”."])
    motion = {**small, "titles": ["Locomotion of crumbs", "Loops"]}
    answer = find(words, "LoCoMo", motion)
    assert (answer["titles"], answer["more"]) == ([], 0)
    assert find(words, "loop", small)["titles"] == ["Loops"]
    for price in ("$", "dollar", "costs in dollars", "$0.34"):
        assert find(words, price, small)["titles"] == ["Loops"]


@pytest.mark.parametrize(
    ("query", "titles", "missing"),
    [
        ("SWE-Gym", ["SWE-bench and GPT-4.1"], "“SWE-Gym”; these have parts of it"),
        ("GPT-4", ["SWE-bench and GPT-4.1"], "“GPT-4”; these have parts of it"),  # and no GPT-4.1
        ("CRU", [], "“CRU”"),  # is no crumb
        ("WebAr", ["By name"], "“WebAr”; these have a word that begins like it"),
        ("SWE-bench", ["SWE-bench and GPT-4.1"], ""),
        ("crumb XyZ", ["The crumb", "Text only", "By author"], "“XyZ”"),
    ],
)
def test_a_name_that_no_paper_holds_is_told(
    words: Page, query: str, titles: list[str], missing: str
) -> None:
    answer = find(words, query)
    assert answer["titles"] == titles
    assert answer["missing"] == ([f"No paper names {missing}."] if missing else [])


def test_the_sentence_that_holds_the_most_words_is_shown(words: Page) -> None:
    whole = "We bake. The crumb of RyeBench is old. On Rye-Bench, coding and ovens help."
    script = """([index, query, whole]) => {
      const engine = fieldguide.makeEngine(index, () => [[], []]);
      return fieldguide.bestSentence(engine, engine.find(query), "We bake …", whole);
    }"""

    def said(query: str) -> str:
        shown: str = words.evaluate(script, [SMALL, query, whole])
        return shown

    assert said("RyeBench") == snapshot("The crumb of RyeBench is old.")
    assert said("code for Rye-Bench") == snapshot("On Rye-Bench, coding and ovens help.")
    assert said("crunb") == snapshot("The crumb of RyeBench is old.")  # as it is read
    assert said("bake") == said("Angstrom") == "We bake …"
    whole = "A crumb is rarely coded. We bake it. The crumb is coded as rye."
    assert said("code of a crumb") == "The crumb is coded as rye."  # not the motivation


def test_an_abbreviation_and_its_long_form_find_the_same(words: Page) -> None:
    small = {
        **SMALL,
        "titles": ["Long", "Short", "Both", "Neither"],
        "texts": ["Slow leaven rising.", "SLR.", "Slow-leaven risings (SLR)", "Slow rising."],
        "authors": [""] * 4, "organisations": [""] * 4, "code": [""] * 4, "terms": [[]] * 4,
        "abbreviations": [["SLR", "slow leaven rising"]],
    }  # fmt: skip
    for query in ("SLR", "slr", "Slow Leaven Rising", "slow-leaven risings"):
        answer = find(words, query, small)
        assert sorted(answer["titles"]) == ["Both", "Long", "Short"]
        typed = [[query.upper(), "or", "slow leaven rising"]] if "lr" in query.lower() else []
        assert [[one.upper(), *read.split(" ", 2)[1:]] for one, read in answer["readings"]] == typed


def test_a_word_that_asks_for_a_page_is_read_as_no_other(words: Page) -> None:
    small = {**SMALL, "places": [["What is crunb", "section", "#crunb", "", "crumn"]]}
    for query in ("crunb", "crumn unsaid"):
        answer = find(words, query, small)
        assert (answer["titles"], answer["readings"]) == ([], [])
    assert find(words, "crumn")["readings"] == [["crumn", "crumb"]]


def test_an_organisation_is_found_by_its_code_and_told_for_how_many_papers(words: Page) -> None:
    answer = find(words, "miche papers")
    assert (answer["titles"], answer["affiliated"]) == (["The crumb"], 1)
    assert find(words, "mill")["affiliated"] == 1
    assert find(words, "crumb")["affiliated"] is None


@pytest.mark.parametrize("query", ["cat", "crxxb", "xyzzy"])
def test_what_nothing_is_like_finds_nothing(words: Page, query: str) -> None:
    assert find(words, query)["titles"] == []


def test_near_words_are_offered_where_nothing_is_found(words: Page) -> None:
    assert find(words, "angstrm")["similar"] == ["angstrom"]  # a person, whom no word is read as
    assert find(words, "reinfrocemnt")["similar"] == ["reinforcement"]  # two errors in a long word
    for query in ("crixb", "WebAerna", "argstrom"):  # short, a name, begins otherwise
        answer = find(words, query)
        assert (answer["titles"], answer["similar"]) == ([], [])


def test_all_words_are_wanted_else_most_of_them(words: Page) -> None:
    assert find(words, "crumb author")["titles"] == ["By author"]
    most = find(words, "crumb author xyzzy")
    assert (most["titles"], most["nMatched"], len(most["words"])) == (["By author"], 2, 3)
    assert find(words, "crumb xyzzy plugh")["titles"] == []


TITLES = [
    "The model of a world",
    "A world model",
    "Models of a world",
    "World",
    "World-models of it",
]


def of_titles(words: Page, query: str, asked: str) -> Any:
    """Return what an engine over papers that have titles alone is asked."""
    blank = {key: [SMALL[key][0]] * len(TITLES) for key in SMALL if key != "keys"}
    script = f"([index, query]) => fieldguide.makeEngine(index, () => [[], []]).{asked}"
    return words.evaluate(script, [{**SMALL, **blank, "titles": TITLES, "texts": [""] * 5}, query])


def test_what_holds_the_words_side_by_side_comes_first(words: Page) -> None:
    assert of_titles(words, "world model", "find(query).papers")[:2] == [1, 4]
    assert len(of_titles(words, "world model", "find(query).papers")) == 4
    assert sorted(of_titles(words, '"world models"', "find(query).papers")) == [1, 4]  # no other


def test_the_name_of_a_category_counts_where_no_text_says_the_word(words: Page) -> None:
    said = {**SMALL, "keys": [{**SMALL["keys"][0], "values": [["a", "Crumbs", ""]]}]}
    script = """([index, query]) => fieldguide
      .makeEngine(index, (paper) => [[], index.terms[paper].map(() => "Crumbs and ovens")])
      .find(query).papers.map((paper) => index.titles[paper])"""
    assert words.evaluate(script, [said, "crumb"]) == ["The crumb", "Text only", "By author"]
    assert words.evaluate(script, [said, "ovens"]) == ["By name"]


def test_pages_of_topics_benchmarks_and_claims_are_offered(words: Page) -> None:
    places = [
        ["Rye bread", "topic", "c/rye.html"],
        ["RyeBench", "benchmark", "b/ryebench.html"],
        ["A rye starter (RS) can take the place of yeast.", "claim", "c/rye.html#rye-claim-1",
         "Sourdough rises as high"],
        ["RyeBench 2", "benchmark", "b/ryebench.html"],
        ["What is unsolved", "section", "survey.html#unsolved", "open problems", "unsolved"],
        ["The oldest", "list", "browse.html?sort=oldest", "", "oldest earliest"],
        ["Made by: hand (7 papers)", "label", "browse.html?made=hand", "kneading, long fold"],
    ]  # fmt: skip
    script = """([index, query]) => fieldguide.makeLibrary(index, "").places(query)
      .map((place) => place.href)"""
    made = {"id": "made", "values": [["hand", "hand", "hand"]]}
    index = {**SMALL, "dates": [""] * 6, "pages": [], "places": places}
    index["keys"] = [*SMALL["keys"], made]

    def offered(query: str) -> list[str]:
        hrefs: list[str] = words.evaluate(script, [index, query])
        return hrefs

    assert offered("rye bench") == ["b/ryebench.html"]
    assert offered("rye") == ["c/rye.html", "c/rye.html#rye-claim-1"]
    assert offered("rye starter versus yeast today") == ["c/rye.html#rye-claim-1"]
    assert offered("starters of sourdoughs") == ["c/rye.html#rye-claim-1"]  # by its topic, too
    assert offered("sourdoughs") == []  # but not alone
    assert offered("oven") == []
    assert offered("what is RyeBench said to tell of ovens") == ["b/ryebench.html"]
    assert offered("oldest") == ["browse.html?sort=oldest"]  # and that of what else is asked for
    assert offered("oldest rye bread") == ["browse.html?q=rye%20bread&sort=oldest", "c/rye.html"]
    assert offered("kneading") == offered("long fold") == ["browse.html?made=hand"]
    assert offered("fold") == []
    assert (offered("bre"), offered("BRE")) == (["c/rye.html"], [])
    assert (
        offered("what is unsolveds")
        == offered("crust unsolved")
        == offered("open problems")
        == ["survey.html#unsolved"]
    )
    index["texts"] = ["Dough and crumb."] * len(SMALL["titles"])  # what all say asks for none
    assert offered("dough rye") == offered("rye")
    assert offered("dough") == []


PLACES = [
    ["Trained by: reinforcement learning (2 of 3 papers)", "label",
     "browse.html?trained=rl", "reinforcement learning, rl, ppo"],
    ["Shown by: pictures (1 of 3 papers)", "label", "browse.html?shown=pictures", "photo"],
    ["RL training", "topic", "c/rl.html", "rewards, kind-of-praise"],
    ["Search crows & deep dives", "topic", "c/search.html", "Crows that look for food."],
    ["Attacks", "topic", "c/attacks.html", "What goes into memory, or searches."],
    ["Memory & context", "topic", "c/memory.html", "Where crows hide it."],
    ["Flock systems & order", "topic", "c/flocks.html"],
    ["Calls & debate", "topic", "c/flocks/debate.html"],
    ["The oldest papers", "list", "browse.html?sort=oldest", "", "^old oldest first"],
    ["Who&When benchmark", "benchmark", "b/who.html"],
    ["NestBench", "benchmark", "b/nest.html"],
    ["All benchmarks", "index", "benchmarks.html", "several two settings tried"],
    ["What changed", "index", "changes.html", "", "changed"],
    ["What is disputed", "section", "survey.html#disputed", "", "dispute"],
    ["A flock finds more than a crow.", "claim", "c.html#1", "Flock systems & order", "dispute",
     "order"],
    ["Crows correct themselves.", "claim", "c.html#2", "Memory & context", "dispute"],
    ["Reinforcement learning spoils crows.", "claim", "c.html#3"],
    ["Scarce food (2 papers)", "open problem", "browse.html?unsolved=food", "long winter, frosted",
     "unsolved open-problem"],
    ["Memory & context", "papers to read first", "c/memory.html#path", "", "start"],
    ["Start here", "list of papers", "index.html#begin", "", "start"],
    ["Crumbs on ice & other worlds", "topic", "c/ice.html", "ice crumbs"],
    ["Flock systems & order: which choices?", "table", "c.html#designs", "", "designs differ"],
]  # fmt: skip
"""Of an index in which the first paper has all labels, and the second the topics alone."""


@pytest.mark.parametrize(
    ("query", "offered"),
    [
        # A topic before the label that only some papers were asked for.
        ("reinforcement learning", ["c/rl.html", "browse.html?trained=rl"]),
        ("memory", ["c/memory.html"]),
        ("rewards", ["c/rl.html"]),
        ("kind of praise", ["c/rl.html"]),  # by a cue of several words
        # What has both labels, or a topic and a label, if some paper has.
        ("PPO with photo", ["browse.html?shown=pictures&trained=rl"]),
        ("search crows with PPO", ["browse.html?topic=search&trained=rl"]),
        ("search crows code", ["browse.html?code=yes&topic=search", "c/search.html"]),
        ("attacks photo", ["c/attacks.html"]),  # none has both
        # No code is asked for; of no part, but of the whole.
        ("search crows code calls", ["c/search.html", "c/flocks/debate.html"]),
        ("attacks calls", ["c/attacks.html"]),  # two topics would be alternatives
        ("search crows no code", ["browse.html?code=no&topic=search"]),
        ("does debate help", ["c/flocks/debate.html"]),  # where none has all words, by some
        # The list of a topic, of topic and label, or of words.
        ("first paper on memory", ["browse.html?topic=memory&sort=oldest", "c/memory.html"]),
        (
            "oldest search crows trained by reinforcement learning",
            ["browse.html?topic=search&trained=rl&sort=oldest"],
        ),
        ("old crumbs of ice?", ["browse.html?q=crumbs%20ice&sort=oldest", "c/ice.html"]),
        ("crumbs of old ice", ["c/ice.html"]),  # an adjective is no order
        ("oldest flock systems", ["browse.html?topic=flocks&sort=oldest", "c/flocks.html"]),
        ("flock systems debate", ["c/flocks.html"]),  # of which that on debate is a part
        ("oldest ovens", ["browse.html?q=ovens&sort=oldest"]),
        ("oldest NestBench", ["browse.html?q=NestBench&sort=oldest", "b/nest.html"]),
        # A benchmark by the word that tells it from others; all of them.
        ("benchmark contamination", []),
        ("Who&When", ["b/who.html"]),
        ("NestBench benchmark", ["b/nest.html"]),
        ("tried in two settings", ["benchmarks.html"]),
        ("several benchmarks", ["benchmarks.html"]),
        ("climate change", []),  # not by one word of two
        ("what changed", ["changes.html"]),
        # Claims by their words in other forms, and those of a topic that is asked for together.
        ("correction", ["c.html#2"]),
        # Those that hold two words side by side, or an abbreviation spelled out, before others.
        ("RL or baking or milling", ["c.html#3"]),
        ("crows that spoil crows correct a worm", ["c.html#2"]),
        ("who disputes flocks", ["c.html#1", "survey.html#disputed"]),
        ("disputes", ["survey.html#disputed"]),
        ("order", ["c/flocks.html", "c.html#designs", "c.html#1"]),  # what it is about
        ("context", ["c/memory.html"]),  # not by its topic alone
        ("open problem of scarce food", ["browse.html?unsolved=food"]),
        # What to read first, of a topic and of all; only where it is asked for.
        ("where to start with memory", ["c/memory.html#path", "index.html#begin", "c/memory.html"]),
        ("start", ["index.html#begin"]),
        ("how do flock systems differ in their designs", ["c.html#designs"]),
        ("designs", []),
        ("long winter", ["browse.html?unsolved=food"]),  # by a cue, in any form
        ("frosts", ["browse.html?unsolved=food"]),
        ("scarce worms unsolved", ["browse.html?unsolved=food"]),  # one word and the one that asks
        # By the rarest word, by two, or by a whole part of a name; not by a part of a name.
        ("crumbs", ["c/ice.html"]),
        ("crumbs worms", []),
        ("crumbs worms ice", ["c/ice.html"]),
        ("crumbs in memory", ["c/memory.html"]),
        ("code of Search-R1", []),
        ("long-food", []),
        ("long", []),
    ],
)
def test_what_a_query_names_is_offered(words: Page, query: str, offered: list[str]) -> None:
    values = [["topic", ["rl", "search", "memory", "attacks"]], ["trained", ["rl"]],
              ["shown", ["pictures"]], ["code", ["yes"]],
              ["topic", ["flocks", "flocks/debate"]], ["code", ["no"]]]  # fmt: skip
    index = {
        **SMALL,
        "keys": [{"id": key, "values": [[one, one, one] for one in some]} for key, some in values],
        "terms": [[0, 1, 2, 4, 5, 6, 7, 8], [0, 1, 2, 3, 7, 9], *[[]] * 4],
        "dates": [""] * 6,
        "abbreviations": [["RL", "reinforcement learning"]],
        "places": PLACES,
    }
    script = """([index, query]) => fieldguide.makeLibrary(index, "").places(query)
      .map((place) => place.href)"""
    assert words.evaluate(script, [index, query])[: len(offered) or None] == offered


@pytest.mark.parametrize("query", ["Yoshua", "crumbs by Yoshua"])
def test_for_how_many_papers_authors_are_known_is_told_of_a_name_that_stands_nowhere(
    words: Page, query: str
) -> None:
    authors, organisations = ["", "Łukasz Crumb", *[""] * 4], [*[""] * 4, "Zoë Ångström", ""]
    index = {**SMALL, "authors": authors, "organisations": organisations}
    answer = find(words, query, index)
    assert (answer["authored"], answer["similar"]) == (1, [])
    assert find(words, query.lower(), index)["authored"] is None


def test_what_asks_for_an_order_or_a_list_is_no_word_of_papers(words: Page) -> None:
    problem = ["Scarce", "open problem", "?unsolved=scarce", "", "open-problem"]
    index = {**SMALL, "places": [["The oldest", "list", "?sort=oldest", "", "oldest"], problem]}
    assert find(words, "open problems of crumb", index)["words"] == ["crumb"]
    assert find(words, "oldest crumb", index)["titles"] == find(words, "crumb")["titles"]
    assert find(words, "oldest", index)["titles"] == []


def test_a_rank_next_to_a_name_is_no_word_of_papers(words: Page) -> None:
    index = {**SMALL, "texts": ["The best crumb.", *SMALL["texts"][1:]]}
    assert find(words, "WebArena best", index)["titles"] == ["By name"]
    assert find(words, "best crumb", index)["titles"] == ["Text only"]


def test_the_distance_is_to_the_nearest_beginning(words: Page) -> None:
    cases = [
        ("crumb", "crumbs", 0),
        ("crumb", "crust", 2),
        ("ab", "ba", 1),
        ("abc", "xyz", 3),
        ("abcd", "ab", 2),
        ("", "abc", 0),
    ]
    asked = "cases => cases.map(([one, other]) => fieldguide.distance(one, other, 3))"
    assert words.evaluate(asked, cases) == [apart for _, _, apart in cases]


def test_nothing_is_loaded_before_somebody_goes_to_the_field(browser: Browser, home: str) -> None:
    page = browser.new_page()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    page.goto(f"{home}index.html")
    page.wait_for_load_state("networkidle")
    assert "search-index.js" not in loaded
    page.locator("input[name=q]").last.focus()
    page.evaluate("fieldguide.load().then(() => null)")
    for part in ("engine", "papers", "places", "index"):
        assert f"search-{part}.js" in loaded
    page.close()


def test_a_paper_is_found_and_opened_with_the_keyboard_alone(browser: Browser, home: str) -> None:
    page = browser.new_page()
    trouble = watched(page, home)
    page.goto(f"{home}index.html")
    tab_to_search(page)
    field = page.get_by_role("combobox").last
    assert field.evaluate("field => field === document.activeElement")
    assert field.input_value() == ""
    page.keyboard.type("rye startr")
    page.get_by_role("option").first.wait_for()
    assert field.get_attribute("aria-expanded") == "true"
    options = page.get_by_role("option")
    assert RYE in options.first.inner_text()
    assert "“startr” is searched as “starter”" in page.locator(".found .message").last.inner_text()
    page.keyboard.press("ArrowDown")
    assert options.first.get_attribute("aria-selected") == "true"
    assert field.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    page.keyboard.press("ArrowUp")
    assert field.get_attribute("aria-activedescendant") is None
    page.keyboard.press("ArrowUp")  # round to the last, which leads to all of them
    assert options.last.get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/p/*.html")
    assert page.locator("h1").inner_text() == RYE
    assert trouble == []
    page.close()


def test_escape_closes_the_list_and_keeps_the_words(browser: Browser, home: str) -> None:
    page = browser.new_page()
    page.goto(f"{home}survey.html")
    field = page.get_by_role("combobox").last
    field.fill("rye")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("option").count() == 0
    assert (field.input_value(), field.get_attribute("aria-expanded")) == ("rye", "false")
    page.close()


def test_enter_leads_to_all_that_match(browser: Browser, home: str) -> None:
    page = browser.new_page()
    trouble = watched(page, home)
    page.goto(f"{home}c/sourdough.html")
    page.get_by_role("combobox").last.fill("starter")
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse.html?q=starter")
    page.locator("[data-part=papers] > li").first.wait_for()
    assert "matching “starter”" in page.locator("[data-part=heading]").inner_text()
    assert trouble == []
    page.close()


def test_a_click_on_a_paper_opens_it(browser: Browser, home: str) -> None:
    page = browser.new_page()
    page.goto(f"{home}p/p-0278e58e9a.html")
    page.get_by_role("combobox").last.fill("rye starter")
    page.get_by_role("option").first.click()
    page.wait_for_url("**/p/*.html")
    page.close()


def test_near_words_can_be_taken(browser: Browser, home: str) -> None:
    page = browser.new_page()
    page.goto(f"{home}index.html")
    field = page.get_by_role("combobox").last
    field.fill("fermentet")
    option = page.get_by_role("option").first
    option.wait_for()
    assert "No paper matches “fermentet”." in page.locator(".found .message").inner_text()
    option.click()
    page.locator("[role=option] b").first.wait_for()
    assert field.input_value() == "fermentation"
    page.close()


def test_no_single_key_is_a_shortcut(browser: Browser, bread_folder: Any) -> None:
    """Whoever speaks to the browser types letters without meaning to (WCAG 2.1.4)."""
    page = browser.new_page()
    page.goto((bread_folder / "index.html").as_uri())
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement === document.body")
    page.close()


def test_without_a_script_the_form_leads_to_the_browse_page(browser: Browser, home: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{home}index.html")
    page.locator("input[name=q]").last.fill("rye")
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse.html?q=rye")
    assert page.get_by_role("link", name="Sourdough & fermentation").first.is_visible()
    assert not page.locator("[data-part=browse]").is_visible()
    context.close()


def test_the_scripts_of_the_site_are_those_of_the_templates(
    bread_site: dict[str, bytes], root: Any
) -> None:
    for name in (
        "search.js",
        *(f"search-{of}.js" for of in ("engine", "papers", "places")),
    ):
        assert bread_site[name] == (root / "templates" / name).read_bytes()


def test_hostile_texts_stay_texts_in_the_list(
    browser: Browser, hostile_site: dict[str, bytes], tmp_path: Any
) -> None:
    for path, content in hostile_site.items():
        if "/" not in path and path.endswith((".html", ".js", ".css", ".svg")):
            (tmp_path / path).write_bytes(content)
    page = browser.new_page()
    trouble = watched(page)
    page.goto((tmp_path / "404.html").as_uri())
    page.get_by_role("combobox").last.fill("hooks")
    page.get_by_role("option").filter(has_text="<script>alert(2)</script>").first.wait_for()
    page.goto((tmp_path / "browse.html").as_uri() + "?q=<img src=x>&topic=<b>&<i>=<u>")
    page.locator("[data-part=heading]:not(:empty)").wait_for()
    assert page.locator(".browse :is(b, i, u, img)").count() == 0
    assert trouble == []
    page.close()
