"""Tests of worked solutions: they show the trace and the text, are stable, and can leave out all prose of a problem."""

import hashlib
import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st

from harness.corpora.problems import CORPORA, load_corpus
from harness.corpora.responses import load_responses
from harness.domain import Exact, Problem, Response
from harness.program.refusal import ProgramError, Refusal, RefusalReason
from harness.solution.solution_text import SolutionText, UnwritableError, read_text
from harness.solution.template import read_template
from harness.solution.trace import Trace, propagate, trace_program
from snapshots.texts.worked_solution import exact, heading, unsolved, visible_text, worked_solution
from tests.cases import cases

CODE = """\
def solve():
    # L1
    trays = 4 # trays of buns
    buns_per_tray = 9 # buns on each
    dozen = 12 # WK a dozen is twelve
    buns = trays * buns_per_tray
    # L3
    tables = 5 # tables
    share = buns / 2 / tables
    # FA
    answer = share
    return answer
"""
LINES = {
    "L1": "That makes {trays}*{buns_per_tray} = <<{trays}*{buns_per_tray}={buns}>>{buns} buns.",
    "L2": "Half of them are 18.",
    "L3": "Each of the {tables} tables gets 18/{tables} = <<18/{tables}={share}>>{share} buns.",
}
PROBLEM = Problem(
    problem_id="tray-1",
    question="A cook bakes 4 trays of 9 buns and shares half of them out to 5 tables. How many does each get?",
    solution="That makes 4*9 = <<4*9=36>>36 buns.\nHalf are 18.\nEach of the five tables gets 18/5 = <<18/5=3.6>>3.6 buns.",
    gold="3.6",
    tier=2,
)
GOLDEN = """\
════ oak ════

L1  That makes 4*9 = <<4*9=36>>36 buns.
    That makes {trays}*{buns_per_tray} = <<{trays}*{buns_per_tray}={buns}>>{buns} buns.
    question   trays = 4 → buns   “trays of buns”
    question   buns_per_tray = 9 → buns   “buns on each”
    knowledge  dozen = 12 → nothing   “a dozen is twelve”
    output     buns = trays * buns_per_tray
                 = 4 * 9
                 = 36 → share (L3)

L2  Half are 18.
    unplaced   “Half”: no variable has its value
    unplaced   “18”: no variable has its value
    misfit     wording; the step gives “Half of them are 18.”

L3  Each of the five tables gets 18/5 = <<18/5=3.6>>3.6 buns.
    Each of the {tables: in words} tables gets 18/{tables} = <<18/{tables}={share}>>{share} buns.
    unplaced   “18”: no variable has its value (2 times)
    question   tables = 5 → share   “tables”
    output     share = buns / 2 / tables
                 = 36 / 2 / 5
                 = 18/5 = 3.6 → answer (FA)

FA
    answer     answer = share
                 = 18/5 = 3.6
    gold       3.6, reached
    dead       dozen: the answer does not depend on it
"""


def _digest(text: str) -> str:
    return f"sha256 {hashlib.sha256(text.encode()).hexdigest()[:12]}"


CLOSED = f"""\
════ oak ════

L1  {_digest("That makes 4*9 = <<4*9=36>>36 buns.")}
    … {{trays}}*{{buns_per_tray}} = <<{{trays}}*{{buns_per_tray}}={{buns}}>>{{buns}} …
    question   trays = 4 → buns   comment {_digest("trays of buns")}
    question   buns_per_tray = 9 → buns   comment {_digest("buns on each")}
    knowledge  dozen = 12 → nothing   comment {_digest("a dozen is twelve")}
    output     buns = trays * buns_per_tray
                 = 4 * 9
                 = 36 → share (L3)

L2  {_digest("Half are 18.")}
    unplaced   a number in words: no variable has its value
    unplaced   “18”: no variable has its value
    misfit     wording; the step gives {_digest("Half of them are 18.")}
"""


def _template(code: str = CODE, lines: dict[str, str] | None = None) -> str:
    steps = [
        {
            "line_number": label,
            "question_inputs": [],
            "WK_inputs": [],
            "output_variable": None,
            "solution_line_template": line,
        }
        for label, line in (LINES if lines is None else lines).items()
    ]
    return json.dumps({"function_code": code, "logical_steps": steps})


def _read(problem: Problem, response: str) -> tuple[Trace, SolutionText]:
    template = read_template(Response(problem.problem_id, "oak", response))
    trace = trace_program(template.program)
    return trace, read_text(problem, template, trace)


