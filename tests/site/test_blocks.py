from __future__ import annotations

from dataclasses import replace

from classifier.site.blocks import TableView, block_views, sentence_view
from classifier.survey.document import Sentence, Table


def test_a_column_of_prose_is_set_wider_one_of_titles_is_not() -> None:
    row = (f"[{'t' * 76}](p/a-page-with-a-long-name.html)", "p" * 81)
    (table,) = block_views([Table("papers", "Which?", ("Paper", "What it does"), (row,))])
    assert isinstance(table, TableView)
    assert [cell.style for cell in table.columns] == ["", "w"]


def test_the_signature_of_a_claim_stands_apart() -> None:
    claim = Sentence(
        "soil-claim-1", "Soil matters — more than rain. — Ada, 2025", "H", "taxonomy: soil/claims"
    )
    view = sentence_view(claim)
    assert view.is_claim
    assert view.html == (
        'Soil matters — more than rain. <span class="signature">— Ada, 2025</span>'
    )
    scope = sentence_view(replace(claim, source="taxonomy: survey/scope"))
    assert not scope.is_claim
    assert scope.html == claim.text
