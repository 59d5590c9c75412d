"""The levels: one prompt in training and asking, labels as words and numbers, answers read by the level's form."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.errors import HarnessError
from harness.solution.labels import FINAL_ANSWER, ErrorClass, ErrorType
from sft.datasets.levels import LABELS, LabelForm, Level, LevelForm
from sft.evaluation.dataset_items import item_of
from sft.judges.forms import SOLUTION_LEVELS, ProblemForm, SolutionForm
from sft.judges.local import LocalJudge
from sft.models.text_generation import choice_probabilities
from sft.samples.items import Sample, Truth
from sft.training.config import settings_of
from sft.training.examples import level_row
from sft.training.tiny_models import tiny_loaded, tiny_samples, write_tiny_preset, write_tiny_samples
from sft.verifier.engine_registry import EngineSettings, judge, open_engine
from tests.cases import cases
from tests.sft.hostile import TEXTS, satisfies
from tests.sft.schemas import PROBLEM_SCHEMA, RECORD_SCHEMA

FORMS = st.builds(SolutionForm, st.sampled_from(SOLUTION_LEVELS), st.sampled_from(LabelForm))
FLAWED = st.builds(
    lambda kind, line: Truth(
        flawed=True, error_class=kind.error_class, error_type=str(kind), line=line, explanation="It is wrong."
    ),
    st.sampled_from(ErrorType),
    st.sampled_from(["L1", "L2", FINAL_ANSWER]),
)
TRUTHS = st.just(Truth(flawed=False)) | FLAWED


def _sample(question: str, solution: str, truth: Truth) -> Sample:
    return Sample("s", "p", question, solution, truth, "test", "MIT", reference="2 * 3 = <<2*3=6>>6\n#### 6")


@cases(
    ("level", "numbers"),
    [
        (Level.VERDICT, {None: "0", ErrorClass.CONCEPTUAL: "1", ErrorClass.COMPUTATIONAL: "1"}),
        (Level.PAIR, {None: None, ErrorClass.CONCEPTUAL: "0", ErrorClass.COMPUTATIONAL: "1"}),
        (Level.CLASS, {None: "0", ErrorClass.CONCEPTUAL: "1", ErrorClass.COMPUTATIONAL: "2"}),
        (
            Level.CLASS_WITH_SKIPPED,
            {None: "0", ErrorClass.CONCEPTUAL: "1", ErrorClass.COMPUTATIONAL: "2", ErrorClass.SKIPPED_STEP: "3"},
        ),
    ],
)
def test_numbers_are_those_of_the_original(level: Level, numbers: dict[ErrorClass | None, str | None]) -> None:
    """Each level counts its labels from zero in the order of the publication."""
    for error_class, number in numbers.items():
        truth = Truth(flawed=error_class is not None, error_class=error_class)
        assert LevelForm(level, LabelForm.NUMERIC).completion(truth) == number


@given(
    FORMS,
    TRUTHS,
    st.sampled_from(["2 * 3 = 6\n6 + 1 = 7\n#### 7", "Step 1: 2 * 3 = <<2*3=6>>6\n2. so 6\nFINAL ANSWER: 6"]),
)
def test_the_expected_answer_is_read_as_its_label(form: SolutionForm, truth: Truth, solution: str) -> None:
    """What training writes at a level is read back as the same verdict, class, type and line, and is valid."""
    item = item_of(_sample("How many?", solution, truth))
    answer = form.asked.completion(truth)
    if answer is None:
        return
    judged = form.read_or_unjudged(answer, item)
    assert (judged.flawed, judged.valid, judged.error) == (truth.flawed, True, "")
    if form.level is not Level.VERDICT:
        assert judged.error_class == truth.error_class
    if form.level in {Level.WHERE, Level.MAX}:
        assert (str(judged.error_type or ""), judged.line) == (truth.error_type, truth.line)
    assert satisfies(judged.record(), RECORD_SCHEMA)


@given(FORMS, TEXTS)
def test_any_text_of_a_model_is_read(form: SolutionForm, text: str) -> None:
    """A text that names no label, or is no object of the level, is no verdict; nothing is made up."""
    item = item_of(_sample("How many?", "2 * 3 = 6\n#### 6", Truth(flawed=False)))
    judged = form.read_or_unjudged(text, item)
    assert satisfies(judged.record(), RECORD_SCHEMA)
    labels = [label for label in form.choices if label in text.lower()]
    if form.choices and not labels:
        assert judged.record()["verdict"] is None


@cases("form", [SolutionForm(level, labels) for level in SOLUTION_LEVELS for labels in LabelForm])
def test_the_prompt_is_that_of_training(form: SolutionForm) -> None:
    """An engine asks character by character what a sample is trained on, whatever the form of the sample's text."""
    truths = [
        Truth(flawed=True, error_class=ErrorClass.CONCEPTUAL, error_type="operator_swap", line="L1", explanation="No."),
        Truth(flawed=False),
    ]
    texts = ["1. Ana has 2 * 3 = <<2*3=6>>6 pens.\n2. So 6.\nFINAL ANSWER: 6", "Ana has **6**\n#### 6", "6 pens"]
    for truth in truths:
        for text in texts:
            sample = _sample("  How many\r\npens? ", text, truth)
            row = level_row(form.asked, sample.record())
            item = item_of(sample)
            if row is None:
                assert form.asked.completion(truth) is None
                continue
            assert row["prompt"] == form.prompt(item)
            assert row["completion"] == form.asked.completion(truth)


