"""Laws of the records of flawed solutions as a run makes them: the change in one line, the whole package, and where inputs come from."""

import ast
import json
import re
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

from harness.solution.labels import FINAL_ANSWER, ErrorType
from reports.review.logical_change import SENTENCES, change_of
from tests.certified_records import bundled
from tests.reports.stage_records import mutation_records

Record = dict[str, Any]
PROBLEMS = tuple(f"mini-{number:03}" for number in range(1, 51, 4))
OPERATORS = {"+", "-", "*", "/"}
_INPUT = re.compile(r"^ +(\w+) = ([^#\n]*?)(?: +#\s*(.*?))?\s*$", re.MULTILINE)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Return the flaws of a quarter of the bundled corpus."""
    stage = mutation_records(PROBLEMS)
    made = stage["conceptual"] + stage["computational"]
    assert len(made) > 300
    assert {record["label"]["error_details"]["error_type"] for record in made} > {"operator_swap", "skipped_step"}
    return made


def _normal(code: str) -> str:
    """Return code without the rounding of an endless decimal, as Python writes it."""
    tree = ast.parse(code, mode="eval").body
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "round" and len(tree.args) > 1:
        tree = tree.args[0]
    return ast.unparse(tree)


def _results(code: str, was: str, now: str) -> set[str]:
    """Return all that the code is with one `was` replaced by `now`; operands of another order count as the same."""
    found = set()
    for match in re.finditer(re.escape(was), code):
        for put in (now, f"({now})"):
            text = f"{code[: match.start()]}{put}{code[match.end() :]}".strip()
            try:
                found.add(_normal(text))
            except SyntaxError:
                continue
    for match in re.finditer(rf"(\w+) {re.escape(was)} (\w+)", code):
        found.add(f"{code[: match.start()]}{match[2]} {now} {match[1]}{code[match.end() :]}")
    return found


def test_the_record_names_the_part_that_changed(records: list[Record]) -> None:
    """The part put in the place of the other gives the certified expression; a swapped operator is named alone."""
    for record in records:
        certificate, mutation = record["certificate"], record["mutation"]
        change, part = certificate["change"], mutation["changed"]
        before, after = part["from"], part["to"]
        assert before != after, record["flaw_id"]
        if certificate["mutant"] is None:
            assert (before, after) == (mutation["from"], mutation["to"])
        elif (
            len(certificate["mutant"]["steps"]) < len(certificate["oracle"]["steps"]) or change["line"] == FINAL_ANSWER
        ):
            assert {before, after} <= set(record["flawed_trace"]) | {change["variable"]}
        elif before:
            assert _normal(change["to"]) in _results(_normal(change["from"]), before, after), record["flaw_id"]
        else:
            assert after in change["to"]
        if mutation["mutation_type"] == "operator_swap":
            assert {before, after} <= OPERATORS, part


def test_the_change_is_one_sentence_about_its_line(records: list[Record]) -> None:
    """It names both sides, which differ, in numbers and words and without code."""
    assert set(SENTENCES) == set(ErrorType)
    for record in records:
        change = change_of(record)
        assert change.line == record["label"]["error_details"]["erroneous_line_number"]
        assert 20 < len(change.sentence) < 260
        assert "instead" in change.sentence or "left out" in change.sentence
        assert not re.search(r"round\(|nothing|\w_\w", change.sentence), change.sentence
        swapped = re.findall(r" from (\S+) to (\S+):", change.sentence)
        assert all(one != other and {one, other} <= OPERATORS for one, other in swapped), change.sentence
        left, _, right = change.sentence.rpartition(" instead of ")
        assert not left.endswith(f" {right.rstrip('.')}")


def test_the_table_of_values_has_the_operands_of_the_line(records: list[Record]) -> None:
    """All that the changed step reads and gives stands there, changed or not; all that follows has changed."""
    for record in records:
        change, certificate = change_of(record), record["certificate"]
        shown = {value.variable for value in change.values}
        steps = chain(*(program["steps"] for name in ("oracle", "mutant") if (program := certificate[name])))
        for _, variable, code in steps:
            if variable == certificate["change"]["variable"]:
                names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
                assert names & set(record["flawed_trace"]) <= shown, record["flaw_id"]
        told = {value.variable for value in (*change.values, *change.follows) if value.after != value.before}
        assert told >= {value["variable"] for value in record["values"]}


def test_a_package_is_whole(records: list[Record]) -> None:
    """Index, both programs with their lines, both traces and the change are in the record."""
    for record in records:
        source = record["source"]
        assert record["index"] == int(record["problem_id"][-3:])
        assert source["function_code"].startswith("def solve")
        assert record["function_code"] != source["function_code"]
        assert [step["line_number"] for step in source["logical_steps"]] == [
            f"L{number}" for number in range(1, record["solution"].count("\n") + 1)
        ]
        stated, trace = record["certificate"]["stated"], record["flawed_trace"]
        assert stated.items() <= trace.items()
        answer = (record["certificate"]["mutant"] or record["certificate"]["oracle"])["answer"]
        stated_answer = record["flawed_solution"].rpartition("#### ")[2].replace(",", "")
        assert abs(Fraction(stated_answer) - Fraction(trace[answer])) <= Fraction(1, 100)


def test_inputs_come_from_where_the_template_says(records: list[Record]) -> None:
    """An input of the question is never world knowledge, and each has its own comment, though two share a value."""
    shared = 0
    for record in records:
        template = json.loads(bundled()[record["problem_id"]][1].text.strip("`json\n"))
        given = {name for step in template["logical_steps"] for name in step["question_inputs"]}
        known = {name for step in template["logical_steps"] for name in step["WK_inputs"]} - given
        steps = record["logical_steps"]
        assert not known & {name for step in steps for name in step["question_inputs"]}, record["flaw_id"]
        assert not given & {name for step in steps for name in step["WK_inputs"]}, record["flaw_id"]
        inputs = dict(record["certificate"]["oracle"]["inputs"])
        shared += len(set(inputs.values())) < len(inputs)
        comments = {name: comment for name, _, comment in _INPUT.findall(template["function_code"]) if name in inputs}
        for name, _, comment in _INPUT.findall(record["function_code"]):
            if name in inputs and comments[name]:
                assert " ".join(comments[name].split()) == comment, (record["flaw_id"], name)
        for place in record["question_inputs"]:
            assert place["variable"] in given
    assert shared > 50


def test_explanations_are_true_to_the_text(records: list[Record]) -> None:
    """What should be is never what is; a quotation stands in the question, and a result with its noun in the line it is of."""
    corrected = 0
    for record in records:
        text = record["label"]["error_details"]["explanation"]
        for right, wrong in re.findall(r"should be (\S.*?), not (\S.*?)\.(?:\s|$)", text):
            assert right.rpartition("= ")[2] != wrong.rpartition("= ")[2], text
            corrected += 1
        question = " ".join(record["question"].replace('"', "'").split()).casefold()
        for quotation in re.findall(r'"([^"]*)"', text):
            assert all(part in question for part in quotation.casefold().strip("…").split("…")), text
        lines = re.sub(r"<<.*?>>", "", record["solution"]).split("\n")
        for line, result in re.findall(r"result of line (\d+) \(([^()]*)\)", text):
            assert result.removeprefix("-$").removeprefix("-").removeprefix("$") in lines[int(line) - 1], text
    assert corrected > 100
