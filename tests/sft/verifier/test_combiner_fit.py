"""Combining evidence: what is fitted is what is stored is what predicts, and no problem is judged by its own label."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings

from harness.errors import HarnessError
from oracle_factory.command import main
from sft.samples.items import Sample, Truth
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.combiner.boosted_trees import BoostedForest, forest_of
from sft.verifier.combiner.combiner import CLASSES, Combiner
from sft.verifier.combiner.combiner_fit import cross_fit, fit
from sft.verifier.combiner.fit_choices import CalibrationMethod, CombinerKind
from tests.cases import cases
from tests.sft.hostile import ODD, QUESTION, TEXTS

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("sklearn", reason="fitting needs scikit-learn")
COUNT = 240


def _rows(seed: int = 0) -> tuple[list[dict[str, float]], list[str], list[str]]:
    """Return rows whose class follows from two features, with noise, three rows to a problem."""
    random = Random(seed)
    rows, labels = [], []
    for _ in range(COUNT):
        row = {"a.x": random.gauss(0, 1), "a.y": random.gauss(0, 1), "b.z": float(random.randrange(3)), "b.c": 1.0}
        at = 1 if row["a.x"] > 0.8 else 2 if row["a.y"] + random.gauss(0, 0.3) > 0.5 else 0
        rows.append(row)
        labels.append(CLASSES[at])
    return rows, labels, [f"p{number // 3}" for number in range(COUNT)]


@pytest.fixture(scope="module")
def combiner() -> Combiner:
    """Return a combiner of both kinds."""
    return fit(*_rows(), folds=2)


def test_stored_trees_predict_what_scikit_learn_predicts() -> None:
    """The sums of the stored nodes are the raw predictions of the classifier they were taken from."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    rows, labels, _ = _rows()
    table = np.array([list(row.values()) for row in rows])
    with threadpool_limits(1):
        grown = HistGradientBoostingClassifier(max_iter=20, min_samples_leaf=5).fit(table, labels)
        probe = np.random.default_rng(1).normal(0, 2, (300, 4))
        sums = forest_of(grown).sums(probe)
        shares = np.exp(sums) / np.exp(sums).sum(axis=1, keepdims=True)
        assert np.abs(shares - grown.predict_proba(probe)).max() < 1e-12


def test_a_stored_combiner_predicts_the_same(combiner: Combiner, tmp_path: Path) -> None:
    """Writing and reading changes no probability, and the probabilities sum to one."""
    combiner.save(tmp_path / "combiner.json")
    read = Combiner.load(tmp_path / "combiner.json")
    for row in _rows(seed=7)[0][:20]:
        told = read.predict(row)
        assert told == combiner.predict(row)
        assert sum(told.values()) == pytest.approx(1)
        assert list(told) == list(CLASSES)


def test_predicting_needs_no_scikit_learn(combiner: Combiner, tmp_path: Path) -> None:
    """A combiner is read and predicts where scikit-learn is not even imported."""
    combiner.save(tmp_path / "combiner.json")
    code = (
        "import sys, json, pathlib; from sft.verifier.combiner.combiner import Combiner;"
        f"c = Combiner.load(pathlib.Path({str(tmp_path / 'combiner.json')!r}));"
        f"print(json.dumps(c.predict({_rows()[0][0]!r})), 'sklearn' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == f"{json.dumps(combiner.predict(_rows()[0][0]))} False"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"a.new": 1.0}, "unknown: a.new"),
        ({"a.x": None}, "missing: a.x"),
        ({"a.x": float("nan")}, "'a.x' is not a finite number"),
    ],
)
def test_other_features_are_an_error_that_names_them(combiner: Combiner, change: dict[str, float], said: str) -> None:
    """A feature too many, too few or not finite is named."""
    row = {key: value for key, value in {**_rows()[0][0], **change}.items() if value is not None}
    with pytest.raises(HarnessError, match=said):
        combiner.predict(row)


def test_no_row_is_judged_by_a_row_of_its_problem() -> None:
    """Labels that only the problem tells, by a feature that names the problem, are not predicted in cross-fitting."""
    random = Random(3)
    rows, labels, groups = [], [], []
    for problem in range(24):
        flawed = random.random() < 0.5
        for _ in range(60):
            rows.append({"a.problem": float(problem), "a.noise": random.random()})
            labels.append(CLASSES[2 if flawed else 0])
            groups.append(str(problem))
    table = {
        name: cross_fit(rows, labels, by, folds=3, kind=CombinerKind.BOOSTED, calibration=CalibrationMethod.NONE)
        for name, by in (("problem", groups), ("row", [str(number) for number in range(len(rows))]))
    }
    right = {
        name: np.mean((shares[:, 0] < 0.5) == [label != "correct" for label in labels])
        for name, shares in table.items()
    }
    assert right["row"] > 0.8
    assert right["problem"] < 0.75


