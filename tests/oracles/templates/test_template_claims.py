"""Tests of template claims: each claim fails for the fault that it is meant to detect, and for no other."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.corpora.problems import CORPORA, load_corpus
from harness.domain import Evidence, Problem, Response, Status, Verdict
from harness.program.syntax.code_extraction import read_source
from oracles.templates.claims import CLAIMS, judge_template, read_solution
from tests.cases import cases

Template = dict[str, Any]
MINI = {problem.problem_id: problem for problem in load_corpus("mini")}
# The template of mini-048 is cut off, and no template.
BIRCH: dict[str, str] = {
    record["problem_id"]: record["response"]
    for record in map(json.loads, Path(CORPORA / "mini" / "formalizations.jsonl").read_text().splitlines())
    if record["model"] == "birch" and record["problem_id"] != "mini-048"
}


def judged(problem: Problem, text: str) -> dict[str, Verdict]:
    """Judge a response."""
    return judge_template(problem, read_solution(problem, Response(problem.problem_id, "birch", text, "template")))


def statuses(verdicts: dict[str, Verdict]) -> dict[str, str]:
    """Return the claims that are not confirmed."""
    return {claim: verdict.status.name for claim, verdict in verdicts.items() if verdict.status != Status.CONFIRMED}


PROBLEM = Problem(
    "p-1",
    "A box holds 6 pens. Ann has 4 boxes and gives half of the pens to Bo. How many does she keep?",
    "She has 6*4 = <<6*4=24>>24 pens.\nShe keeps 24/2 = <<24/2=12>>12 pens.",
    "12",
)
CODE = """def solve():
    # L1
    pens = 6 # A box holds 6 pens
    boxes = 4 # Ann has 4 boxes
    total = pens * boxes

    # L2
    half = 2 # half of the pens
    kept = total / half

    # FA
    answer = kept
    return answer"""
STEPS = [
    {
        "line_number": "L1",
        "question_inputs": ["pens", "boxes"],
        "WK_inputs": [],
        "output_variable": "total",
        "solution_line_template": "She has {pens}*{boxes} = <<{pens}*{boxes}={total}>>{total} pens.",
    },
    {
        "line_number": "L2",
        "question_inputs": ["half"],
        "WK_inputs": [],
        "output_variable": "kept",
        "solution_line_template": "She keeps {total}/{half} = <<{total}/{half}={kept}>>{kept} pens.",
    },
]


def template() -> Template:
    """Return a template of the problem without a fault."""
    return json.loads(json.dumps({"function_code": CODE, "logical_steps": STEPS}))  # type: ignore[no-any-return]  # an object


def code(old: str, new: str) -> Callable[[Template], None]:
    """Return a fault in the code."""

    def plant(edited: Template) -> None:
        assert old in edited["function_code"]
        edited["function_code"] = edited["function_code"].replace(old, new)

    return plant


def step(number: int, field: str, value: object) -> Callable[[Template], None]:
    """Return a fault in a step."""

    def plant(edited: Template) -> None:
        edited["logical_steps"][number][field] = value

    return plant


def both(*faults: Callable[[Template], None]) -> Callable[[Template], None]:
    """Return a fault that takes several changes."""

    def plant(edited: Template) -> None:
        for fault in faults:
            fault(edited)

    return plant


@dataclass(frozen=True, slots=True)
class Case:
    """A fault, the claims it refutes, and what the verdicts say of it."""

    plant: Callable[[Template], None]
    findings: dict[str, list[Evidence]]


def line_of(number: int) -> str:
    """Return a line of the solution."""
    return PROBLEM.solution.split("\n")[number - 1]


FAULTS = {
    "a word of a line": Case(
        step(0, "solution_line_template", "He has {pens}*{boxes} = <<{pens}*{boxes}={total}>>{total} pens."),
        {"structure": [Evidence("L1", "wording", "He has 6*4 = <<6*4=24>>24 pens.", line_of(1))]},
    ),
    "another variable in a line": Case(
        step(1, "solution_line_template", "She keeps {total}/{half} = <<{total}/{half}={kept}>>{boxes} pens."),
        {"structure": [Evidence("L2", "another value", "She keeps 24/2 = <<24/2=12>>4 pens.", line_of(2))]},
    ),
    "a line that is not there": Case(
        both(step(1, "line_number", "L7"), code("# L2", "# L7")),
        {
            "structure": [
                Evidence(
                    "L7",
                    "no such line",
                    STEPS[1]["solution_line_template"],
                    "(the solution has 2 lines)",  # type: ignore[arg-type]  # a text
                )
            ]
        },
    ),
    "an input declared on an earlier line": Case(
        both(
            code("    half = 2 # half of the pens\n", ""),
            code("    pens = 6", "    half = 2 # half of the pens\n    pens = 6"),
        ),
        {"lines": [Evidence("L1", "declared early", "half under L1", "under L2, its first use")]},
    ),
    "an input that nothing uses": Case(
        code("    half = 2", "    spare = 6 # A box holds 6 pens\n    half = 2"),
        {"graph": [Evidence("L2", "unused input", "spare", "every input is used")]},
    ),
    "another output variable": Case(
        step(0, "output_variable", "pens"),
        {"lines": [Evidence("L1", "output variable", "pens", "total, as the code says")]},
    ),
    "no output variable": Case(
        step(0, "output_variable", None),
        {"lines": [Evidence("L1", "output variable", "None", "total, as the code says")]},
    ),
    "two outputs on a line": Case(
        code("    kept = total / half", "    share = total / half\n    kept = share"),
        {"lines": [Evidence("L2", "outputs", "share, kept", "exactly one output a line")]},
    ),
    "no output on a line": Case(
        both(
            code("# FA", "# L3\n    # FA"),
            code("    total = pens * boxes\n\n    # L2", "    # L2\n    total = pens * boxes"),
        ),
        {
            "lines": [
                Evidence("L1", "declared early", "pens under L1", "under L2, its first use"),
                Evidence("L1", "declared early", "boxes under L1", "under L2, its first use"),
                Evidence("L1", "outputs", "none", "exactly one output a line"),
                Evidence("L2", "outputs", "total, kept", "exactly one output a line"),
            ]
        },
    ),
    "two steps of a line": Case(
        lambda edited: edited["logical_steps"].insert(0, {**STEPS[0], "output_variable": "pens"}),
        {"lines": [Evidence("L1", "several steps", "2 steps of L1", "one logical step a line")]},
    ),
    "code without a step": Case(
        lambda edited: edited["logical_steps"].pop(),
        {"lines": [Evidence("L2", "code without a step", "code under # L2", "a logical step of that line")]},
    ),
    "a step without code": Case(
        both(code("# L2\n", "\n"), code("kept = total / half", "kept = total / half")),
        {
            "lines": [
                Evidence("L1", "outputs", "total, kept", "exactly one output a line"),
                Evidence("L2", "step without code", "kept", "code under # L2"),
            ]
        },
    ),
    "a computed variable listed as an input": Case(
        step(1, "question_inputs", ["half", "total"]),
        {"lines": [Evidence("L2", "listed input", "total in question_inputs", "an input; total is computed")]},
    ),
    "an unknown variable listed as an input": Case(
        step(1, "WK_inputs", ["ghost"]),
        {"lines": [Evidence("L2", "listed input", "ghost in WK_inputs", "an input; ghost is not in the code")]},
    ),
    "world knowledge that the question states": Case(
        both(
            code("4 # Ann has 4 boxes", "4 # WK"), step(0, "question_inputs", ["pens"]), step(0, "WK_inputs", ["boxes"])
        ),
        {},
    ),
}


HARMLESS = {
    "an input used on a later line again": code("kept = total / half", "kept = total / half + boxes - boxes"),
    "code under FA before another line": code("    # L2\n", "    # FA\n    copy = total * 1\n    # L2\n"),
    "a constant of world knowledge that the question states": both(
        code("half = 2 # half of the pens", "half = 2 # WK"),
        step(1, "question_inputs", []),
        step(1, "WK_inputs", ["half"]),
    ),
    "a step with an input of another line": step(1, "question_inputs", ["half", "pens"]),
    "steps in another order": lambda edited: edited["logical_steps"].reverse(),
}


@cases("change", HARMLESS)
def test_a_harmless_change_is_no_fault(change: str) -> None:
    """A harmless change leaves all claims confirmed."""
    edited = template()
    HARMLESS[change](edited)
    assert statuses(judged(PROBLEM, json.dumps(edited))) == {}


@cases("fault", FAULTS)
def test_a_fault_is_refuted_by_its_claim(fault: str) -> None:
    """And by no other; the findings carry the line, the cause and both strings."""
    edited = template()
    FAULTS[fault].plant(edited)
    verdicts = judged(PROBLEM, json.dumps(edited))
    found = {claim: list(verdict.findings) for claim, verdict in verdicts.items() if verdict.findings}
    assert (found, statuses(verdicts)) == (FAULTS[fault].findings, dict.fromkeys(FAULTS[fault].findings, "REFUTED"))


def test_a_faultless_template_is_confirmed() -> None:
    """All five claims, each by as many checks as it makes."""
    verdicts = judged(PROBLEM, json.dumps(template()))
    assert {claim: (verdict.status.name, verdict.checked, verdict.method) for claim, verdict in verdicts.items()} == {
        "answer": ("CONFIRMED", 1, "exact"),
        "structure": ("CONFIRMED", 2, "structure"),
        "provenance": ("CONFIRMED", 3, "provenance"),
        "graph": ("CONFIRMED", 6, "graph"),
        "lines": ("CONFIRMED", 3, "lines"),
    }


def test_a_value_away_from_the_question_is_refuted() -> None:
    """By the provenance; the answer and the lines that state another number fall with it."""
    edited = template()
    code("pens = 6", "pens = 5")(edited)
    verdicts = judged(PROBLEM, json.dumps(edited))
    said = "a number of the question; the comment quotes 'A box holds 6 pens'"
    assert (set(statuses(verdicts)), verdicts["provenance"].findings) == (
        {"answer", "structure", "provenance"},
        (Evidence("L1", "not in the question", "pens = 5", said),),
    )


def test_a_value_that_changes_nothing_else_is_refuted_by_provenance_alone() -> None:
    """A question input that the question does not state, where the answer and the lines stay as they are."""
    problem = Problem("p-1", "Ann has some boxes of 4 pens?", PROBLEM.solution, "12")
    assert statuses(judged(problem, json.dumps(template()))) == {"provenance": "REFUTED"}


def test_outputs_that_the_answer_does_not_need_are_told() -> None:
    """A dead output is no fault of the graph, but said."""
    edited = template()
    code("answer = kept", "answer = pens * 2")(edited)
    verdict = judged(PROBLEM, json.dumps(edited))["graph"]
    assert (verdict.status.name, verdict.reason) == ("CONFIRMED", "the answer does not need total, kept")


def test_the_first_finding_and_their_number_are_the_reason() -> None:
    """The reason is the first finding, in the order of the lines, with their number."""
    edited = template()
    step(0, "output_variable", "x")(edited)
    step(1, "output_variable", "y")(edited)
    verdict = judged(PROBLEM, json.dumps(edited))["lines"]
    assert verdict.reason == "L1: output variable: 'x', expected 'total, as the code says' (and 1 more)"


def test_findings_come_in_the_order_of_the_lines() -> None:
    """Findings come in the order of the lines: L10 after L2."""
    lines = [f"<<{number}+1={number + 1}>>" for number in range(1, 12)]
    body = "".join(f"    # L{n}\n    a{n} = {n} # WK\n    r{n} = a{n} + 1\n" for n in range(1, 12))
    text = json.dumps(
        {
            "function_code": f"def solve():\n{body}    # FA\n    answer = r11\n    return answer",
            "logical_steps": [{**STEPS[0], "line_number": f"L{n}", "question_inputs": []} for n in range(11, 0, -1)],
        }
    )
    verdict = judged(Problem("p", "", "\n".join(lines), None), text)["lines"]
    assert [finding.line for finding in verdict.findings] == [f"L{n}" for n in range(1, 12)]


def test_a_step_of_a_line_without_code_may_have_no_output() -> None:
    """A line that only says something is worded by a step without output."""
    edited = template()
    edited["logical_steps"].append(
        {
            **STEPS[0],
            "line_number": "L3",
            "question_inputs": [],
            "output_variable": None,
            "solution_line_template": "Done.",
        }
    )
    problem = Problem("p-1", PROBLEM.question, PROBLEM.solution + "\nDone.", "12")
    assert statuses(judged(problem, json.dumps(edited))) == {}


UNREADABLE = {
    "": "empty: ",
    "{": "broken-json: ",
    '{"function_code": "def solve():\\n    return 12"}': "no-steps: ",
    json.dumps(
        {"function_code": "def solve():\n    return 12", "logical_steps": [{"line_number": "one"}]}
    ): "broken-steps: ",
    json.dumps({"function_code": "def solve():\n    while True: pass", "logical_steps": STEPS}): "",
    json.dumps(
        {"function_code": "def solve():\n    a = 1\n    a = 2\n    return a", "logical_steps": STEPS}
    ): "no-trace: ",
    json.dumps(
        {"function_code": "def solve():\n    a = 1 / 0\n    return a", "logical_steps": STEPS}
    ): "ZeroDivisionError",
    json.dumps({"function_code": "def solve():\n    return __import__('os')", "logical_steps": STEPS}): "forbidden: ",
}


@cases("text", UNREADABLE)
def test_what_cannot_be_read_or_traced_is_unknown(text: str) -> None:
    """Of the four claims beside the answer, with the reason and nothing checked."""
    verdicts = judged(PROBLEM, text)
    others = [verdict for claim, verdict in verdicts.items() if claim != "answer"]
    assert [(other.status.name, other.method, other.checked, other.unsupported) for other in others] == [
        ("UNKNOWN", "read", 0, 1)
    ] * 4
    assert all(other.reason is not None and other.reason.startswith(UNREADABLE[text]) for other in others)


def test_claims_are_in_one_order() -> None:
    """Claims come in one order, the answer first."""
    assert tuple(judged(PROBLEM, json.dumps(template()))) == CLAIMS


def test_a_problem_without_gold_leaves_the_answer_unknown() -> None:
    """Without a gold answer the answer is UNKNOWN, and the other claims are judged."""
    problem = Problem("p-1", PROBLEM.question, PROBLEM.solution, None)
    assert statuses(judged(problem, json.dumps(template()))) == {"answer": "UNKNOWN"}


@cases("problem_id", BIRCH)
def test_a_changed_word_of_mini_is_refuted_by_structure_alone(problem_id: str) -> None:
    """In each of birch's templates: whatever else the claims say of it stays."""
    source = read_source(BIRCH[problem_id])
    steps = [dict(step) for step in source.steps]
    before = judged(MINI[problem_id], json.dumps({"function_code": source.code, "logical_steps": steps}))
    steps[0]["solution_line_template"] = f"Suddenly {steps[0]['solution_line_template']}"
    after = judged(MINI[problem_id], json.dumps({"function_code": source.code, "logical_steps": steps}))
    changed = {claim for claim in CLAIMS if before[claim] != after[claim]}
    assert (changed, after["structure"].status, after["structure"].findings[0].cause) == (
        {"structure"},
        Status.REFUTED,
        "wording",
    )


@cases("problem_id", BIRCH)
def test_an_unused_input_of_mini_is_refuted_by_the_graph_alone(problem_id: str) -> None:
    """An unused input in any of birch's templates is refuted by the graph alone."""
    source = read_source(BIRCH[problem_id])
    steps = [dict(step) for step in source.steps]
    before = judged(MINI[problem_id], json.dumps({"function_code": source.code, "logical_steps": steps}))
    planted = re.sub(r"( +)# L\d+\n", r"\g<0>\1unused_one = 1 # WK\n", source.code, count=1)
    after = judged(MINI[problem_id], json.dumps({"function_code": planted, "logical_steps": steps}))
    changed = {claim for claim in CLAIMS if before[claim].status != after[claim].status}
    assert (planted != source.code, changed) == (True, {"graph"})
