"""Tests of the snapshot of a mutation operator: all that a reviewer needs, and no active content."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from generators.flaws.mutation_operator import OPERATORS
from generators.flaws.slip import SLIPS
from harness.domain import Problem
from snapshots.texts import bundled_corpus as bundled, mutations
from snapshots.texts.mutations import flaw_text, mutations_text
from snapshots.texts.operator_text import operator_text
from snapshots.texts.subjects import MUTATIONS, OperatorSubject, subjects

Record = dict[str, Any]
_operator_text = partial(operator_text, text_of=flaw_text, noun="flawed solution")
PROBLEM = Problem(
    problem_id="tray-1",
    question="A cook bakes 4 trays of 9 buns, eats 6 of the buns and shares the rest out to 5 tables. How many does each get?",
    solution="That makes 4*9 = <<4*9=36>>36 buns.\nThere are 36-6 = <<36-6=30>>30 left.\nEach table gets 30/5 = <<30/5=6>>6.",
    gold="6",
    tier=1,
)
ORACLE = {
    "inputs": [["trays", "4"], ["each", "9"], ["eaten", "6"], ["tables", "5"]],
    "steps": [["L1", "buns", "trays * each"], ["L2", "left", "buns - eaten"], ["L3", "share", "left / tables"]],
    "answer": "share",
}


def _flaw(flawed: str, change: Record, values: list[Record], details: Record, **fields: Any) -> Record:
    return {
        "flaw_id": "tray-1:some",
        "problem_id": "tray-1",
        "position": "early",
        "operator": "some",
        "solution": f"{PROBLEM.solution}\n#### 6",
        "flawed_solution": flawed,
        "mutation": change,
        "values": values,
        "label": {"error_details": details},
        "plausibility": {"score": 0.45, "reasons": ["the answer is of the same size", "the answer is no whole number"]},
        "edits": [],
        **fields,
    }


SLIP = _flaw(
    "That makes 4*9 = <<4*9=46>>46 buns.\nThere are 46-6 = <<46-6=40>>40 left.\nEach table gets 40/5 = <<40/5=8>>8.\n#### 8",
    {"line": "L1", "variable": "buns", "from": "36", "to": "46"},
    [
        {"variable": "buns", "line": "L1", "before": "36", "after": "46"},
        {"variable": "left", "line": "L2", "before": "30", "after": "40"},
        {"variable": "share", "line": "L3", "before": "6", "after": "8"},
    ],
    {
        "error_type": "computational_error",
        "erroneous_line_number": "L1",
        "explanation": "It is 36, not 46.",
        "correction": "That makes 4*9 = <<4*9=36>>36 buns.",
    },
    certificate={
        "claim": "one-false-equation",
        "oracle": ORACLE,
        "mutant": None,
        "change": {"line": "L1", "variable": "buns", "from": "36", "to": "46"},
    },
)
SLIP_TEXT = """\
──── L1 buns: 36 → 46

    - L1  That makes 4*9 = <<4*9=36>>36 buns.
    + L1  That makes 4*9 = <<4*9=46>>46 buns.
    - L2  There are 36-6 = <<36-6=30>>30 left.
    + L2  There are 46-6 = <<46-6=40>>40 left.
    - L3  Each table gets 30/5 = <<30/5=6>>6.
    + L3  Each table gets 40/5 = <<40/5=8>>8.
    - FA  #### 6
    + FA  #### 8

    values          buns (L1): 36 → 46
                    left (L2): 30 → 40
                    share (L3): 6 → 8
    label           computational_error on L1, early
    explanation     It is 36, not 46.
    correction      That makes 4*9 = <<4*9=36>>36 buns.
    plausible 0.45  the answer is of the same size
                    the answer is no whole number
    needs edit      —
    certificate     one-false-equation: buns (L1): trays * each = 46 is false, it is 36; all others hold, the answer is wrong
