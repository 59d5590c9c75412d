"""Tests of the results page: every claim has its figure, measuring keeps notes and other sections, and the committed page is today's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, strategies as st

from benchmarks import __main__ as command, results
from benchmarks.results import Claim, page, page_row, read_claims, read_figures, wilson_interval, written_notes
from benchmarks.sessions import DataMissing

if TYPE_CHECKING:
    import pytest

import pytest

from benchmarks.public_data import lists
from benchmarks.verify_by_oracle import Diagnoser, first_wrong_steps, people, verdicts
from sft.diagnosis.oracle_sources import OracleSource


def test_the_page_is_that_of_the_figures() -> None:
    """RESULTS.md is what the committed claims and figures give, one page, and each claim names a section that exists."""
    claims = read_claims()
    assert results.PAGE.read_text(encoding="utf-8") == page(claims, written_notes())
    assert {claim.section for claim in claims} - command.sections().keys() == set()
    assert len(results.PAGE.read_text(encoding="utf-8").splitlines()) <= 250


def test_every_figure_of_a_claim_was_measured() -> None:
    """No row shows a figure that its section does not hold, and a section without figures is shown as not measured."""
    for claim in read_claims():
        assert page_row(claim, read_figures(claim.section)).startswith(f"| {claim.claim} |")
        assert results.NOT_MEASURED in page_row(claim, None)


@given(st.integers(0, 500), st.integers(1, 500))
def test_an_interval_holds_its_share(count: int, total: int) -> None:
    """The interval lies between 0 and 1, holds the share, and is narrower for ten times as many cases."""
    count = min(count, total)
    low, high = wilson_interval(count, total)
    assert 0 <= low <= count / total <= high <= 1
    nearer = wilson_interval(10 * count, 10 * total)
    assert nearer[1] - nearer[0] < high - low


def test_measuring_keeps_notes_and_other_sections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A measured section replaces its own figures; notes and other figures stay, and a goal is held against the new value."""
    figures = tmp_path / "figures"
    monkeypatch.setattr(command, "FIGURES", figures)
    monkeypatch.setattr("benchmarks.speed.measure", lambda _: {"pairs": 3})
    command.measure_section("speed", "speed", tmp_path)
    (figures / "other.json").write_text('{"build": "b", "figures": {"pairs": 7}}')
    claims = [
        Claim("fast", "speed", "{pairs:,} pairs", value="pairs", at_least=4),
        Claim("other", "other", "{pairs}", value="pairs", at_most=9),
    ]
    written = page(claims, "## Notes\n\nA note.\n", figures)
    assert "| fast | 3 pairs |  | ≥ 4 | **no** |" in written
    assert "| other | 7 |  | ≤ 9 | yes |" in written
    assert written.endswith("## Notes\n\nA note.\n")
    assert json.loads((figures / "speed.json").read_text())["figures"] == {"pairs": 3}


def test_without_data_the_last_figures_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A section whose data are not there is named with the file that is missing, and its figures are kept."""

    def missing(data: Path) -> None:
        raise DataMissing(data / "gsm8k")

    monkeypatch.setattr(command, "FIGURES", tmp_path)
    monkeypatch.setattr("benchmarks.speed.measure", missing)
    (tmp_path / "speed.json").write_text("{}")
    command.measure_section("speed", "speed", tmp_path)
    assert (tmp_path / "speed.json").read_text() == "{}"
    assert "gsm8k does not exist. Set SHARED_DATA" in capsys.readouterr().out


def test_an_unknown_section_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the sections that exist."""
    assert command.main(["nosuch"]) == 2
    assert "There is no section 'nosuch'. Sections: " in capsys.readouterr().err


PAGE = Path(__file__).resolve().parents[2] / "docs" / "public-data.md"


@pytest.mark.slow
def test_the_page_lists_what_the_audit_finds(shared_data: Path) -> None:
    """Each list of the page is the one that the audit gives today."""
    page = PAGE.read_text(encoding="utf-8")
    found = dict(lists(shared_data))
    assert len(found) == 6
    assert [name for name, listed in found.items() if f"## {name}\n" not in page or listed not in page] == []


QUESTION = "A shelf holds 14 boxes of 9 pens. 31 pens are sold. How many pens are left?"
RIGHT, WRONG = ["14 * 9 = 126", "126 - 31 = 95", "#### 95"], ["14 + 9 = 23", "31 - 23 = 8", "#### 8"]
ANSWERS = [
    {"question": QUESTION, "solution": "\n".join(steps), "is_correct": steps is RIGHT} for steps in (RIGHT, WRONG)
]


@pytest.mark.parametrize("known", [True, False])
def test_what_is_not_known_counts_as_wrong(*, known: bool) -> None:
    """With the worked solution both solutions are judged rightly; without an oracle neither is, and none is accused."""
    reference = "\n".join(RIGHT) if known else ""
    diagnoser = Diagnoser(OracleSource())
    marked = [
        {"question": QUESTION, "steps": steps, "gold_solution": reference, "first_error_step": first}
        for steps, first in ((RIGHT, None), (WRONG, 1))
    ]
    steps = first_wrong_steps(diagnoser, marked)
    assert (steps["found"], steps["accepted"], steps["accused"], steps["f1"]) == (known, known, 0, float(known))
    error = {
        "question": QUESTION,
        "solution": reference,
        "flawed_solution": "\n".join(WRONG),
        "erroneous_line_number": "L1",
        "error_type": "conceptual",
    }
    assert people(diagnoser, [error])["line_right_share"] == float(known)
    assert len(diagnoser.seconds) == 3 * known
    without = verdicts(diagnoser, ANSWERS)
    assert (without["unknown"], without["right"], without["coverage_at_99"]) == (2, 0, 0.0)