@cache
def _bundled() -> dict[str, tuple[Problem, Trace, SolutionText]]:
    """Return the bundled problems that birch's templates solve, with trace and text."""
    problems = {problem.problem_id: problem for problem in load_corpus("mini")}
    responses = load_responses([CORPORA / "mini" / "formalizations.jsonl"], frozenset(problems)).accepted
    solved = {}
    for problem_id, problem in problems.items():
        try:
            solved[problem_id] = (problem, *_read(problem, responses[problem_id]["birch"].text))
        except (Refusal, ProgramError):
            continue
    return solved


def test_a_worked_solution_reads_line_by_line() -> None:
    """Each line stands with its variables in place, its inputs, its outputs step by step, and what reads them."""
    assert worked_solution(PROBLEM, "oak", *_read(PROBLEM, _template()), prose=True) == GOLDEN


def test_without_prose_digests_stand_for_what_was_worded() -> None:
    """Lines, comments and misfits are digests, words of a line are `…`; names, values and edges stay."""
    assert worked_solution(PROBLEM, "oak", *_read(PROBLEM, _template()), prose=False).startswith(CLOSED)


@pytest.mark.parametrize("prose", [True, False])
def test_a_worked_solution_is_the_same_every_time(prose: bool) -> None:
    """Read and written again from the same response, every bundled solution gives the same text."""
    for problem, trace, text in _bundled().values():
        first = worked_solution(problem, "birch", trace, text, prose=prose)
        assert worked_solution(problem, "birch", trace, text, prose=prose) == first


def _sources(row: str, rows: list[str], place: int, text: SolutionText) -> set[str]:
    """Return the variables whose values a row may show: its own and those its expression or line names."""
    if match := re.match(r"(L\d+)  ", row):
        return {name for line in text.lines if line.label == match[1] for name in line.variables}
    while rows[place].startswith(" " * 16):
        place -= 1
    return set(re.findall(r"[^\W\d]\w*", rows[place].partition("   “")[0]))


@given(data=st.data(), value=st.integers(1, 10_000))
def test_a_changed_value_changes_only_what_depends_on_it(data: st.DataObject, value: int) -> None:
    """Rows differ only where they show the changed variable, one that descends from it, or the gold answer's verdict."""
    problem, trace, text = _bundled()[data.draw(st.sampled_from(sorted(_bundled())))]
    variable = data.draw(st.sampled_from([entry.variable for entry in trace.entries if entry.role.is_input]))
    try:
        changed = propagate(trace, variable, value)
        after = worked_solution(problem, "birch", changed, replace(text, values=changed.values), prose=True)
    except (ProgramError, Refusal, UnwritableError):
        assume(False)
    moved = {variable, *trace.descendants(variable)}
    rows, others = worked_solution(problem, "birch", trace, text, prose=True).split("\n"), after.split("\n")
    assert len(rows) == len(others)
    for place, (row, other) in enumerate(zip(rows, others, strict=True)):
        if row != other and not row.startswith("    gold "):
            assert moved & _sources(row, rows, place, text), (row, other)


def test_a_renamed_variable_changes_only_the_rows_that_name_it() -> None:
    """No row is realigned because a name became longer."""
    template = _template()
    rows = worked_solution(PROBLEM, "oak", *_read(PROBLEM, template), prose=True).split("\n")
    longer = template.replace("tables =", "tables_of_guests =").replace("{tables}", "{tables_of_guests}")
    longer = longer.replace("/ tables", "/ tables_of_guests")
    others = worked_solution(PROBLEM, "oak", *_read(PROBLEM, longer), prose=True).split("\n")
    changed = [row for row, other in zip(rows, others, strict=True) if row != other]
    assert all("tables = " in row or "{tables" in row or "/ tables" in row for row in changed)
    assert len(changed) == 3


@cases(
    ("value", "shown"),
    [
        (7, "7"),
        (-3, "-3"),
        (Fraction(8, 2), "4"),
        (Fraction(7, 2), "7/2 = 3.5"),
        (Fraction(-7, 3), "-7/3 ≈ -2.33333"),
        (Fraction(10**40, 3), f"{10**40}/3 ≈ 3.33333E+39"),
        (10**50, str(10**50)),
    ],
)
def test_values_are_exact_with_decimals_beside(value: Exact, shown: str) -> None:
    """A fraction is shown as it is, then in decimals, with `≈` where they do not end."""
    assert exact(value) == shown


def test_negative_and_endless_operands_stand_in_parentheses() -> None:
    """The row of numbers says what the expression computes: `5 - (-2)`, never `5 - -2`, and `(7/3) / 2`."""
    code = "def solve():\n    # L1\n    a = -2 # a\n    b = 7 # b\n    c = b / 3\n    d = b - a\n    e = c / 2\n    return e"
    shown = worked_solution(PROBLEM, "oak", *_read(PROBLEM, _template(code, {"L2": "Half are 18."})), prose=True)
    assert "\n                 = 7 - (-2)\n" in shown
    assert "\n                 = (7/3) / 2\n" in shown


