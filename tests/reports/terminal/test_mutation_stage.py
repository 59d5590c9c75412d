"""Tests of the terminal report of the mutation stage: what was made, and why there is no more."""

import io
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from generators.flaws.flawed_solution import FlawDiscardReason
from harness.domain import Evidence
from harness.json_form import json_form
from harness.text.printable_text import spaced
from properties.stages.certified_flaws import _SAME_ANSWER
from reports.terminal.derived_stage import print_mutations
from reports.views.artefacts import NotSealedError
from reports.views.flaws import FLAWS, REASONS, PositionMatrix
from tests.reports.flawed import seal_mutation

Stage = dict[str, list[dict[str, Any]]]


def printed(run: Path, *, width: int = 80) -> str:
    """Return the summary of a run."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    print_mutations(run, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def cells(text: str) -> list[list[str]]:
    """Return the words of each line."""
    return [line.split() for line in text.splitlines()]


def test_every_operator_has_its_counts(mutation_run: Path, flawed: Stage) -> None:
    """Each operator that made a flaw stands with how many it made and how many need an edit."""
    flaws = [*flawed["computational"], *flawed["conceptual"]]
    made = Counter(flaw["operator"] for flaw in flaws)
    edits = Counter(flaw["operator"] for flaw in flaws if flaw["needs_edit"])
    shown = cells(printed(mutation_run))
    for operator, count in made.items():
        row = [*spaced(operator).split(), f"{count:,}", f"{edits[operator] or '·'}"]
        assert any(line[: len(row)] == row for line in shown), row


def test_types_are_the_sums_of_their_operators(mutation_run: Path, flawed: Stage) -> None:
    """The line of a type adds up its operators."""
    assert ["computational", "error", str(len(flawed["computational"])), "·"] in cells(printed(mutation_run))


def test_matrix_adds_up(mutation_run: Path, flawed: Stage) -> None:
    """The strata hold every flaw once, and a row says how many are early, in the middle and late."""
    matrix = PositionMatrix()
    figures = FLAWS.figures(mutation_run, matrix.add)
    assert sum(sum(row.counts) for row in matrix.rows()) == figures.records
    slips = [flaw for flaw in flawed["computational"] if flaw["tier"] == 1]
    counts = [sum(flaw["position"] == position for flaw in slips) for position in ("early", "middle", "late")]
    assert ["computational", "error", "1", *map(str, counts), str(len(slips))] in cells(printed(mutation_run))


def test_discards_are_said_in_words(mutation_run: Path, flawed: Stage) -> None:
    """Each reason stands with its count and what it means."""
    text = " ".join(printed(mutation_run, width=200).split())
    for why, count in Counter(change["why"] for change in flawed["discarded"]).items():
        assert f"{count:,} {REASONS[why].brief} {REASONS[why].sentence}" in text


def test_every_reason_has_words() -> None:
    """Whatever the stage may write as a reason, a stranger can read it; another name is shown as it is."""
    said = {one.name.lower() for one in FlawDiscardReason} | set(_SAME_ANSWER.values())
    assert said <= set(REASONS)
    assert len({reason.brief for reason in REASONS.values()}) == len(REASONS)
    assert FLAWS.reason("too_new").brief == "too new"


def test_refused_certificates_stand_out(tmp_path: Path, flawed: Stage) -> None:
    """A flaw that was given no certificate is counted in the heading and beside its operator."""
    findings = [json_form(Evidence(line, "no certificate", "7", "two errors")) for line in ("L1", "L2")]
    refused = {**flawed["verdicts"][0], "status": "REFUTED", "findings": findings}
    run = seal_mutation(tmp_path / "refused", {**flawed, "verdicts": [refused, *flawed["verdicts"][1:]]})
    text = printed(run)
    assert "2 were refused a certificate" in " ".join(text.split())
    assert "2 refused a certificate" in text


def test_sources_and_problems_left_out_are_counted(mutation_run: Path) -> None:
    """Which formalizations the solutions came from, and why a problem gave none, is counted by the manifest."""
    shown = cells(printed(mutation_run))
    assert ["4", "birch"] in shown
    assert ["1", "no", "template"] in shown
    assert ["1", "none"] not in shown


@pytest.mark.parametrize("width", [60, 80, 200])
def test_summary_fits_the_console(mutation_run: Path, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """No line is wider than the console, and the commands to look further end it."""
    monkeypatch.chdir(mutation_run.parent.parent)
    lines = printed(Path("runs/flawed"), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[-1] == "in a browser:  oracle-factory report flawed --flaws"


def test_hostile_text_is_text(hostile_mutation_run: Path) -> None:
    """Names of operators, types, reasons and models are shown as written."""
    text = printed(hostile_mutation_run, width=4000)
    assert text.count("</script><img src=x onerror=alert(1)>[bold]␛[31m␀") > 30
    assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(text)


def test_empty_stage_has_a_summary(tmp_path: Path, flawed: Stage) -> None:
    """A stage that made nothing says so."""
    run = seal_mutation(tmp_path / "empty", {name: [] for name in flawed})
    assert "0 flawed solutions of 0 of 0 problems" in printed(run)


def test_run_without_the_stage_is_told_how_to_make_it(run: Path) -> None:
    """Where there are formalizations only, the message has the command that makes the stage."""
    with pytest.raises(NotSealedError, match="no mutation stage; run it: pytest -n auto -m mutation"):
        printed(run)
