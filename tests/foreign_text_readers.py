"""The readers of foreign text, by what they read: functions of a text that raise nothing but the errors of a user's mistake."""

import functools
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generators.constraints.repair.program_repair import repair
from generators.formalizations.annotation_compiler import formalize
from harness.answers.gold_answer import read_gold
from harness.corpora.labelled_solutions import read_labelled, split_solution
from harness.corpora.problems import load_corpus, read_records
from harness.corpora.responses import SpooledResponses
from harness.domain import Problem, Response
from harness.equations.line_reader import read_line
from harness.errors import HarnessError
from harness.paths import ROOT
from harness.program.lifter import read_candidate
from harness.program.refusal import Refusal
from harness.smtlib.script import read_script
from harness.solution.template import read_template
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of
from harness.text.tiers import TIERS, tier_of
from oracles.labels.audit.label_verdict import audit
from sft.samples.solution_text import read_item
from sft.validator.validator import text_validator
from sft.verifier.engine_registry import judge, open_engine

QUESTION = "Ann has 3 bags of 4 apples each. How many apples has she?"


@functools.cache
def _verifier() -> Any:
    return open_engine("text")


@functools.cache
def _validator() -> Any:
    return text_validator()


def _file(text: str, read: Callable[[Path], object]) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given"
        path.write_text(text, "utf-8", "surrogatepass")
        return read(path)


def _labels(path: Path) -> list[object]:
    problem = Problem("p", QUESTION, "3*4=<<3*4=12>>12", "12")
    return [audit(label, problem, "p") if hasattr(label, "worked") else label for label in read_labelled([path])]


READERS: dict[str, Callable[[str], object]] = {
    "program": lambda text: read_candidate(Response("p", "m", text)),
    "template": lambda text: read_template(Response("p", "m", text)),
    "gold answer": lambda text: read_gold(text, text),
    "worked solution": split_solution,
    "equations": read_line,
    "numbers": mentions,
    "sentences": sentences_of,
    "annotated solution": lambda text: formalize(Problem("p", text, text, "12")),
    "SMT-LIB2": read_script,
    "repair": repair,
    "constraint problem": lambda text: repair("", text, guarantee=True),
    "corpus": lambda text: _file(text, lambda path: load_corpus(str(path))),
    "responses": lambda text: _file(text, lambda path: dict(SpooledResponses([path], ["p", "mini-001"]))),
    "labels": lambda text: _file(text, _labels),
    "audited solution": lambda text: _file(json.dumps(_labelled(f"5 = {text}", text)), _labels),
    "tier": lambda text: TIERS.index(tier_of(text)),
    "CSV": lambda text: _file(f"question,answer\n{text}", lambda path: list(read_records(path))),
    "verifier": lambda text: list(judge(_verifier(), [read_item(QUESTION, text)])),
    "validator": lambda text: list(_validator().judge([text])),
}
MISTAKES = (HarnessError, Refusal)


def read(name: str, text: str) -> object:
    """Read a text; a user's mistake is a result, any other error is raised."""
    try:
        return READERS[name](text)
    except MISTAKES as mistake:
        return mistake


def _labelled(flawed: str, explanation: str) -> dict[str, object]:
    label = {"verdict": "Flawed", "error_type": "computational_error", "erroneous_line_number": "L1"}
    texts = {"question": QUESTION, "solution": "3*4=12\n#### 12", "flawed_solution": flawed}
    return {"problem_id": "p", **texts, "label": {**label, "explanation": explanation}}


@functools.cache
def seeds() -> tuple[str, ...]:
    """Return texts of this project that readers read: answers, problems, solutions, labels, programs and their lines."""
    mini = ROOT / "corpora" / "mini"
    answers = (mini / "formalizations.jsonl").read_text("utf-8").splitlines()[:24]
    problems = (mini / "problems.jsonl").read_text("utf-8").splitlines()[:6]
    program = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (and (> x 3) (< x 5)))\n(check-sat)\n(get-model)\n"
    return (
        *(json.loads(line)["response"] for line in answers),
        *answers[:4],
        *(json.loads(line)["question"] for line in problems),
        *(json.loads(line)["answer"] for line in problems),
        *problems[:3],
        json.dumps(_labelled("Ann has 3*4=<<3*4=13>>13 apples.\n#### 13", "")),
        program,
        f"```smt2\n{program}```\nIt is satisfiable.",
        "x, y = Ints('x y')\ns = Solver()\ns.add(x + y == 10)\nprint(s.check())\n",
        "There are three boxes called red, blue and green. Ann is a friend of Bob and Cy. Red weighs 5 more than blue.",
        'problem,program\n"Find x.","(declare-const x Int)\n(check-sat)"\n',
    )
