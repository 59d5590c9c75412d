"""A judge on this machine: whatever the model prefers to say, an answer is the object, about a place that is there."""

import json
from pathlib import Path

import pytest

from harness.errors import HarnessError
from sft.judges.forms import SolutionForm
from sft.judges.local import LocalJudge
from sft.models.base_model import LoadedModel
from sft.models.text_generation import chat_prompt, decoded, partial_object
from sft.samples.solution_text import read_item
from sft.training.tiny_models import tiny_loaded
from sft.verifier.engine_registry import EngineSettings, open_engine
from tests.cases import cases
from tests.optional_packages import needs
from tests.sft.hostile import FALSE, ODD, QUESTION, RIGHT, satisfies
from tests.sft.schemas import RECORD_SCHEMA, SCHEMA

pytestmark = needs("torch", "llguidance")
ITEMS = [read_item(QUESTION, text) for text in (RIGHT, FALSE, *ODD[2:8])]
FORM = SolutionForm()


@pytest.fixture(autouse=True)
def _few_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut what a model writes early: those of drawn weights never end."""
    monkeypatch.setattr("sft.judges.local.MOST_TOKENS", 150)


@pytest.fixture(scope="module")
def loaded() -> LoadedModel:
    """Return the tiny model."""
    return tiny_loaded("smollm2-135m")


@pytest.mark.parametrize("most", [150, pytest.param(384, marks=pytest.mark.slow)])
def test_a_model_of_drawn_weights_writes_the_object(most: int, loaded: LoadedModel) -> None:
    """A model that knows no JSON writes nothing else, cut off or not, and its verdict has a probability."""
    items = ITEMS[:3]
    prompts = [chat_prompt(loaded.tokenizer, [{"role": "user", "content": FORM.prompt(item)}]) for item in items]
    objects = decoded(loaded, prompts, [FORM.schema(item) for item in items], '{"verdict": "', most)
    for written, item in zip(objects, items, strict=True):
        assert satisfies(written.record, SCHEMA)
        assert sum(written.first.values()) == pytest.approx(1, abs=1e-3)
        details = written.record["error_details"]
        assert details is None or details["erroneous_line_number"] in item.places()


@cases("cut", range(1, 48))
def test_a_text_that_was_cut_in_its_last_string_is_closed(cut: int) -> None:
    """Wherever the last string is cut, in an escape too, the object is whole and begins as the text did."""
    text = '{"a": {"b": "L1", "explanation": "so \\"5\\" is \\u00e9\\n{ \\ud83d\\ude00 }"}}'
    whole = json.loads(text)
    start = text.index('"explanation": "') + len('"explanation": "')
    found = partial_object(text[: max(start, len(text) - cut)])
    assert found["a"]["b"] == "L1"
    assert whole["a"]["explanation"].startswith(found["a"].get("explanation", ""))


@pytest.mark.parametrize("count", [2, pytest.param(len(ITEMS), marks=pytest.mark.slow)])
def test_every_item_has_a_judgement(count: int, loaded: LoadedModel) -> None:
    """Odd texts have a judgement of the schema about a place that is there; a prompt that is too long has none, with the reason."""
    items = [*ITEMS[:count], read_item(QUESTION, "on and on " * 900)]
    judged = list(LocalJudge(loaded, FORM).judge(items))
    for item, judgement in zip(items, judged, strict=True):
        assert satisfies(judgement.record(), RECORD_SCHEMA)
        assert judgement.error or not judgement.flawed or judgement.line in item.places()
    assert "tokens, of 3,000 at most" in judged[-1].error


def test_an_engine_says_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No adapter, an adapter of no level, no library: each is one message with the command that helps."""
    chosen = EngineSettings(adapter=tmp_path)
    with pytest.raises(HarnessError, match=r"no adapter in .*: expected adapter_config.json; train one"):
        open_engine("chat", chosen)
    (tmp_path / "adapter_config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(HarnessError, match=r"was not trained on a level .*train one: oracle-factory train --level"):
        open_engine("model", chosen)
    with pytest.raises(HarnessError, match="no level: name it by --level"):
        open_engine("chat")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(HarnessError, match=r"make install.*--engine symbolic"):
        open_engine("model")
