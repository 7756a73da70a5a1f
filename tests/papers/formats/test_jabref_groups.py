from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from classifier.papers.formats.bibtex_entries import read_groups

OLD = """jabref-meta: groupstree:
0 AllEntriesGroup:;
1 ExplicitGroup:Bread\\;0\\;cruz2020\\;bal20
21\\;;
2 ExplicitGroup:Rye\\;0\\;cruz2020\\;;
1 KeywordGroup:Bees\\;0\\;keywords\\;bees\\;0\\;0\\;;"""


def test_groups_that_list_their_entries() -> None:
    groups = read_groups(["something else", OLD])
    assert groups.by_key == {"cruz2020": ["Bread", "Bread / Rye"], "bal2021": ["Bread"]}


def test_groups_that_entries_name() -> None:
    tree = (
        "jabref-meta: grouping:\n0 AllEntriesGroup:;\n1 StaticGroup:Bread\\;0\\;1\\;0x8\\;\\;\\;;\n"
        "2 StaticGroup:Rye / Roggen\\;2\\;1\\;\\;\\;\\;;\n"
    )
    groups = read_groups([tree])
    assert groups.by_name == {"Bread": "Bread", "Rye / Roggen": "Bread / Rye/Roggen"}


@given(st.text(alphabet="0123 :;\\Gab\n").map("jabref-meta: grouping:{}".format))
def test_any_tree_is_read(comment: str) -> None:
    read_groups([comment])
