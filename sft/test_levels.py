"""The suite of the levels: each is trained, asked with its own prompt, and examined beside the majority and the base weights."""

import pytest

from harness.command_line.runnable_commands import runnable
from harness.json_form import json_form
from harness.store.run_folder import Stage
from sft.evaluation.baselines import MAJORITY, TRAINED
from sft.evaluation.examination import BASE, ROUNDS, AdapterExamination, ExaminedAdapter

pytestmark = pytest.mark.sft
WRITTEN = ("weighted_f1", "fine_type_accuracy", "line_accuracy")
MEASURES = {
    "1": ("verdict_accuracy",),
    "2": ("class_accuracy",),
    "3": ("class_accuracy",),
    "4": ("class_accuracy",),
    "5": WRITTEN,
    "max": WRITTEN,
}
"""The measures by which each level is compared with the majority and the base weights."""
PROBLEM_MEASURES = ("accuracy", "macro_f1")
TINY_STEPS = 16
COMPARED = [
    pytest.param(level, measure, engine, id=f"{level}-{measure}-{engine}")
    for level, measures in MEASURES.items()
    for measure in measures
    for engine in (MAJORITY, BASE)
]


def require_better(shortfall: str, *, small: bool) -> None:
    """Fail where an adapter falls short of another engine; expect the failure, with the figures, of a small model on a CPU alone."""
    if small and shortfall:
        pytest.xfail(shortfall)
    assert not shortfall


@pytest.fixture(scope="module", params=MEASURES)
def examined(request: pytest.FixtureRequest, stage: AdapterExamination, *, tiny: bool) -> ExaminedAdapter:
    """Return a level, trained and examined."""
    level, few = request.param, {"max_steps": TINY_STEPS, "epochs": 4.0} if tiny else {}
    name = f"level-{level}"
    return stage.examine(level, stage.trained("levels", name, level=level, **few), name)


@pytest.fixture(scope="module")
def validator(stage: AdapterExamination, *, tiny: bool) -> ExaminedAdapter:
    """Return the validator, trained and examined on problems kept out; the figures are sealed as the stage validator of a run."""
    from sft.evaluation.problem_evaluation import evaluate_problems, judge_samples, read_samples
    from sft.validator.problem_engine import ProblemEngineSettings

    if not stage.files["validator"].is_file():
        pytest.skip(f"the runs have no problem variants; make them: {runnable('make variant')}")
    few = {"max_steps": TINY_STEPS, "epochs": 4.0} if tiny else {}
    training = stage.trained("validator", "level-validator", level="validator", **few)
    if "validator" not in stage.examined:
        pytest.skip("no problem variant is of a problem kept out: give runs of more problems by --harness-sft-runs")
    samples = read_samples([stage.examined["validator"]])
    settings = ProblemEngineSettings(training.adapter, preset=stage.preset, device=stage.device)
    engines = {name: judge_samples(name, samples, settings) for name in (MAJORITY, BASE, "chat")}
    sealed = Stage(stage.folder / "level-validator" / "validator")
    figures = [json_form(row) for row in evaluate_problems(sealed, samples, engines, rounds=ROUNDS, seed=0)]
    return ExaminedAdapter(
        "validator", training.adapter, training.history, {row["engine"]: row["metrics"] for row in figures}
    )


def test_loss_falls(examined: ExaminedAdapter) -> None:
    """Training on the prompt and completion of a level lowers their loss."""
    assert examined.loss_falls()


def test_adapter_stores_its_level(examined: ExaminedAdapter) -> None:
    """The adapter's settings and its card name the level, so that it is asked as it was trained."""
    from sft.judges.forms import SolutionForm
    from sft.judges.local import trained_form

    form = trained_form(examined.adapter)
    assert isinstance(form, SolutionForm)
    assert form.level == examined.level
    assert f"level {examined.level}" in (examined.adapter / "README.md").read_text("utf-8")


def test_answers_have_the_form_of_the_level(examined: ExaminedAdapter) -> None:
    """Every answer of the trained model is a label or an object of its level."""
    assert examined.metrics[TRAINED]["json_validity"]["value"] == 1


@pytest.mark.parametrize(("examined", "measure", "engine"), COMPARED, indirect=["examined"])
def test_beats(examined: ExaminedAdapter, measure: str, engine: str, *, small: bool) -> None:
    """On problems kept out, the trained model is better than always saying the commonest label, and than the same weights untrained."""
    require_better(examined.shortfall(measure, engine), small=small)


def test_validator_loss_falls(validator: ExaminedAdapter) -> None:
    """Training on the prompt and completion of the validator lowers their loss."""
    assert validator.loss_falls()


def test_validator_judges_every_problem(validator: ExaminedAdapter) -> None:
    """The trained validator gives each problem one of the three classes."""
    assert validator.metrics["chat"]["calibration_error"]["n"] == validator.metrics["chat"]["accuracy"]["n"]


@pytest.mark.parametrize("engine", [MAJORITY, BASE])
@pytest.mark.parametrize("measure", PROBLEM_MEASURES)
def test_validator_beats(validator: ExaminedAdapter, measure: str, engine: str, *, small: bool) -> None:
    """On problems kept out, the trained validator is better than the commonest class, and than the same weights untrained."""
    require_better(validator.shortfall(measure, engine, trained="chat"), small=small)
