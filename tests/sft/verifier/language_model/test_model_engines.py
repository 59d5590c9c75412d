"""Engines with a language model: whatever it prefers to say, what comes out is the object, about a place that is there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from harness.errors import HarnessError
from harness.solution.labels import ErrorClass
from sft.models.constrained_decoding import Decoder, DecodingRequest, closed_object
from sft.models.line_marks import MarkWriter
from sft.samples.solution_judgement import RECORD_SCHEMA, SCHEMA
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.combiner.combiner import CLASSES
from sft.verifier.combiner.combiner_fit import fit
from sft.verifier.combiner.fit_choices import CombinerKind
from sft.verifier.combiner_engine import CombinerEngine
from sft.verifier.engine_registry import EngineSettings, judge, open_engine
from sft.verifier.guarded_engine import GuardedEngine
from sft.verifier.language_model.model_judgements import ChatEngine, MarkEngine, OpenedModel, answer_schema
from sft.verifier.line_scores.scorer import Scorer
from tests.cases import cases
from tests.sft.hostile import FALSE, ODD, ORDER, PLAIN, QUESTION, RIGHT, TEXTS, satisfies, tiny_loaded

if TYPE_CHECKING:
    from pathlib import Path

    from sft.samples.items import Item
    from sft.samples.solution_judgement import Judgement

pytest.importorskip("torch", reason="the model is optional")
pytest.importorskip("llguidance", reason="structured decoding is optional")
pytest.importorskip("sklearn", reason="fitting needs scikit-learn")
SHORT = [read_item(QUESTION, text) for text in (RIGHT, FALSE, *ODD[2:6], *ODD[11:])]
ITEMS = [*SHORT, *(read_item(QUESTION, text) for text in ODD[6:11])]


@pytest.fixture(autouse=True)
def _few_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut what a model writes early: those of drawn weights never end."""
    monkeypatch.setattr("sft.verifier.language_model.model_judgements.MOST_TOKENS", 150)


@pytest.fixture(scope="module")
def opened() -> OpenedModel:
    """Return the tiny model with what scores and writes."""
    loaded = tiny_loaded()
    return OpenedModel(loaded, Scorer(loaded.model, loaded.tokenizer), MarkWriter(loaded.tokenizer), adapted=True)


@pytest.fixture(scope="module")
def decoder(opened: OpenedModel) -> Decoder:
    """Return the tiny model's decoder."""
    return Decoder(opened.loaded)


def _check(items: list[Item], judged: list[Judgement], *, guarded: bool = False) -> None:
    """Assert the form of each judgement; a guarded engine, and no other, refuses a solution that exceeds a limit and is not flawed."""
    for item, judgement in zip(items, judged, strict=True):
        assert satisfies(judgement.record(), RECORD_SCHEMA)
        refused = guarded and not judgement.flawed and any(unread.beyond for unread in judgement.unread)
        assert bool(judgement.error) == refused
        assert not judgement.flawed or judgement.line in item.places()


@pytest.mark.parametrize("most", [150, pytest.param(384, marks=pytest.mark.slow)])
def test_what_a_model_of_drawn_weights_writes_is_the_object(most: int, opened: OpenedModel, decoder: Decoder) -> None:
    """A model that knows no JSON writes nothing else, cut off or not, and its verdict has a probability."""
    writer = opened.writer
    wanted = [DecodingRequest(writer.prompt(item), answer_schema(item), '{"verdict": "') for item in ITEMS[:3]]
    for judgement, item in zip(decoder.write(wanted, most), ITEMS, strict=False):
        assert satisfies(judgement.record, SCHEMA)
        assert sum(judgement.first.values()) == pytest.approx(1, abs=1e-3)
        details = judgement.record["error_details"]
        assert details is None or details["erroneous_line_number"] in item.places()


@pytest.mark.slow
def test_a_text_is_written_alike_alone_and_in_a_batch(opened: OpenedModel, decoder: Decoder) -> None:
    """What stands beside a text in the batch does not change it."""
    wanted = [DecodingRequest(opened.writer.prompt(item), answer_schema(item), '{"verdict": "') for item in ITEMS[:3]]
    together = [written.record for written in decoder.write(wanted, 150)]
    assert together == [decoder.write([request], 150)[0].record for request in wanted]


@cases("cut", range(1, 48))
def test_a_text_that_was_cut_in_its_last_string_is_closed(cut: int) -> None:
    """Wherever the last string is cut, in an escape too, the object is whole and begins as the text did."""
    text = '{"a": {"b": "L1", "explanation": "so \\"5\\" is \\u00e9\\n{ \\ud83d\\ude00 }"}}'
    whole = json.loads(text)
    start = text.index('"explanation": "') + len('"explanation": "')
    found = closed_object(text[: max(start, len(text) - cut)])
    assert found["a"]["b"] == "L1"
    told = found["a"]["explanation"].removesuffix("…").encode("utf-8", "replace").decode()
    assert whole["a"]["explanation"].startswith(told.rstrip("?"))


@pytest.mark.parametrize("few", [SHORT[:3], pytest.param(SHORT, marks=pytest.mark.slow)], ids=len)
def test_the_marks_decide_and_the_model_explains(few: list[Item], opened: OpenedModel, decoder: Decoder) -> None:
    """With explanations or without, verdict, class and line are those of the marks, and everything satisfies the schema."""
    _check(ITEMS, list(MarkEngine(opened, None, None).judge(ITEMS)))
    # The same items again: beside others the marks are the same but for the noise of the number format.
    plain = list(MarkEngine(opened, None, None).judge(few))
    told = list(MarkEngine(opened, None, decoder).judge(few))
    _check(few, told)
    for judgement, other in zip(plain, told, strict=True):
        assert (judgement.flawed, judgement.error_class, judgement.line, judgement.confidence) == (
            other.flawed,
            other.error_class,
            other.line,
            other.confidence,
        )
        assert judgement.confidence >= 0.5
    assert any(judgement.flawed for judgement in plain)
    assert any(before.explanation != after.explanation for before, after in zip(plain, told, strict=True))


