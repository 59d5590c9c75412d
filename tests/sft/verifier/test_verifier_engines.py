"""The engines of symbols and of text: the first error, the share of flawed solutions that a caller expects, and any text."""

import json
import re
import subprocess
import sys
import time
from math import isfinite
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from harness.solution.labels import ErrorType
from oracle_factory.command import main
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.engine_registry import EngineSettings, judge, open_engine
from sft.verifier.engines.symbolic import judgement
from tests.cases import cases
from tests.sft.hostile import FALSE, ODD, QUESTION, RIGHT, TEXTS, satisfies
from tests.sft.schemas import RECORD_SCHEMA


def test_a_small_share_accuses_of_what_is_proved_alone() -> None:
    """Who expects one flawed solution in a million hears of proofs only, with the share that the confidence assumes."""
    items = [read_item(QUESTION, text) for text in (RIGHT, FALSE, *ODD)]
    judged = list(judge(open_engine("text", EngineSettings(prior="0.000001")), items))
    assert all(satisfies(judgement.record(), RECORD_SCHEMA) for judgement in judged)
    assert not judged[0].flawed
    assert judged[0].record()["prior"] == 0.0
    assert (judged[1].flawed, judged[1].line) == (True, "L1")
    assert judged[1].prior is None


def test_the_estimated_share_of_a_file_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of 30 right solutions and 10 with a false equation about a quarter is flawed, and ten proved so; of three solutions no share is estimated."""
    path, output = tmp_path / "solutions.jsonl", tmp_path / "judged.jsonl"
    for right, false in ((30, 10), (2, 1)):
        texts = [RIGHT] * right + [FALSE] * false
        path.write_text("".join(json.dumps({"question": QUESTION, "solution": text}) + "\n" for text in texts), "utf-8")
        assert main(["verify", str(path), "--engine", "text", "-o", str(output)]) == 0
        told = re.search(
            r"an estimated share of (\S+) is flawed; (\d+) solutions are proved so", capsys.readouterr().err
        )
        if right < 20:
            assert told is None
        else:
            assert told is not None
            assert (0.25 <= float(told[1]) <= 0.45, told[2]) == (True, "10")


@given(TEXTS, TEXTS)
def test_every_case_has_the_same_features(question: str, solution: str) -> None:
    """The names are those of any other case, and every number is finite."""
    found = EVIDENCE.features_of(Case(read_item(question, solution)))
    assert found.keys() == EVIDENCE.features_of(Case(read_item(QUESTION, "5"))).keys()
    assert np.isfinite(list(found.values())).all()


def test_the_engine_needs_no_torch() -> None:
    """Judging by text imports neither torch nor transformers, nor a library that fits."""
    code = (
        "import sys; from sft.verifier.command import verify; verify('Tom has 2 and 3 pens. How many?', '2 * 3 = 6\\n#### 6');"
        "print(sorted({'torch', 'transformers', 'sklearn', 'peft'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


BAKER = "A baker fills 6 trays with 14 rolls each and sells 30 rolls before noon. How many rolls are left?"
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
    judged = judgement(read_item(BAKER, solution(made, left, answer)))
    assert (judged.error_class, judged.error_type, judged.line) == (kind.error_class, kind, line)
    assert due in judged.explanation
    assert judged.confidence == judged.evidence[0].kind.certainty


@cases("text", ODD)
def test_hostile_text_is_judged(text: str) -> None:
    """Whatever the text, there is an answer that the schema allows, in bounded time, and features are finite and the same."""
    names = EVIDENCE.features_of(Case(read_item(BAKER, solution(84, 54, 54)))).keys()
    for question, written in ((BAKER, text), (text, solution(84, 54, 54))):
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
