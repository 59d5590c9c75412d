"""Tests of template claims: each claim fails for the fault that it is meant to detect, and for no other."""

import json
import re
from pathlib import Path
from typing import Any

from harness.corpora.problems import CORPORA, load_corpus
from harness.domain import Evidence, Exact, Problem, Response, Status, Verdict
from harness.program.syntax.code_extraction import read_source
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.units import KNOWN_CONSTANTS
from oracles.template_claims import CLAIMS, judge_template, provenance_evidence, read_solution
from tests.cases import cases, lines_beside, rows
from tests.json_lines import read_lines

Template = dict[str, Any]
Edit = tuple[int, str, object] | tuple[str, str]
MINI = {problem.problem_id: problem for problem in load_corpus("mini")}
# The template of mini-048 is cut off, and no template.
BIRCH: dict[str, str] = {
    record["problem_id"]: record["response"]
    for record in read_lines(Path(CORPORA / "mini" / "formalizations.jsonl"))
    if record["model"] == "birch" and record["problem_id"] != "mini-048"
}
QUESTION = "A box holds 6 pens. Ann has 4 boxes and gives half of the pens to Bo. How many does she keep?"
LINES = "She has 6*4 = <<6*4=24>>24 pens.", "She keeps 24/2 = <<24/2=12>>12 pens."
PROBLEM = Problem("p-1", QUESTION, "\n".join(LINES), "12")
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
TEXTS = (
    "She has {pens}*{boxes} = <<{pens}*{boxes}={total}>>{total} pens.",
    "She keeps {total}/{half} = <<{total}/{half}={kept}>>{kept} pens.",
)


def step(line: str, inputs: list[str], output: str | None, text: str) -> dict[str, Any]:
    """Return a logical step without world knowledge."""
    return {
        "line_number": line,
        "question_inputs": inputs,
        "WK_inputs": [],
        "output_variable": output,
        "solution_line_template": text,
    }


FIRST = step("L1", ["pens", "boxes"], "total", TEXTS[0])
STEPS = [FIRST, step("L2", ["half"], "kept", TEXTS[1])]


def judged(problem: Problem, text: str) -> dict[str, Verdict]:
    """Judge a response."""
    return judge_template(problem, read_solution(problem, Response(problem.problem_id, "birch", text, "template")))


def judged_with(*edits: Edit, problem: Problem = PROBLEM, steps: list[dict[str, Any]] = STEPS) -> dict[str, Verdict]:
    """Judge the template with other text in its code, or other fields of its steps."""
    edited: Template = json.loads(json.dumps({"function_code": CODE, "logical_steps": steps}))
    for edit in edits:
        if len(edit) == 3:
            edited["logical_steps"][edit[0]][edit[1]] = edit[2]
        else:
            assert edit[0] in edited["function_code"]
            edited["function_code"] = edited["function_code"].replace(*edit)
    return judged(problem, json.dumps(edited))


def statuses(verdicts: dict[str, Verdict]) -> dict[str, str]:
    """Return the claims that are not confirmed."""
    return {claim: verdict.status.name for claim, verdict in verdicts.items() if verdict.status != Status.CONFIRMED}


FAULTS = lines_beside(__file__, "template_faults.jsonl")
"""The claim and what is wrong; the edits, or all steps; and the findings."""


@cases("row", FAULTS)
def test_a_fault_is_refuted_by_its_claim(row: dict[str, Any]) -> None:
    """And by no other; the findings have the line, the cause and both strings, and the first of them is the reason."""
    claim, findings = row["fault"].split(maxsplit=1)[0], [Evidence(*finding) for finding in row["findings"]]
    verdicts = judged_with(*row.get("edits", ()), steps=row.get("steps", STEPS))
    found = {name: list(verdict.findings) for name, verdict in verdicts.items() if verdict.findings}
    assert (found, statuses(verdicts)) == ({claim: findings}, {claim: "REFUTED"}), row["fault"]
    line, cause, said, due = row["findings"][0]
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    assert verdicts[claim].reason == f"{line}: {cause}: {said!r}, expected {due!r}{more}"


HARMLESS: dict[str, list[Edit]] = {
    "nothing": [],
    "an input used on a later line again": [("kept = total / half", "kept = total / half + boxes - boxes")],
    "code under FA before another line": [("    # L2\n", "    # FA\n    copy = total * 1\n    # L2\n")],
    "a known constant that the question states": [
        ("half = 2 # half of the pens", "half = 2 # WK"),
        (1, "question_inputs", []),
        (1, "WK_inputs", ["half"]),
    ],
    "a step with an input of another line": [(1, "question_inputs", ["half", "pens"])],
}


@cases("change", HARMLESS)
def test_a_harmless_change_is_no_fault(change: str) -> None:
    """All five claims are confirmed, in their order, each by as many checks as it makes."""
    verdicts = judged_with(*HARMLESS[change])
    assert statuses(verdicts) == statuses(judged_with(steps=STEPS[::-1])) == {}
    assert tuple(verdicts) == CLAIMS
    if change == "nothing":
        assert [verdict.checked for verdict in verdicts.values()] == [1, 2, 3, 6, 3]