@pytest.mark.slow
def test_a_model_without_marks_is_asked_for_the_object(opened: OpenedModel, decoder: Decoder) -> None:
    """A model that was not trained answers in the form as well, and the confidence is that of its verdict's word."""
    judged = list(ChatEngine(opened, decoder).judge(SHORT))
    _check(SHORT, judged)
    assert all(0 <= judgement.confidence <= 1 for judgement in judged)


@pytest.fixture(scope="module")
def hybrid(opened: OpenedModel) -> CombinerEngine:
    """Return a hybrid engine whose combiner was fitted on sums that hold and sums that do not."""
    items, labels = [], []
    for number in range(2, 32):
        wrong = number % 3
        result = number * 3 + (wrong == 1)
        asked = f"Mia picks {number} pears a day for 3 days. How many pears is that?"
        sign = "+" if wrong == 2 else "*"
        items.append(
            read_item(asked, f"She picks {number} {sign} 3 = {result if sign == '*' else number + 3} pears.\n#### 5")
        )
        labels.append(CLASSES[wrong])
    scores = opened.scorer.score(items, twins=True)
    rows = [EVIDENCE.features_of(Case(item, score)) for item, score in zip(items, scores, strict=True)]
    combiner = fit(rows, labels, [str(number) for number in range(len(rows))], kind=CombinerKind.LOGISTIC, folds=2)
    return CombinerEngine("hybrid", combiner, scorer=opened.scorer)


def test_the_hybrid_judges_whatever_it_is_given(hybrid: CombinerEngine) -> None:
    """Every odd text has a judgement in the form of the schema, and a false equation is named with its line."""
    judged = list(judge(hybrid, ITEMS))
    _check(ITEMS, judged)
    assert judged[1].error_class is ErrorClass.COMPUTATIONAL
    assert judged[1].line == "L1"
    assert judged[1].explanation.startswith("L1 says ")
    assert "14 * 3 = 42" in judged[1].explanation
    assert judged[1].evidence[0].kind.name == "false equation"


def test_a_judgement_does_not_depend_on_the_batch(hybrid: CombinerEngine) -> None:
    """Verdict, class and line are the same alone and among others."""
    together = list(hybrid.judge(ITEMS[:4]))
    alone = [next(iter(hybrid.judge([item]))) for item in ITEMS[:4]]
    assert [(judgement.flawed, judgement.error_class, judgement.line) for judgement in together] == [
        (judgement.flawed, judgement.error_class, judgement.line) for judgement in alone
    ]


@settings(max_examples=25, deadline=None)
@given(TEXTS, TEXTS)
def test_any_text_has_a_judgement_of_the_hybrid(hybrid: CombinerEngine, question: str, solution: str) -> None:
    """Whatever the texts, the hybrid engine answers in the form of the schema."""
    (judgement,) = judge(hybrid, [read_item(question, solution)])
    assert satisfies(judgement.record(), RECORD_SCHEMA)


@pytest.mark.parametrize("solution", [RIGHT, FALSE])
def test_an_order_after_the_lines_does_not_reach_back(opened: OpenedModel, solution: str) -> None:
    """The model's marks of all lines before an order are those before any other line: it reads from left to right."""
    lines = solution.split("\n")[:2]
    told = []
    for line in (ORDER, PLAIN):
        (scores,) = opened.scorer.score([read_item(QUESTION, "\n".join([*lines, line]))], twins=False)
        told.append([tuple(place.marks.values()) for place in scores.places[:2]])
    for judgement, other in zip(*told, strict=True):
        assert judgement == pytest.approx(other, abs=1e-3)


def test_an_engine_says_what_it_lacks(tmp_path: Path, hybrid: CombinerEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """No combiner, no adapter, no library: each is one message with the command that helps."""
    chosen = EngineSettings(adapter=tmp_path)
    with pytest.raises(HarnessError, match="fit one: oracle-factory fit"):
        open_engine("hybrid", chosen)
    hybrid.combiner.save(tmp_path / "combiner.json")
    with pytest.raises(HarnessError, match=r"no adapter in .*: expected adapter_config.json; train one"):
        open_engine("hybrid", chosen)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(HarnessError, match=r"make install.*--engine symbolic"):
        open_engine("model", chosen)


@pytest.mark.slow
def test_the_model_that_comes_with_the_package_judges() -> None:
    """The default preset's model, with its adapter or without, answers on every odd text in the form of the schema."""
    from harness.llm.model_weights import gguf_file

    try:
        gguf_file()
    except HarnessError as error:
        pytest.skip(str(error))
    engine: Any = open_engine("model")
    _check(ITEMS, list(judge(engine, ITEMS)), guarded=True)


def test_what_the_model_does_not_read_is_listed(opened: OpenedModel) -> None:
    """A line that takes more tokens than a model is given is listed, and is never part of a solution that is Correct."""
    long = "They walk " + "on and on " * 400 + "to town."
    marks = GuardedEngine(MarkEngine(opened, None, None))
    for text, place in (
        (f"{RIGHT}\n{long}", "L3"),
        (f"{long}\n{RIGHT}", "L1"),
        ("\n".join([*["So it goes on."] * 190]), "L190"),
    ):
        (judged,) = marks.judge([read_item(QUESTION, text)])
        assert place in {line.line for line in judged.unread}
        assert judged.record()["verdict"] != "Correct"
    (judged,) = marks.judge([read_item(QUESTION, RIGHT)])
    assert not judged.unread
