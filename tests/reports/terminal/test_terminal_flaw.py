"""Tests of the terminal report of one flawed solution: it shows what is wrong and where."""

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness.json_form import read_record
from harness.records.mutation import FlawRecord
from reports.terminal.derived_record import UnknownRecordError
from reports.terminal.flaw import print_flaw
from reports.views.artefacts import NotSealedError, TamperedError
from reports.views.flaws import proof_of
from tests.reports.flawed import seal_mutation

Stage = dict[str, list[dict[str, Any]]]


def printed(run: Path, name: str, *, width: int = 120) -> str:
    """Return what is printed of a flawed solution or a problem."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    print_flaw(run, name, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def one_of(flawed: Stage, operator: str, **mutation: str) -> Any:
    """Return a flawed solution that an operator made, with these values in its mutation."""
    for flaw in (*flawed["computational"], *flawed["conceptual"]):
        if flaw["operator"] == operator and mutation.items() <= flaw["mutation"].items():
            return flaw
    raise LookupError(operator)


@pytest.mark.parametrize(
    "line",
    [
        "L1 - Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.",
        "L1 + Amara plants 6*9 = <<6*9=55>>55 tomato seedlings. ◀ wrong",
        "L2 She plants 4*7 = <<4*7=28>>28 pepper seedlings.",
        "FA + #### 72",
        "label Flawed, computational error, L1",
        "correction Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.",
        "mutation off by n at L1, tomato_seedlings: 54 → 55",
        "made by off by n from birch; tier 1, early",
        "needs edit no",
        "L3 all_seedlings 82 83",
        "Proved: exactly one equation is false, and all that follows is consistent with it",
        "On L1 the solution says tomato_seedlings = 55, but tomato_rows * tomatoes_per_row gives 54.",
        "With the numbers of the question the answer is 72, where 71 is right.",
    ],
)
def test_flaw_is_printed_in_full(mutation_run: Path, flawed: Stage, line: str) -> None:
    """Solution and flawed solution, label, mutation, plausibility, values and proof are all there."""
    flaw = one_of(flawed, "off_by_n", **{"from": "54", "to": "55"})
    lines = [" ".join(shown.split()) for shown in printed(mutation_run, flaw["flaw_id"]).splitlines()]
    assert line in lines


def test_plausibility_and_edits_have_their_reasons(mutation_run: Path, flawed: Stage) -> None:
    """What speaks for and against a flawed solution, and why a person should read it, is printed."""
    flaw = next(flaw for flaw in flawed["conceptual"] if flaw["needs_edit"])
    text = " ".join(printed(mutation_run, flaw["flaw_id"], width=2000).split())
    assert f"plausibility {flaw['plausibility']['score']:.2f} {'; '.join(flaw['plausibility']['reasons'])}" in text
    assert f"needs edit {'; '.join(flaw['edits'])}" in text


def test_beginning_of_an_id_is_enough(mutation_run: Path, flawed: Stage) -> None:
    """An id may be cut short as long as one flawed solution only begins so."""
    flaw_id = one_of(flawed, "off_by_n")["flaw_id"]
    assert printed(mutation_run, flaw_id[:-6]) == printed(mutation_run, flaw_id)


def test_problem_lists_its_flaws(mutation_run: Path, flawed: Stage) -> None:
    """A problem's id gives the question and a line for each of its flawed solutions."""
    text = printed(mutation_run, "mini-002")
    ids = [
        flaw["flaw_id"]
        for flaw in (*flawed["computational"], *flawed["conceptual"])
        if flaw["problem_id"] == "mini-002"
    ]
    assert text.count("mini-002:") == len(ids)
    assert [flaw_id for flaw_id in ids if flaw_id not in text] == []


def test_beginning_of_many_lists_them(mutation_run: Path, flawed: Stage) -> None:
    """Where several begin so, each has a line."""
    slips = [flaw for flaw in flawed["computational"] if flaw["flaw_id"].startswith("mini-001:off_by_n:")]
    assert len(printed(mutation_run, "mini-001:off_by_n:").splitlines()) == len(slips)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_flaw_fits_the_console(mutation_run: Path, flawed: Stage, width: int) -> None:
    """No line is wider than the console, but the command to copy."""
    lines = printed(mutation_run, one_of(flawed, "off_by_n")["flaw_id"], width=width).splitlines()
    assert max(len(line) for line in lines if not line.startswith("check all again")) <= width


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mini-003", r"did you mean mini-0\d\d .*--flaw mini-0\d\d"),
        ("mini-001:of_by_n", r"did you mean mini-001:off_by_n:"),
        ("x", r"see oracle-factory report"),
    ],
)
def test_unknown_name_is_answered_with_the_closest(mutation_run: Path, name: str, hint: str) -> None:
    """A mistyped id is answered with the command that was meant."""
    with pytest.raises(UnknownRecordError, match=hint):
        printed(mutation_run, name)


def test_hostile_text_is_text(hostile_mutation_run: Path, flawed: Stage, hostile_prose: str) -> None:
    """Lines, names, reasons and labels are shown as written."""
    flaw_id = one_of(flawed, "off_by_n")["flaw_id"] + hostile_prose
    text = printed(hostile_mutation_run, flaw_id, width=4000)
    assert text.count("</script><img src=x onerror=alert(1)>[bold]␛[31m␀") > 30
    assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(text)


def test_half_a_surrogate_pair_is_shown_as_replaced(tmp_path: Path, flawed: Stage) -> None:
    """The question of a corpus may hold what no text of limited length may."""
    flaw = {**one_of(flawed, "off_by_n"), "question": "How \ud800 many?"}
    run = seal_mutation(tmp_path / "halves", {**flawed, "computational": [flaw], "conceptual": []})
    assert "How \ufffd many?" in printed(run, flaw["flaw_id"])


def test_record_of_another_form_is_refused(tmp_path: Path, flawed: Stage) -> None:
    """A sealed line that is no flawed solution is an error with its place."""
    flaw = {**one_of(flawed, "off_by_n"), "position": None}
    run = seal_mutation(tmp_path / "other", {**flawed, "computational": [flaw]})
    with pytest.raises(TamperedError, match=r"computational\.jsonl:1: position: .*run the stage again in a new folder"):
        printed(run, flaw["flaw_id"])


def test_every_proof_says_what_differs(flawed: Stage) -> None:
    """Of every flawed solution the one change is said with its line or as a missing step, and both answers."""
    for flaw in (*flawed["computational"], *flawed["conceptual"]):
        place, _, answers = proof_of(read_record(FlawRecord, flaw))
        assert place.startswith(("On L", "In the final answer", "The step "))
        assert flaw["flawed_solution"].rpartition("#### ")[2] in answers


def test_problem_without_flaws_says_so(tmp_path: Path, flawed: Stage) -> None:
    """A problem that nothing was made of is not an error."""
    run = seal_mutation(tmp_path / "none", {**flawed, "computational": [], "conceptual": []})
    assert "no flawed solution was made of it" in printed(run, "mini-001")


def test_run_without_the_stage_is_told_how_to_make_it(run: Path) -> None:
    """Where there are formalizations only, the message has the command that makes the stage."""
    with pytest.raises(NotSealedError, match="no mutation stage; run it: pytest -n auto -m mutation"):
        printed(run, "p-1")


def test_tampered_stage_is_refused(mutation_run: Path) -> None:
    """Nothing is printed of flawed solutions that changed after they were sealed."""
    path = mutation_run / "mutation" / "computational.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("L1", "L2"), encoding="utf-8")
    with pytest.raises(TamperedError, match=r"computational\.jsonl: expected sha256"):
        printed(mutation_run, "mini-001")