"""
SKIPPED = _flaw(
    "That makes 4*9 = <<4*9=36>>36 buns.\nEach table gets 36/5 = <<36/5=7.2>>7.2.\n#### 7.2",
    {"line": "L2", "variable": "left", "from": "the buns left", "to": "the buns"},
    [
        {"variable": "left", "line": "L2", "before": "30", "after": None},
        {"variable": "share", "line": "L3", "before": "6", "after": "36/5"},
    ],
    {
        "error_type": "skipped_step",
        "erroneous_line_number": "L2",
        "explanation": "36 - 6 = 30 was left out.",
        "correction": "Each table gets 30/5 = <<30/5=6>>6.",
    },
    plausibility={"score": 0.5, "reasons": []},
    edits=["the words still say 'rest'", "the answer is no whole number"],
    certificate={
        "claim": "inequivalent-mutant",
        "oracle": ORACLE,
        "mutant": {},
        "change": {"line": "L2", "variable": "left", "from": "buns - eaten", "to": ""},
    },
)
SKIPPED_TEXT = """\
──── L2 left: the buns left → the buns

    - L2  There are 36-6 = <<36-6=30>>30 left.
    - L3  Each table gets 30/5 = <<30/5=6>>6.
    + L2  Each table gets 36/5 = <<36/5=7.2>>7.2.
    - FA  #### 6
    + FA  #### 7.2

    values          left (L2): 30 → gone
                    share (L3): 6 → 36/5
    label           skipped_step on L2, early
    explanation     36 - 6 = 30 was left out.
    correction      Each table gets 30/5 = <<30/5=6>>6.
    plausible 0.50  —
    needs edit      the words still say 'rest'
                    the answer is no whole number
    certificate     inequivalent-mutant: left (L2): buns - eaten → —; all equations hold, the answer is wrong
"""


@pytest.mark.parametrize(("flaw", "text"), [(SLIP, SLIP_TEXT), (SKIPPED, SKIPPED_TEXT)])
def test_a_flawed_solution_reads_as_a_change_to_review(flaw: Record, text: str) -> None:
    """Its lines before and after, the values that differ, the label, the reasons and the claim stand one below the other."""
    assert flaw_text(flaw) == text


def test_the_problem_stands_above_its_flawed_solutions() -> None:
    """Each problem's question stands once, above all that was made of it."""
    other = replace(PROBLEM, problem_id="tray-2", tier=None, question="Another?")
    flaws = [SLIP, SKIPPED, {**SLIP, "problem_id": "tray-2"}]
    shown = _operator_text("some", flaws, {"tray-1": PROBLEM, "tray-2": other})
    question = "    A cook bakes 4 trays of 9 buns, eats 6 of the buns and shares the rest out to 5 tables. How many\n    does each get?\n"
    first = f"some\n\n════ tray-1, tier 1\n\n{question}\n{SLIP_TEXT}\n{SKIPPED_TEXT}\n"
    assert shown == f"{first}════ tray-2\n\n    Another?\n\n{SLIP_TEXT}"


def test_an_operator_that_makes_nothing_says_so() -> None:
    """An operator that makes nothing has a snapshot that says so."""
    assert _operator_text("some", [], {}) == "some\n\n    makes no flawed solution of the bundled problems\n"


HOSTILE = "a\u202eb\x1b[31mc\u200bd\u2028e\x00f\ud800g\\n"


def test_what_is_unseen_or_acts_is_shown_escaped() -> None:
    """Whatever a record's words hold, every row is printable, and no text makes a row of its own."""
    flaw = _flaw(
        SLIP["flawed_solution"].replace("buns", HOSTILE),
        dict.fromkeys(("line", "variable", "from", "to"), HOSTILE),
        [dict.fromkeys(("variable", "line", "before", "after"), HOSTILE)],
        dict.fromkeys(("error_type", "erroneous_line_number", "explanation", "correction"), f"{HOSTILE}\nx"),
        edits=[HOSTILE],
        plausibility={"score": 0.5, "reasons": [HOSTILE]},
        certificate={"claim": HOSTILE, "change": dict.fromkeys(("line", "variable", "from", "to"), HOSTILE)},
    )
    shown = _operator_text(HOSTILE, [flaw], {"tray-1": PROBLEM})
    assert all(row.isprintable() for row in shown.split("\n"))
    assert not any(row.startswith("x") for row in shown.split("\n"))


@pytest.mark.slow
def test_each_registered_operator_has_a_snapshot() -> None:
    """The subjects are the slips and the mutation operators, each once, sorted."""
    names = [subject.name for subject in subjects([MUTATIONS])]
    assert names == sorted([*(entry.name for entry in SLIPS), *(entry.name for entry in OPERATORS)])
    assert len(set(names)) == len(names)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundle the first three problems only."""
    first = dict(list(bundled.problems().items())[:3])
    monkeypatch.setattr(bundled, "problems", lambda: first)
    mutations.bundled_flaws.cache_clear()
    monkeypatch.setattr(mutations, "bundled_flaws", mutations.bundled_flaws.__wrapped__)
    monkeypatch.setattr(bundled, "responses", bundled.responses.__wrapped__)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_a_snapshot_is_the_same_every_time() -> None:
    """Made anew, what an operator makes reads the same, and shows flawed solutions of several problems."""
    subject = OperatorSubject(MUTATIONS, "off_by_n")
    text = mutations_text(subject)
    assert text.count("\n════ ") == 3
    assert text.count("\n──── ") == 12
    assert mutations_text(subject) == text
