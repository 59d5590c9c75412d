"""The engine of text evidence: the share of flawed solutions that a caller expects, and any text."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from oracle_factory.command import main
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.engine_registry import EngineSettings, judge, open_engine
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
