"""Fitted regressions: what is fitted is what is stored is what predicts."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks.verifier_wording import fit_hashed, save_tables
from harness.errors import HarnessError
from sft.fitted.model import FittedModel, area, fit
from sft.fitted.prior import (
    CAUTIOUS,
    CAUTIOUS_MOST,
    CAUTIOUS_START,
    ESTIMATED,
    ExpectedShare,
    estimated_share,
    share_of_weighed,
    shifted,
)
from sft.verifier.wording_model import hashed_probabilities, load_tables
from tests.optional_packages import needs

pytestmark = needs("sklearn")
CLASSES = ("correct", "slip", "reasoning", "skipped")
COUNT = 240


def _rows(seed: int = 0) -> tuple[list[dict[str, float]], list[str]]:
    """Return rows whose class follows from two features, with noise, and their labels."""
    random = Random(seed)
    rows, labels = [], []
    for _ in range(COUNT):
        row = {"a.x": random.gauss(0, 1), "a.y": random.gauss(0, 1), "b.z": float(random.randrange(3)), "b.c": 1.0}
        at = 1 if row["a.x"] > 0.8 else 2 if row["a.y"] + random.gauss(0, 0.3) > 0.5 else 0
        rows.append(row)
        labels.append(CLASSES[at])
    return rows, labels


def predicted(model: FittedModel, row: dict[str, float]) -> list[float]:
    """Return the probability of each class of a row."""
    probabilities: list[float] = model.probabilities(model.rows_of([row]))[0].tolist()
    return probabilities


@pytest.fixture(scope="module")
def model() -> FittedModel:
    """Return a model of three classes."""
    return fit(*_rows(), classes=CLASSES)


def test_a_stored_model_predicts_the_same_without_scikit_learn(model: FittedModel, tmp_path: Path) -> None:
    """Another process reads the file and gives the very probabilities, which sum to one, with numpy alone."""
    model.save(tmp_path / "combiner.json")
    row = _rows(seed=7)[0][0]
    code = (
        "import sys, json, pathlib; from sft.fitted.model import FittedModel;"
        f"model = FittedModel.of_file(pathlib.Path({str(tmp_path / 'combiner.json')!r}));"
        f"print(json.dumps(model.probabilities(model.rows_of([{row!r}]))[0].tolist()), 'sklearn' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == f"{json.dumps(predicted(model, row))} False"
    assert sum(predicted(model, row)) == pytest.approx(1)
    assert model.classes == CLASSES[:3]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"a.new": 1.0}, "unknown: a.new"),
        ({"a.x": None}, "missing: a.x"),
        ({"a.x": float("nan")}, "'a.x' is not a finite number"),
    ],
)
def test_other_features_are_an_error_that_names_them(model: FittedModel, change: dict[str, float], said: str) -> None:
    """A feature too many, too few or not finite is named."""
    row = {key: value for key, value in {**_rows()[0][0], **change}.items() if value is not None}
    with pytest.raises(HarnessError, match=said):
        model.rows_of([row])


def test_two_of_the_classes_are_parted() -> None:
    """With two of the classes only, the probabilities sum to one and part these."""
    rows, labels = _rows()
    two = [CLASSES[0] if label == CLASSES[1] else label for label in labels]
    fitted = fit(rows, two, classes=CLASSES)
    assert fitted.classes == (CLASSES[0], CLASSES[2])
    assert sum(predicted(fitted, rows[0])) == pytest.approx(1)
    unseen, truth = _rows(seed=1)
    scores = fitted.probabilities(fitted.rows_of(unseen))[:, 1]
    assert area([label == CLASSES[2] for label in truth], scores) > 0.8


def test_evidence_weighs_what_it_adds_to_the_odds(model: FittedModel) -> None:
    """A feature far on the side of errors weighs in their favour; a value beyond the fitted range weighs like the largest in it."""
    row = {"a.x": 2.5, "a.y": -1.0, "b.z": 1.0, "b.c": 1.0}
    assert model.weigh(row)["a"] > 2
    assert abs(model.weigh(row)["b"]) < 0.5
    largest = max(row["a.x"] for row in _rows()[0])
    assert predicted(model, {**row, "a.x": 1e18}) == predicted(model, {**row, "a.x": largest})


def test_hashed_tables_predict_after_storing(tmp_path: Path) -> None:
    """Contexts whose class follows from a word are told apart, by two classes and by three, from the file."""
    words = ["plus", "minus", "times"] * 20
    contexts = [["1", f"line {word}"] for word in words]
    three, two = [words.index(word) for word in words], [int(word == "plus") for word in words]
    save_tables({"three": fit_hashed(contexts, three), "two": fit_hashed(contexts, two)}, tmp_path / "weights.npz")
    tables = load_tables(tmp_path / "weights.npz")
    for context, third, second in zip(contexts[:3], three, two, strict=False):
        assert int(np.argmax(hashed_probabilities(tables["three"], context))) == third
        assert int(np.argmax(hashed_probabilities(tables["two"], context))) == second


def _shares(flawed: np.ndarray) -> np.ndarray:
    return np.stack([1 - flawed, flawed], axis=1)


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.8])
def test_the_share_of_a_batch_is_estimated(share: float) -> None:
    """From calibrated probabilities that overlap, whatever share each assumes, the share of the flawed is estimated within 0.05."""
    draw = np.random.default_rng(0)
    odds = draw.normal(np.where(draw.random(4_000) < share, 2.0, -2.0), 2.0)
    even = _shares(1 / (1 + np.exp(-odds)))
    assert estimated_share(even, 0.5, 0.5) == pytest.approx(share, abs=0.05)
    assumed = draw.choice([0.01, 0.1, 0.25], len(even))
    weighed = [(1 - shifted(row[None], 0.5, each)[0, 0], each) for row, each in zip(even, assumed, strict=True)]
    assert share_of_weighed(weighed) == pytest.approx(estimated_share(even, 0.5, CAUTIOUS_START), abs=1e-3)


def test_the_cautious_share_is_below_the_estimate() -> None:
    """By default fewer are taken to be flawed than are estimated, and of a single solution an eighth."""
    rows = _shares(np.array([0.9] * 30 + [0.2] * 30))
    cautious, estimated = (ExpectedShare(name).of(rows, 0.5) for name in (CAUTIOUS, ESTIMATED))
    assert cautious < estimated
    assert cautious <= CAUTIOUS_MOST
    assert ExpectedShare().of(rows[:1], 0.5) < 0.16


@pytest.mark.parametrize("text", ["0", "1", "-0.2", "half", "nan", ""])
def test_a_share_that_is_not_one_is_refused(text: str) -> None:
    """A number outside of 0 to 1 and an unknown word are errors that say what is expected."""
    with pytest.raises(HarnessError, match="expected the share of flawed solutions"):
        ExpectedShare(text)
