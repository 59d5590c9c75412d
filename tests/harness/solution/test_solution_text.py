"""Tests of solution texts: bundled and real solutions render to the same text line by line."""

import json

from harness.corpora.problems import CORPORA, load_corpus, read_records
from harness.domain import Problem, Response
from harness.json_form import json_form
from harness.records.template import TraceRecord
from harness.solution.solution_text import SolutionText, read_text
from harness.solution.template import Template, read_template
from harness.solution.trace import Trace, trace_program
from tests.cases import cases

CODE = """def solve():
    # L1
    boxes = 6 # 6 boxes
    pens_per_box = 120 # 120 pens
    pens = boxes * pens_per_box
    # L2
    spare = 1 # one pen
    all_pens = pens + spare
    # FA
    answer = all_pens
    return answer"""
SOLUTION = "She has 6*120 = <<6*120=720>>720 pens\nWith the one pen there are 721 pens"


def template_of(*lines: tuple[str, str], code: str = CODE) -> Template:
    """Return a template of labelled wordings."""
    rest = {"question_inputs": [], "WK_inputs": [], "output_variable": None}
    steps = [{"line_number": label, **rest, "solution_line_template": words} for label, words in lines]
    return read_template(Response("p", "m", json.dumps({"function_code": code, "logical_steps": steps}), "template"))


def text_of(*lines: tuple[str, str], solution: str = SOLUTION) -> tuple[SolutionText, Trace]:
    """Lay wordings over a solution; also return the trace."""
    template = template_of(*lines)
    trace = trace_program(template.program)
    return read_text(Problem("p", "How many pens? One box", solution, "721"), template, trace), trace


@cases("solution", ["", "\n", "6\n\n7\n", "6\r\n7", "6 \u2028 7\x0c", "  6"])
def test_any_line_ends_are_kept(solution: str) -> None:
    """A solution that no step words reads the same again."""
    assert text_of(("L9", "x"), solution=solution)[0].render() == solution


def test_a_record_says_it_all() -> None:
    """Entries, lines with the places of the variables as written, what no variable explains, mismatches and dead."""
    solution = "6*120=720, so 3\n721"
    text, trace = text_of(("L1", "{boxes}*{pens_per_box}={pens}, so 3"), ("L2", "{pens}"), solution=solution)
    record = json.loads(json.dumps(json_form(TraceRecord.of_trace("p", "m", 2, trace, text))))
    assert (
        {key: record[key] for key in ("problem_id", "model", "tier", "result", "answer", "dead")},
        record["entries"][2],
        record["entries"][0]["comment"],
        record["lines"][0],
        record["mismatches"],
    ) == (
        {"problem_id": "p", "model": "m", "tier": 2, "result": "answer", "answer": "721", "dead": []},
        {
            "variable": "pens",
            "value": "720",
            "role": "output",
            "line": "L1",
            "code": "boxes * pens_per_box",
            "comment": "",
            "reads": ["boxes", "pens_per_box"],
        },
        "6 boxes",
        {
            "line": "L1",
            "parts": [
                {"variable": "boxes", "text": "6"},
                "*",
                {"variable": "pens_per_box", "text": "120"},
                "=",
                {"variable": "pens", "text": "720"},
                ", so 3",
            ],
            "literals": [{"text": "3", "candidates": []}],
        },
        [{"line": "L2", "cause": "another value", "given": "720", "expected": "721"}],
    )


def joined(record: dict[str, list[dict[str, list[str | dict[str, str]]]]]) -> str:
    """Write a record's lines from their parts."""
    return "\n".join(
        "".join(part if isinstance(part, str) else part["text"] for part in line["parts"]) for line in record["lines"]
    )


def laid(template: Template, problem: Problem) -> SolutionText:
    """Trace a template and lay it over the problem's solution."""
    return read_text(problem, template, trace_program(template.program))


PROBLEMS = {problem.problem_id: problem for problem in load_corpus("mini")}
BIRCH = {
    record["problem_id"]: Response(record["problem_id"], "birch", record["response"], "template")
    for _, record in read_records(CORPORA / "mini" / "formalizations.jsonl")
    # One answer of the bundled corpus is cut off.
    if record["model"] == "birch" and record["problem_id"] != "mini-048"
}


@cases("problem_id", BIRCH)
def test_bundled_templates_give_back_their_solutions(problem_id: str) -> None:
    """Rendering the correct trace gives the original, and reading again the same text."""
    template = read_template(BIRCH[problem_id])
    text = laid(template, PROBLEMS[problem_id])
    record = json_form(TraceRecord.of_trace(problem_id, "birch", None, trace_program(template.program), text))
    again = Problem(problem_id, PROBLEMS[problem_id].question, text.render(), None)
    assert (text.render(), joined(record), laid(template, again)) == (
        PROBLEMS[problem_id].solution,
        PROBLEMS[problem_id].solution,
        text,
    )
