"""What .ci/audit makes of the reports of pip-audit: a service that knows nothing passes nothing."""

from __future__ import annotations

import sys
from datetime import date
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from inline_snapshot import snapshot

CRUMBS: dict[str, Any] = {"name": "crumbs", "version": "1.0", "vulns": []}
UNKNOWN = {"name": "oven", "skip_reason": "Dependency not found on PyPI and could not be audited"}
MOULDY = {
    "name": "bread",
    "version": "2.1",
    "vulns": [{"id": "PYSEC-1", "aliases": ["GHSA-mould"], "fix_versions": ["2.2"]}],
}
STALE = {
    "name": "bun",
    "version": "3.0",
    "vulns": [{"id": "PYSEC-2", "aliases": [], "fix_versions": []}],
}


@pytest.fixture(scope="module")
def audit(root: Path) -> ModuleType:
    loader = SourceFileLoader("audit", str(root / ".ci" / "audit"))
    spec = spec_from_loader("audit", loader)
    assert spec is not None
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "audit", module)  # its dataclass asks for it
        loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("packages", "accepted", "answered", "passed", "lines"),
    [
        pytest.param(
            [UNKNOWN],
            {},
            False,
            True,
            ["Not audited: the advisory service does not answer."],
            id="a service that knows no package has not answered",
        ),
        pytest.param(
            [CRUMBS, UNKNOWN],
            {},
            True,
            False,
            ["Unknown to the advisory service: oven.", "2 packages audited, 1 to see to."],
            id="one package that is unknown is seen to",
        ),
        pytest.param(
            [CRUMBS], {}, True, True, ["1 packages audited, 0 to see to."], id="nothing is known"
        ),
        pytest.param(
            [MOULDY, STALE],
            {},
            True,
            False,
            [
                "bread 2.1: PYSEC-1, GHSA-mould: mended in 2.2",
                "bun 3.0: PYSEC-2: no cure",
                "2 packages audited, 2 to see to.",
            ],
            id="findings fail, with their cure",
        ),
        pytest.param(
            [MOULDY],
            {"GHSA-mould": "we toast it"},
            True,
            True,
            [
                "bread 2.1: PYSEC-1, GHSA-mould: accepted: we toast it",
                "1 packages audited, 0 to see to.",
            ],
            id="what is accepted, by any of its names, is told and passes",
        ),
    ],
)
def test_verdicts(
    audit: ModuleType,
    packages: list[dict[str, Any]],
    accepted: dict[str, str],
    answered: bool,
    passed: bool,
    lines: list[str],
) -> None:
    verdict = audit.judge({"dependencies": packages}, accepted)
    assert (list(verdict.lines), verdict.answered, verdict.passed) == (lines, answered, passed)


def test_no_report_is_no_answer(audit: ModuleType) -> None:
    assert not audit.judge(None, {}).answered


def test_an_advisory_is_accepted_up_to_its_last_day(audit: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "advisories.toml"
    file.write_text(
        '[[accepted]]\nid = "GHSA-mould"\nreason = "we toast it"\nuntil = 2031-01-31\n',
        encoding="utf-8",
    )
    assert audit.accepted_on(date(2031, 1, 31), file) == {"GHSA-mould": "we toast it"}
    assert audit.accepted_on(date(2031, 2, 1), file) == {}


def test_what_is_accepted_has_a_reason_and_a_last_day(audit: ModuleType) -> None:
    """The project's own file is read as it stands."""
    assert all(audit.accepted_on(date(1, 1, 1), audit.ACCEPTED).values())


@pytest.mark.parametrize(("words", "code"), [([], 0), (["--must-answer"], 1)])
def test_silence_fails_where_an_answer_is_a_must(
    audit: ModuleType,
    words: list[str],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["audit", *words])
    monkeypatch.setattr(audit, "audited", lambda lock: None)
    assert audit.main() == code
    assert capsys.readouterr().out == snapshot(
        "Not audited: the advisory service does not answer.\n"
    )
