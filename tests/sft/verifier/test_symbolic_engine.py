"""Tests of the symbolic engine: it reports planted slips, accepts sound solutions and survives hostile text."""

import json
import time
from math import isfinite

import pytest

from harness.solution.labels import ErrorType
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.engine_registry import open_engine
from sft.verifier.engines.symbolic import judgement
from tests.cases import cases
from tests.sft.hostile import ODD, satisfies
from tests.sft.schemas import RECORD_SCHEMA

QUESTION = "A baker fills 6 trays with 14 rolls each and sells 30 rolls before noon. How many rolls are left?"
LINES = ("The baker makes 6*14={made} rolls.", "After selling 30 there are {made}-30={left} rolls left.")


def solution(made: int, left: int, answer: int) -> str:
    """Return the lines of a solution with these values."""
    return "\n".join([*(line.format(made=made, left=left) for line in LINES), f"FINAL ANSWER: {answer}"])


@pytest.mark.parametrize(
    ("made", "left", "answer", "line", "kind", "due"),
    [
        (74, 44, 44, "L1", ErrorType.COMPUTATIONAL, "84"),
        (84, 64, 64, "L2", ErrorType.COMPUTATIONAL, "54"),
        (94, 44, 44, "L1", ErrorType.COMPUTATIONAL, "84"),
        (84, 54, 77, "FA", ErrorType.FINAL_ANSWER_SELECTION, "54"),
    ],
)
def test_the_first_error_decides(made: int, left: int, answer: int, line: str, kind: ErrorType, due: str) -> None:
    """A false equation, or else an answer that no line gives, is the error, with what is due and the certainty that its kind declares."""
    judged = judgement(read_item(QUESTION, solution(made, left, answer)))
    assert (judged.error_class, judged.error_type, judged.line) == (kind.error_class, kind, line)
    assert due in judged.explanation
    assert judged.confidence == judged.evidence[0].kind.certainty


@cases("text", ODD)
def test_hostile_text_is_judged(text: str) -> None:
    """Whatever the text, there is an answer that the schema allows, in bounded time, and features are finite and the same."""
    names = EVIDENCE.features_of(Case(read_item(QUESTION, solution(84, 54, 54)))).keys()
    for question, written in ((QUESTION, text), (text, solution(84, 54, 54))):
        item = read_item(question, written)
        started = time.process_time()
        judged = next(iter(open_engine("symbolic").judge([item])))
        assert time.process_time() - started < 10
        record = judged.record()
        assert satisfies(record, RECORD_SCHEMA)
        assert record["verdict"] is not None or "was not read" in record["error"]
        json.dumps(record, allow_nan=False)
        features = EVIDENCE.features_of(Case(item))
        assert features.keys() == names
        assert all(map(isfinite, features.values()))
