"""Tests of the tasks for Inspect: it finds them by the entry point, judges by its models and computes the scores of the product."""

import json
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from tests.json_lines import write_lines
from tests.sft.judged_files import RECORDS

pytest.importorskip("inspect_ai", reason="Inspect is not installed: its fsspec is older than the pinned one")

OK = '{"verdict": "Correct", "error_details": null}'
BAD = '{"verdict": "Flawed", "error_details": {"error_type": "computational_error", "erroneous_line_number": "L2", "explanation": "x"}}'


def test_task_runs_with_the_mock_model(tmp_path: Path) -> None:
    """A right Correct, a right Flawed with its line, and prose for the third."""
    from inspect_ai import eval as run
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from oracle_factory.inspect_tasks import verify_solutions

    def told(text: str) -> ModelOutput:
        output = ModelOutput.from_content("m", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it is counted by a download
        return output

    items = write_lines(tmp_path / "x.jsonl", [RECORDS["human"], RECORDS["human"]])
    model = get_model(
        "mockllm/model", custom_outputs=[told(text) for text in (OK, BAD, "I think it is fine: Correct", OK)]
    )
    log = run(verify_solutions(str(items)), model=model, log_dir=str(tmp_path), display="none", max_samples=1)[0]
    assert log.status == "success"
    assert log.results is not None
    figures = {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}
    expected = {"accuracy": 0.75, "line_accuracy": 0.5, "json_validity": 0.75}
    assert {name: figures[name] for name in expected} == expected


def _told(texts: list[str]) -> Any:
    """Return a model that gives these answers; their usage is stated, since it is counted by a download otherwise."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    outputs = [ModelOutput.from_content("m", text) for text in texts]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return get_model("mockllm/model", custom_outputs=outputs)


def test_inspect_finds_tasks_and_scorers_by_the_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the names of the manual, as `pyproject.toml` declares them, a task runs that this process has not imported."""
    from inspect_ai import eval as run
    from inspect_ai._util import entrypoints, registry

    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    points = [EntryPoint(*pair, "inspect_ai") for pair in declared["project"]["entry-points"]["inspect_ai"].items()]
    monkeypatch.setattr(entrypoints, "entry_points", lambda group: points if group == "inspect_ai" else [])
    entrypoints.clear_entry_points_state()
    problems = tmp_path / "problems.jsonl"
    problems.write_text(
        "".join(f"{json.dumps({'question': f'How many are {n} apples?', 'class_label': n})}\n" for n in range(3))
    )
    texts = [
        json.dumps({"verdict": "contradictory", "class_label": 0, "reason": "x"}),
        "It is solvable.",
        "solvable or contradictory",
    ]
    (log,) = run(
        "oracle_factory/validate_problems",
        task_args={"problems": str(problems)},
        model=_told(texts),
        log_dir=str(tmp_path),
        display="none",
        max_samples=1,
    )
    assert log.status == "success"
    assert log.results is not None
    assert log.results.scores[0].metrics["accuracy"].value == pytest.approx(2 / 3)
    for kind, name in (("task", "verify_solutions"), ("scorer", "verdict"), ("scorer", "problem_class")):
        assert registry.registry_lookup(kind, f"oracle_factory/{name}") is not None