def test_values_and_outputs() -> None:
    """A value that the question lacks fails with the lines that state another; a dead output is only told; no gold answer is UNKNOWN."""
    wrong = judged_with(("pens = 6", "pens = 5"))
    said = "a number of the question; the comment quotes 'A box holds 6 pens'"
    assert wrong["provenance"].findings == (Evidence("L1", "not in the question", "pens = 5", said),)
    assert set(statuses(wrong)) == {"answer", "structure", "provenance"}
    dead = judged_with(("answer = kept", "answer = pens * 2"))["graph"]
    assert (dead.status.name, dead.reason) == ("CONFIRMED", "the answer does not need total, kept")
    assert statuses(judged_with(problem=Problem("p-1", QUESTION, "\n".join(LINES), None))) == {"answer": "UNKNOWN"}
    steps = [*STEPS, step("L3", [], None, "Done.")]
    problem = Problem("p-1", QUESTION, "\n".join([*LINES, "Done."]), "12")
    assert statuses(judged_with(problem=problem, steps=steps)) == {}


UNREADABLE = {
    "": "empty: ",
    "{": "broken-json: ",
    '{"function_code": "def solve():\\n    return 12"}': "no-steps: ",
    '{"function_code": "def solve():\\n    return 12", "logical_steps": [{"line_number": "one"}]}': "broken-steps: ",
    "while True: pass": "",
    "a = 1\n    a = 2\n    return a": "no-trace: ",
    "a = 1 / 0\n    return a": "ZeroDivisionError",
    "return __import__('os')": "forbidden: ",
}


@cases("text", UNREADABLE)
def test_what_cannot_be_read_or_traced_is_unknown(text: str) -> None:
    """Of the four claims beside the answer, with the reason and nothing checked."""
    whole = {"function_code": f"def solve():\n    {text}", "logical_steps": STEPS}
    verdicts = judged(PROBLEM, text if text[:1] in {"", "{"} else json.dumps(whole))
    for claim in CLAIMS[1:]:
        other = verdicts[claim]
        assert (other.status, other.method, other.checked, other.unsupported) == (Status.UNKNOWN, "read", 0, 1)
        assert str(other.reason).startswith(UNREADABLE[text])


@cases("problem_id", BIRCH)
def test_a_planted_fault_of_mini_is_refuted_by_its_claim_alone(problem_id: str) -> None:
    """In each of birch's templates: a changed word by the structure, an unused input by the graph."""
    source, problem = read_source(BIRCH[problem_id]), MINI[problem_id]
    steps = [dict(one) for one in source.steps]
    before = judged(problem, json.dumps({"function_code": source.code, "logical_steps": steps}))
    planted = re.sub(r"( +)# L\d+\n", r"\g<0>\1unused_one = 1 # WK\n", source.code, count=1)
    unused = judged(problem, json.dumps({"function_code": planted, "logical_steps": steps}))
    assert {claim for claim in CLAIMS if before[claim].status != unused[claim].status} == {"graph"}
    steps[0]["solution_line_template"] = f"Suddenly {steps[0]['solution_line_template']}"
    worded = judged(problem, json.dumps({"function_code": source.code, "logical_steps": steps}))
    assert {claim for claim in CLAIMS if before[claim] != worded[claim]} == {"structure"}
    assert worded["structure"].findings[0].cause == "wording"


def evidence(question: str, value: Exact, role: VariableRole, comment: str = "") -> list[Evidence]:
    """Judge one input `x` on L1."""
    return provenance_evidence(question, [TraceEntry("x", value, role, "L1", comment=comment)])


WRONG_NUMBER = "x = 7 → a number of the question; the comment quotes '7 apples'"
MENTIONED = "x = 17, world knowledge → '17'"
PROVENANCE = [
    ("5 apples", 7, VariableRole.QUESTION_INPUT, "7 apples", f"L1 → not in the question → {WRONG_NUMBER}"),
    ("17 loaves", 17, VariableRole.WORLD_KNOWLEDGE_INPUT, "", f"L1 → mentioned in the question → {MENTIONED}"),
    ("17 loaves", 18, VariableRole.WORLD_KNOWLEDGE_INPUT, "", ""),
    ("5 apples", 5, VariableRole.INPUT, "", "L1 → no provenance → x = 5 → a quoting comment or # WK"),
    ("Ann has a hat", 1, VariableRole.QUESTION_INPUT, "", ""),
    ("5 apples", 7, VariableRole.OUTPUT, "", ""),
]


@cases(("question", "value", "role", "comment", "expected"), PROVENANCE)
def test_an_input_has_the_source_that_it_states(
    question: str, value: Exact, role: VariableRole, comment: str, expected: str
) -> None:
    """A finding has both strings; what is computed needs no source, and a known constant may be in the question, too."""
    assert evidence(question, value, role, comment) == [Evidence(*row) for row in rows(expected) if expected]
    for constant in KNOWN_CONSTANTS:
        assert not evidence(f"There are {constant} of them", constant, VariableRole.WORLD_KNOWLEDGE_INPUT)
