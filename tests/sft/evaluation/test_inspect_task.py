"""Tests of the Inspect task: Inspect judges the items by its models and computes the same scores as the product."""

from pathlib import Path

import pytest

from tests.sft.judged_files import RECORDS, write

pytest.importorskip("inspect_ai", reason="Inspect is not installed: its fsspec is older than the pinned one")

OK = '{"verdict": "Correct", "error_details": null}'
BAD = '{"verdict": "Flawed", "error_details": {"error_type": "computational_error", "erroneous_line_number": "L2", "explanation": "x"}}'


def test_task_runs_with_the_mock_model(tmp_path: Path) -> None:
    """A right Correct, a right Flawed with its line, and prose for the third."""
    from inspect_ai import eval as run
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from sft.evaluation.inspect_task import verify_solutions

    def told(text: str) -> ModelOutput:
        output = ModelOutput.from_content("m", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it is counted by a download
        return output

    items = write(tmp_path / "x.jsonl", RECORDS["human"], RECORDS["human"])
    model = get_model(
        "mockllm/model", custom_outputs=[told(text) for text in (OK, BAD, "I think it is fine: Correct", OK)]
    )
    log = run(verify_solutions(str(items)), model=model, log_dir=str(tmp_path), display="none", max_samples=1)[0]
    assert log.status == "success"
    assert log.results is not None
    figures = {name: one.value for score in log.results.scores for name, one in score.metrics.items()}
    expected = {"accuracy": 0.75, "line_accuracy": 0.5, "json_validity": 0.75}
    assert {name: figures[name] for name in expected} == expected
