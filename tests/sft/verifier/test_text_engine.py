"""The engine of text evidence, and the share of flawed solutions that a caller expects."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from harness.errors import HarnessError
from sft.samples.solution_judgement import RECORD_SCHEMA
from sft.samples.solution_text import read_item
from sft.verifier.combiner.combiner import CLASSES, STYLE
from sft.verifier.combiner.prior_shift import (
    CAUTIOUS,
    CAUTIOUS_MARGIN,
    ESTIMATED,
    LEAST_SHARE,
    ExpectedShare,
    estimated_share,
    shifted,
)
from sft.verifier.engine_registry import EngineSettings, judge, open_engine
from tests.sft.hostile import FALSE, ODD, QUESTION, RIGHT, satisfies

SHARES = st.floats(0.01, 0.99)


def _rows(flawed: list[float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = np.zeros((len(flawed), len(CLASSES)))
    rows[:, 0], rows[:, CLASSES.index("conceptual_error")] = 1 - np.array(flawed), flawed
    return rows


@settings(max_examples=60, deadline=None)
@given(st.lists(SHARES, min_size=1, max_size=8), SHARES, SHARES)
def test_a_share_moves_probabilities_and_back(flawed: list[float], fitted: float, share: float) -> None:
    """A greater share of flawed solutions raises every probability of an error; the fitted share changes none."""
    rows = _rows(flawed)
    moved = shifted(rows, fitted, share)
    assert np.allclose(moved.sum(axis=1), 1)
    assert np.allclose(shifted(moved, share, fitted), rows)
    assert np.allclose(shifted(rows, fitted, fitted), rows)
    assert ((moved[:, 0] <= rows[:, 0] + 1e-12) == (share >= fitted - 1e-12)).all() or abs(share - fitted) < 1e-9


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_the_share_of_a_batch_is_estimated(share: float) -> None:
    """From probabilities that part flawed solutions from others well, the true share of a batch is found within 0.05."""
    draw = np.random.default_rng(5)
    flawed = draw.random(2_000) < share
    odds = draw.normal(np.where(flawed, 2.0, -2.0), 2.0)
    assert estimated_share(_rows(list(1 / (1 + np.exp(-odds)))), 0.5, 0.5) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("text", ["0", "1", "1.5", "-0.1", "nan", "inf", "half", ""])
def test_no_share_is_refused(text: str) -> None:
    """A share is above 0 and below 1; the message says what may be given."""
    with pytest.raises(HarnessError, match="above 0 and below 1, or cautious or batch"):
        ExpectedShare(text)


def test_a_small_share_accuses_of_what_is_proved_alone() -> None:
    """Who expects one flawed solution in a million hears of proofs only, with the share that the confidence assumes."""
    items = [read_item(QUESTION, text) for text in (RIGHT, FALSE, *ODD)]
    judged = list(judge(open_engine("text", EngineSettings(prior="0.000001")), items))
    assert all(satisfies(judgement.record(), RECORD_SCHEMA) for judgement in judged)
    assert not judged[0].flawed
    assert judged[0].record()["prior"] == 0.0
    assert (judged[1].flawed, judged[1].line) == (True, "L1")
    assert judged[1].prior is None


@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=200))
def test_the_cautious_share_is_never_the_larger(chances: list[float]) -> None:
    """It is below the estimate of the batch by the margin at least, and above zero; the share of a single solution is small."""
    rows = _rows(chances)
    cautious, estimated = (ExpectedShare(name).of(rows, 0.5) for name in (CAUTIOUS, ESTIMATED))
    assert 0 < cautious <= max(LEAST_SHARE, estimated - CAUTIOUS_MARGIN)
    assert ExpectedShare().of(rows[:1], 0.5) < 0.15


def test_the_estimated_share_is_said() -> None:
    """With `--prior batch` each judgement says the share that was estimated from its batch."""
    items = [read_item(QUESTION, RIGHT), read_item(QUESTION, RIGHT.replace("14 * 3 = 42", "14 + 3 = 17"))]
    judged = list(judge(open_engine("text", EngineSettings(prior=ESTIMATED)), items))
    shares = {judgement.prior for judgement in judged}
    assert len(shares) == 1
    assert 0 < (shares.pop() or 0) < 1


def test_the_style_of_a_source_is_no_evidence() -> None:
    """The committed weights read no feature that tells how a source writes."""
    from sft.verifier.combiner.combiner import Combiner
    from sft.verifier.engines.text import COMBINER, FOLDER

    combiner = Combiner.load(FOLDER / COMBINER)
    assert not STYLE & set(combiner.names)
    assert set(combiner.ignored) == STYLE


def test_the_engine_needs_no_torch() -> None:
    """Judging by text imports neither torch nor transformers, nor a library that fits."""
    code = (
        "import sys; from sft.verifier.command import verify; verify('Tom has 2 and 3 pens. How many?', '2 * 3 = 6\\n#### 6');"
        "print(sorted({'torch', 'transformers', 'sklearn', 'peft'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
