"""Tests of solution texts: bundled and real solutions render to the same text line by line."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from harness.corpora.problems import CORPORA, load_corpus, read_records
from harness.domain import Problem, Response
from harness.json_form import json_form
from harness.program.refusal import ProgramError, Refusal, RefusalReason
from harness.records.template import TraceRecord
from harness.solution.solution_text import (
    MismatchCause,
    PlacedVariable,
    SolutionText,
    UnwritableError,
    plain_line,
    read_text,
)
from harness.solution.template import Template, read_template
from harness.solution.trace import Trace, propagate, trace_program
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
FIRST = "She has {boxes}*{pens_per_box} = <<{boxes}*{pens_per_box}={pens}>>{pens} pens"
SECOND = "With the {spare} pen there are {all_pens} pens"
SOLUTION = "She has 6*120 = <<6*120=720>>720 pens\nWith the one pen there are 721 pens"


def template_of(*lines: tuple[str, str], code: str = CODE) -> Template:
    """Return a template of labelled wordings."""
    steps = [
        {
            "line_number": label,
            "question_inputs": [],
            "WK_inputs": [],
            "output_variable": None,
            "solution_line_template": words,
        }
        for label, words in lines
    ]
    return read_template(Response("p", "m", json.dumps({"function_code": code, "logical_steps": steps}), "template"))


def text_of(*lines: tuple[str, str], solution: str = SOLUTION) -> tuple[SolutionText, Trace]:
    """Lay wordings over a solution; also return the trace."""
    template = template_of(*lines)
    trace = trace_program(template.program)
    return read_text(Problem("p", "How many pens? One box", solution, "721"), template, trace), trace


def test_a_solution_reads_the_same_again() -> None:
    """A solution with its own values renders to the same text, and every step fits."""
    text, _ = text_of(("L1", FIRST), ("L2", SECOND))
    assert (text.render(), text.faithful) == (SOLUTION, True)


def test_a_change_reaches_every_place() -> None:
    """Annotation and prose, words and digits, separators as the solution has none, nouns after a number of one."""
    text, trace = text_of(("L1", FIRST), ("L2", SECOND))
    changed = propagate(propagate(trace, "boxes", 10), "spare", 2)
    assert text.render(changed.values) == (
        "She has 10*120 = <<10*120=1200>>1200 pens\nWith the two pens there are 1202 pens"
    )


def test_what_cannot_be_written_is_an_error() -> None:
    """A value that its form cannot write, such as two and a half in words of integers, is an error."""
    text, trace = text_of(("L1", FIRST), ("L2", SECOND))
    with pytest.raises(UnwritableError, match="L2: spare = 5/2"):
        text.render(propagate(trace, "spare", Fraction(5, 2)).values)


@cases("solution", ["", "\n", "6\n\n7\n", "6\r\n7", "6 \u2028 7\x0c", "  6"])
def test_any_line_ends_are_kept(solution: str) -> None:
    """A solution that no step words reads the same again."""
    assert text_of(("L9", "x"), solution=solution)[0].render() == solution


def test_a_step_beyond_the_solution_is_a_mismatch() -> None:
    """A step beyond the last line is a mismatch that says how many lines there are."""
    text, _ = text_of(("L3", "x"))
    found = text.mismatches[0]
    assert (text.faithful, found.label, found.cause, found.given, found.expected) == (
        False,
        "L3",
        MismatchCause.NO_LINE,
        "x",
        "(the solution has 2 lines)",
    )


def test_a_line_whose_step_does_not_fit_keeps_its_words() -> None:
    """Its numbers still belong to the variables that alone have their values, and the mismatch is told."""
    text, _ = text_of(("L1", "She had {pens} pens"), ("L2", SECOND))
    assert (text.render(), [mismatch.cause for mismatch in text.mismatches], text.lines[0].variables) == (
        SOLUTION,
        [MismatchCause.WORDING],
        ("boxes", "pens_per_box", "pens"),
    )


def test_the_vocabulary_is_that_of_the_problem() -> None:
    """The vocabulary is the lower-case words of question and solution."""
    assert text_of(("L1", FIRST))[0].vocabulary >= {"how", "one", "box", "pens", "there"}


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


def real_texts(folder: Path) -> Iterator[tuple[Problem, SolutionText | RefusalReason | str]]:
    """Yield the problem and text of every tenth real template, or why there is none."""
    corpora = [load_corpus(f"{folder}/gsm8k/{name}.jsonl") for name in ("train", "test")]
    problems = {problem.problem_id: problem for corpus in corpora for problem in corpus}
    records = [record for _, record in read_records(folder / "formalizations" / "templates.jsonl.gz")]
    for record in records[::10]:
        problem = problems[record["problem_id"]]
        try:
            yield (
                problem,
                laid(read_template(Response(problem.problem_id, "m", record["response"], "template")), problem),
            )
        except Refusal as refusal:
            yield problem, refusal.reason
        except ProgramError as error:
            yield problem, error.name


def test_real_templates_give_back_their_solutions(shared_data: Path) -> None:
    """All that is read renders the original, nothing else is raised, and 85% of all fit line by line."""
    found = list(real_texts(shared_data))
    texts = [(problem, text) for problem, text in found if isinstance(text, SolutionText)]
    wrong = [problem.problem_id for problem, text in texts if text.render() != problem.solution]
    faithful = sum(text.faithful for _, text in texts) / len(found)
    placed = sum(isinstance(part, PlacedVariable) for _, text in texts for line in text.lines for part in line.parts)
    assert (wrong, faithful >= 0.85, placed > 20 * len(texts)) == ([], True, True)


def test_a_copy_claims_no_number() -> None:
    """A step `answer = total` writes nothing but total in its line."""
    found = plain_line("L1", "12 pens", {"total": 12, "answer": 12}, frozenset({"answer"}))
    assert (found.variables, found.literals) == (("total",), ())