@pytest.mark.parametrize("calibration", list(CalibrationMethod))
def test_a_class_that_was_never_seen_has_no_probability(calibration: CalibrationMethod) -> None:
    """Without a skipped step among the samples, none is predicted; with two classes the other sums hold as well."""
    rows, labels, groups = _rows()
    two = [CLASSES[0] if label == CLASSES[1] else label for label in labels]
    fitted = fit(rows, two, groups, kind=CombinerKind.LOGISTIC, calibration=calibration, folds=2)
    told = fitted.predict(rows[0])
    assert told["skipped_step"] == told["computational_error"] == 0
    assert sum(told.values()) == pytest.approx(1)
    assert fitted.about["cross_fit"]["verdict_auc"] > 0.8


def test_weights_shift_what_is_predicted() -> None:
    """Rows of weight zero are as good as not there."""
    rows, labels, groups = _rows()
    weights = [0.0 if label == CLASSES[1] else 1.0 for label in labels]
    fitted = fit(rows, labels, groups, weights, kind=CombinerKind.LOGISTIC, calibration=CalibrationMethod.NONE, folds=2)
    assert max(fitted.predict(row)[CLASSES[1]] for row in rows) < 0.01


def test_evidence_weighs_what_it_adds_to_the_odds(combiner: Combiner) -> None:
    """A feature far on the side of errors weighs in their favour, and one that never varies weighs nothing."""
    row = {"a.x": 2.5, "a.y": -1.0, "b.z": 1.0, "b.c": 1.0}
    assert combiner.weigh(row)["a"] > 2
    assert abs(combiner.weigh(row)["b"]) < 0.5


def test_what_lies_outside_of_what_was_seen_weighs_like_the_largest_thing_seen(combiner: Combiner) -> None:
    """An absurd value changes nothing beyond the largest that was fitted."""
    row = _rows()[0][0]
    largest = max(row["a.x"] for row in _rows()[0])
    assert combiner.predict({**row, "a.x": 1e18}) == combiner.predict({**row, "a.x": largest})


def test_a_damaged_forest_is_refused() -> None:
    """A node that leads back to itself, which would never end, is an error when it is read."""
    forest = BoostedForest(
        base=(0.0, 0.0),
        roots=(0,),
        owners=(1,),
        features=(0, -1),
        thresholds=(0.5, 0.0),
        left=(0, 0),
        right=(1, 0),
        values=(0.0, 1.0),
    )
    with pytest.raises(ValueError, match="node 0 leads nowhere"):
        forest.require_columns(1)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_every_case_has_the_same_features(question: str, solution: str) -> None:
    """The names are those of any other case, and every number is finite."""
    found = EVIDENCE.features_of(Case(read_item(question, solution)))
    assert found.keys() == EVIDENCE.features_of(Case(read_item(QUESTION, "5"))).keys()
    assert np.isfinite(list(found.values())).all()


@cases("number", range(len(ODD)))
def test_odd_solutions_have_the_same_features(number: int) -> None:
    """Texts of every odd kind have the same features."""
    found = EVIDENCE.features_of(Case(read_item(QUESTION, ODD[number])))
    assert found.keys() == EVIDENCE.features_of(Case(read_item(QUESTION, "5"))).keys()
    assert np.isfinite(list(found.values())).all()


def _sample(number: int, *, flawed: bool) -> Sample:
    result = number * 3 + flawed
    truth = Truth(flawed=flawed, error_class=None)
    return Sample(
        f"s{number}", f"p{number}", QUESTION, f"{number} * 3 = {result} pears.\n#### {result}", truth, "test", "MIT"
    )


def test_the_command_fits_and_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Samples go in, a combiner and its coefficients come out; flawed ones of unknown class are left out."""
    path, output = tmp_path / "samples.jsonl", tmp_path / "deep" / "combiner.json"
    records = [_sample(number, flawed=bool(number % 2)).record() for number in range(2, 42)]
    for record in records[1::2]:
        record["error_class"] = "computational_error"
    records.append(_sample(50, flawed=True).record())
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    assert main(["fit", str(path), "-o", str(output), "--folds", "2", "--kind", "logistic"]) == 0
    assert main(["fit", "--show", str(output)]) == 0
    told = capsys.readouterr().out
    assert told.count("correct 20, computational_error 20") == 2
    assert "arithmetic." in told
    assert Combiner.load(output).about["files"].keys() == {"samples.jsonl"}
    alone = [str(path), "-o", str(output), "--folds", "2", "--kind", "logistic", "--evidence", "arithmetic"]
    assert main(["fit", *alone]) == 0
    assert Combiner.load(output).evidence == {"arithmetic"}
    assert main(["fit", *alone, "--evidence", "likelihood"]) == 2
    assert "'likelihood' needs a model's scores" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"sample_id": 1}', "is no sample"), ("", "no sample has a known class"), ("[", "is no sample")],
)
def test_the_command_names_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    """What cannot be fitted is one message and exit status 2."""
    path = tmp_path / "samples.jsonl"
    path.write_text(text, encoding="utf-8")
    assert main(["fit", str(path), "-o", str(tmp_path / "out.json")]) == 2
    assert said in capsys.readouterr().err