def test_a_row_of_another_level_is_refused() -> None:
    """A file of one level does not train another by mistake, nor one form of labels the other."""
    row = {"prompt": LevelForm(Level.CLASS).prompt("q", "s"), "completion": "correct"}
    assert level_row(LevelForm(Level.CLASS), row) is row
    for level, labels in ((Level.CLASS, LabelForm.NUMERIC), (Level.CLASS_WITH_SKIPPED, LabelForm.WORDS)):
        with pytest.raises(ValueError, match="the prompt is not that of level"):
            level_row(LevelForm(level, labels), row)


@cases("level", SOLUTION_LEVELS)
def test_a_model_answers_every_level(level: Level) -> None:
    """An untrained model's answer is of the form: a label with its probability, or an object at a place of the item."""
    items = [item_of(sample) for sample in tiny_samples(2, seed=4)]
    judged = list(LocalJudge(tiny_loaded("smollm2-135m"), SolutionForm(level)).judge(items))
    assert all(satisfies(judgement.record(), RECORD_SCHEMA) for judgement in judged)
    assert all(0 <= judgement.confidence <= 1 for judgement in judged)
    if level is Level.PAIR:
        # Correct samples have no other correct solution beside them.
        judged = judged[:1]
        assert all("no correct one is given" in judgement.error for judgement in judged)
    elif level in LABELS:
        assert all(judgement.confidence >= 1 / len(LABELS[level]) for judgement in judged)


@pytest.mark.slow
def test_an_adapter_knows_its_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Trained by `--level`, it is asked at this level, refuses another, and is examined beside the base weights and the majority."""
    from oracle_factory.command import main
    from sft.training.run import train

    preset = str(write_tiny_preset(tmp_path))
    samples = write_tiny_samples(tmp_path / "samples.jsonl", 80, seed=1)
    own: dict[str, Any] = {"level": "3", "labels": "numeric", "max_steps": 12, "minutes": 0}
    outcome = train(settings_of(preset, train=[str(samples)], out=str(tmp_path / "run"), **own))
    card = (outcome.adapter / "README.md").read_text("utf-8")
    assert "level 3" in card
    assert "`2` (a calculation is set up rightly and its result is wrong)" in card
    chosen = EngineSettings(preset=preset, adapter=outcome.adapter)
    items = [item_of(sample) for sample in tiny_samples(4, seed=9)]
    engine: Any = open_engine("chat", chosen)
    assert engine.engine.form == SolutionForm(Level.CLASS, LabelForm.NUMERIC)
    assert len(list(judge(engine, items))) == len(items)
    with pytest.raises(HarnessError, match="was trained on level 3"):
        open_engine("chat", EngineSettings(preset=preset, adapter=outcome.adapter, level="5"))
    asked: Any = open_engine("model", chosen)
    assert asked.engine.form == engine.engine.form
    out = tmp_path / "runs" / "verifier"
    command = ["evaluate", str(write_tiny_samples(tmp_path / "bench.jsonl", 12, seed=3)), "--level", "3"]
    command += ["--preset", preset, "--adapter", str(outcome.adapter), "--out", str(out), "--rounds", "20"]
    assert main(command) == 0
    engines = json.loads((out / "manifest.json").read_text("utf-8"))["engines"]
    assert set(engines) == {"majority", "zero-shot", "trained", "chat"}
    assert "chat" in capsys.readouterr().out


def test_the_probability_of_a_choice_is_that_of_its_tokens() -> None:
    """Choices of one and of several tokens, asked together, have the shares that each has when it is read with its prompt alone."""
    import torch

    loaded = tiny_loaded("smollm2-135m")
    loaded.model.float()
    prompt, choices = loaded.tokenizer.encode("Ana has 3 bags with 4 eggs each."), ("correct", "0", "conceptual error")
    sums = []
    for choice in choices:
        ending = loaded.tokenizer.encode(choice + loaded.tokenizer.eos_token)
        with torch.inference_mode():
            shares = loaded.model(torch.tensor([[*prompt, *ending]])).logits.log_softmax(-1)[0]
        sums.append(float(sum(shares[len(prompt) - 1 + place, token] for place, token in enumerate(ending))))
    expected = torch.tensor(sums).softmax(0).tolist()
    (chances,) = choice_probabilities(loaded, [prompt], choices)
    assert list(chances.values()) == pytest.approx(expected, abs=1e-4)
    assert max(expected) > 2 * min(expected)


@pytest.mark.parametrize(
    ("text", "problem_class"),
    [
        ('{"verdict": "contradictory", "class_label": 0, "reason": "a"}', 0),
        ('Here: {"verdict": "underspecified", "class_label": 2, "reason": "a"}.', 2),
        ('{"verdict": "contradictory", "class_label": 1, "reason": "a"}', None),
        ('<think>{"verdict": "fine"}?</think>{"verdict": "contradictory", "class_label": 0, "reason": "a"}', 0),
        ('{"verdict": "contradictory", "class_label": 0, "reason": "a"} {"verdict": "underspecified"}', None),
        ('{"reason": {"verdict": "contradictory", "class_label": 0, "reason": "a"}, ', None),
        ('{"verdict": "fine"}', None),
        ("It is contradictory.", None),
        ("[" * 9_000, None),
    ],
)
def test_an_answer_on_a_problem_is_read_or_nothing_is_judged(text: str, problem_class: int | None) -> None:
    """The object with a verdict and its own label counts, alone or among words; any other text is no verdict."""
    judged = ProblemForm().read_or_unjudged(text, "How many?")
    assert judged.problem_class == problem_class
    assert satisfies(judged.record(), PROBLEM_SCHEMA)
