from __future__ import annotations

from dataclasses import replace

from inline_snapshot import snapshot

from classifier.site.blocks import column_styles, is_claim, sentence_html
from classifier.survey.document import Sentence, Table


def test_a_column_of_prose_is_set_wider_one_of_titles_is_not() -> None:
    row = (f"[{'t' * 76}](p/a-page-with-a-long-name.html)", "p" * 81)
    assert column_styles(Table("papers", "Which?", ("Paper", "What it does"), (row,))) == ["", "w"]


def test_the_signature_of_a_claim_stands_apart() -> None:
    claim = Sentence(
        "soil-claim-1", "Soil matters — more than rain. — Ada, 2025", "H", "taxonomy: soil/claims"
    )
    assert is_claim(claim)
    assert sentence_html(claim, claim.text) == (
        snapshot('Soil matters — more than rain. <small class="signature">— Ada, 2025</small>')
    )
    scope = replace(claim, source="taxonomy: survey/scope")
    assert not is_claim(scope)
    assert sentence_html(scope, scope.text) == claim.text