HOSTILE = "a\u202eb\x1b[31mc\u200bd\u2028e\x00f\ud800g\\u202eh\u00a0i\U000e0001"


def test_what_is_unseen_or_acts_is_shown_escaped() -> None:
    """Control, direction, zero-width and surrogate characters and strange spaces appear as escapes, backslashes doubled."""
    assert visible_text(HOSTILE) == (r"a\u202eb\u001b[31mc\u200bd\u2028e\u0000f\ud800g\\u202eh\u00a0i\U000e0001")
    assert visible_text("ends in blanks  ") == r"ends in blanks\x20\x20"


@given(left=st.text(), right=st.text())
def test_no_two_texts_look_the_same(left: str, right: str) -> None:
    """Different texts are shown differently, on one printable line."""
    assert (visible_text(left) == visible_text(right)) == (left == right)
    assert visible_text(left).isprintable()


@pytest.mark.parametrize("prose", [True, False])
def test_hostile_text_stays_within_its_row(prose: bool) -> None:
    """Names of problems and models, comments, lines and gold answers with such characters leave the text printable."""
    problem = replace(PROBLEM, problem_id=HOSTILE, question=HOSTILE, gold=HOSTILE, solution=f"4*9 is 36 {HOSTILE}")
    trace, text = _read(problem, _template(CODE, {"L1": HOSTILE.replace("\ud800", ""), "L7": "no such line"}))
    trace = replace(trace, entries=tuple(replace(entry, comment=HOSTILE) for entry in trace.entries))
    shown = heading(problem, prose=prose) + worked_solution(problem, HOSTILE, trace, text, prose=prose)
    shown += unsolved(HOSTILE, Refusal(RefusalReason.NO_TRACE, HOSTILE, 3), prose=prose)
    shown += unsolved(HOSTILE, ProgramError("ValueError", HOSTILE), prose=prose)
    assert all(row.isprintable() for row in shown.split("\n"))


def test_a_refusal_is_what_the_section_says() -> None:
    """The typed reason stands in the place of the solution; without prose, its detail is a digest."""
    refusal = Refusal(RefusalReason.FALSE_ANNOTATION, "2+2 is 4, not 5", 3)
    assert unsolved("oak", refusal, prose=True).endswith("no template: false-annotation (line 3): 2+2 is 4, not 5\n")
    assert unsolved("oak", refusal, prose=False).endswith(f"(line 3): detail {_digest('2+2 is 4, not 5')}\n")
    assert unsolved("oak", ProgramError("ZeroDivisionError"), prose=True).endswith(
        "no trace: raises ZeroDivisionError\n"
    )


def _phrases(text: str) -> set[tuple[str, ...]]:
    """Return the runs of four words, cut at every number and sign but the apostrophe."""
    phrases = set()
    for stretch in re.split(r"[^A-Za-z' ]+", text.lower()):
        words = stretch.split()
        phrases |= {tuple(words[start : start + 4]) for start in range(len(words) - 3)}
    return phrases


def test_without_prose_no_phrase_of_the_problem_is_shown() -> None:
    """No four words in a row of a question or its solution appear where prose is left out."""
    shared = {}
    for problem, trace, text in _bundled().values():
        shown = heading(problem, prose=False) + worked_solution(problem, "birch", trace, text, prose=False)
        shared[problem.problem_id] = _phrases(shown) & _phrases(f"{problem.question} {problem.solution}")
    assert {problem_id: phrases for problem_id, phrases in shared.items() if phrases} == {}


def test_no_snapshot_of_gsm8k_holds_a_phrase_of_it(shared_data: Path) -> None:
    """No four words in a row of the GSM8K problems appear in the snapshots kept in this repository."""
    from snapshots.snapshot_files import HOME, TRACES

    problems = load_corpus(str(shared_data / "gsm8k" / "train.jsonl"))
    kept = {path.name for path in TRACES.folder(HOME).glob(f"gsm8k-*.{TRACES.suffix}")}
    shared = {}
    for problem in problems:
        path = TRACES.path_of(HOME, problem.problem_id)
        if path.name in kept:
            phrases = _phrases(path.read_text(encoding="utf-8")) & _phrases(f"{problem.question} {problem.solution}")
            shared[path.name] = phrases
    assert len(shared) == len(kept)
    assert {name: phrases for name, phrases in shared.items() if phrases} == {}
