"""Scoring: one pass over a tree of tokens gives what separate passes over plain sequences give."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from harness.json_form import json_form, read_record
from oracle_factory.command import main
from sft.models.line_marks import Mark, MarkWriter
from sft.samples.solution_text import read_item
from sft.verifier.line_scores.scorer import Scorer
from sft.verifier.line_scores.token_trees import MOST_OF_TWINS, MOST_TOKENS, row_of
from sft.verifier.model_scores import Scores, Twin
from tests.cases import cases
from tests.sft.hostile import tiny_loaded

if TYPE_CHECKING:
    from pathlib import Path

    from sft.models.base_model import LoadedModel

torch = pytest.importorskip("torch", reason="the model is optional")
pytest.importorskip("transformers", reason="the model is optional")

QUESTION = "Mia picks 14 pears a day for 3 days and gives 5 of them to Tom. How many pears has she left?"
RIGHT = "Mia picks 14 * 3 = 42 pears.\nShe has 42 - 5 = 37 pears left.\n#### 37"
WRONG = "Mia picks 14 + 3 = 17 pears.\nThat is many.\nShe has 17 - 5 = 12 pears left.\nFINAL ANSWER: 12"
ITEMS = [
    read_item(QUESTION, RIGHT),
    read_item(QUESTION, WRONG),
    read_item("How many legs have 6 cats?", "24"),
    read_item("?", ""),
]
TWINS = [
    (Twin("L1", "Mia picks 14 + 3 = 17 pears.", "operator", ""), Twin("L2", "She has 42 - 5 = 3", "dropped", "")),
    (
        Twin("L1", "Mia picks 14 * 3 = 42 pears.", "operator", ""),
        Twin("L1", "Mia picks 14 * 3 = 42 pears. She is quick.", "added", ""),
        Twin("L1", "Mia picks 5 + 3 = 8 pears.", "operand", ""),
        Twin("L3", "He has 17 + 5 = 22 pears left.", "operator", ""),
        Twin("FA", "17", "answer", ""),
        Twin("FA", "1", "answer", ""),
    ),
    (),
    (Twin("L7", "There is no such line.", "operand", ""),),
]


@pytest.fixture(scope="module")
def loaded() -> LoadedModel:
    """Return a model of two layers whose weights are drawn, with its tokenizer."""
    return tiny_loaded()


@pytest.fixture(scope="module")
def tokenizer(loaded: LoadedModel) -> Any:
    """Return its tokenizer."""
    return loaded.tokenizer


@pytest.fixture(scope="module")
def model(loaded: LoadedModel) -> Any:
    """Return the model itself."""
    return loaded.model


@pytest.fixture(scope="module")
def scorer(model: Any, tokenizer: Any) -> Scorer:
    """Return the scorer of both."""
    return Scorer(model, tokenizer)


@pytest.fixture(scope="module")
def scores(scorer: Scorer) -> list[Scores]:
    """Return the scores of all items in one batch."""
    return scorer.score(ITEMS, twins=True, made=TWINS)


def _logs(model: Any, ids: list[int]) -> Any:
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits[0].log_softmax(-1)


@pytest.mark.parametrize("number", range(len(ITEMS)))
def test_a_line_has_the_likelihood_and_the_marks_of_a_plain_pass(
    number: int, scores: list[Scores], model: Any, tokenizer: Any
) -> None:
    """What the tree gives of each place is what a forward pass over its sequence alone gives."""
    writer = MarkWriter(tokenizer)
    sequence = writer.write(ITEMS[number], None)
    logs = _logs(model, list(sequence.ids))
    assert [place.place for place in scores[number].places] == list(ITEMS[number].places())
    for place, (start, end), asked in zip(scores[number].places, sequence.spans, sequence.asked, strict=True):
        assert place.loglik == pytest.approx(
            sum(float(logs[at - 1, sequence.ids[at]]) for at in range(start, end)), abs=1e-3
        )
        assert place.tokens == end - start
        chances = logs[asked, [writer.first[mark] for mark in Mark]].softmax(-1).tolist()
        assert [place.marks[mark] for mark in Mark] == pytest.approx(chances, abs=1e-4)


@cases(("number", "twin"), [(number, twin) for number, some in enumerate(TWINS) for twin in some])
def test_a_twin_gains_what_plain_passes_over_both_lines_say(
    number: int, twin: Twin, scores: list[Scores], model: Any, tokenizer: Any
) -> None:
    """The gain of a twin is the difference of two whole lines' likelihoods, each with the sign that ends it."""
    writer, item = MarkWriter(tokenizer), ITEMS[number]
    found = [
        candidate for candidate in scores[number].twins if (candidate.place, candidate.text) == (twin.place, twin.text)
    ]
    if twin.place not in item.places():
        assert not found
        return
    at = item.places().index(twin.place)
    changed = (
        replace(item, answer=twin.text)
        if twin.place == "FA"
        else replace(item, lines=tuple(twin.text if place == at else line for place, line in enumerate(item.lines)))
    )
    texts = [writer.place(score, twin.place) + writer.ask for score in (changed, item)]
    differs = next(number for number, (before, after) in enumerate(zip(*texts, strict=False)) if before != after)
    likelihoods, steps, right = [], [], 0.0
    for score in (changed, item):
        sequence = writer.write(score, None)
        start, end = sequence.spans[at]
        logs = _logs(model, list(sequence.ids))
        likelihoods.append(sum(float(logs[here - 1, sequence.ids[here]]) for here in range(start, end + 1)))
        steps.append(float(logs[start + differs - 1, sequence.ids[start + differs]]))
        if score is changed:
            chances = logs[sequence.asked[at], [writer.first[mark] for mark in Mark]].softmax(-1)
            right = float(chances[list(Mark).index(Mark.RIGHT)])
    assert len(found) == 1
    assert found[0].gain == pytest.approx(likelihoods[0] - likelihoods[1], abs=1e-3)
    assert found[0].step == pytest.approx(steps[0] - steps[1], abs=1e-3)
    assert found[0].right == pytest.approx(right, abs=1e-4)


def test_scores_do_not_depend_on_the_company(scores: list[Scores], scorer: Scorer) -> None:
    """An item scored alone, or with others in another order, has the scores it has among all."""
    alone = [scorer.score([item], twins=True, made=[some])[0] for item, some in zip(ITEMS, TWINS, strict=True)]
    turned = scorer.score(ITEMS[::-1], twins=True, made=TWINS[::-1])[::-1]
    for place, other, third in zip(scores, alone, turned, strict=True):
        assert _numbers(place) == pytest.approx(_numbers(other), abs=1e-3)
        assert _numbers(place) == pytest.approx(_numbers(third), abs=1e-3)


def _numbers(scores: Scores) -> list[float]:
    places = [number for place in scores.places for number in (place.loglik, *place.marks.values())]
    twins = sorted(scores.twins, key=lambda twin: (twin.place, twin.text))
    return places + [number for twin in twins for number in (twin.gain, twin.step, twin.right)]


def test_twins_come_the_greatest_gain_first(scores: list[Scores]) -> None:
    """The likeliest twin of an item is its first, and without twins there are none."""
    for score in scores:
        assert [twin.gain for twin in score.twins] == sorted((twin.gain for twin in score.twins), reverse=True)


def test_scores_are_read_back_as_they_were_written(scores: list[Scores]) -> None:
    """What a GPU host writes as JSON is the same scores here, to the digits written."""
    for score in scores:
        again = read_record(Scores, json.loads(json.dumps(json_form(score))))
        assert json_form(again) == json_form(score)
        assert _numbers(again) == pytest.approx(_numbers(score), abs=1e-3)


@pytest.mark.parametrize(
    ("question", "solution"),
    [
        ("How many? " * 2_000, "1 + 1 = 2\n#### 2"),
        (
            "How many?",
            "\n".join(f"{n} + 1 = {n + 1} of those that were there before" for n in range(190)) + "\n#### 190",
        ),
        ("How many?", "7" * 19_000),
        ("𝕏🧮" * 5_000, "𝟙 + ½ = 3\n" * 100),
    ],
    ids=["question", "lines", "line", "script"],
)
def test_an_item_is_cut_to_what_the_model_reads(question: str, solution: str, tokenizer: Any) -> None:
    """Of texts as long as can be, at most 2,000 tokens and 1,500 of twins stand in a row, the first places among them."""
    item = read_item(question, solution)
    twins = [Twin("L1", f"{n} + {n} = {2 * n} and so on", "operand", "") for n in range(1_000)]
    row = row_of(MarkWriter(tokenizer), item, twins)
    names = [place.name for place in row.places]
    assert names
    assert names == list(item.places())[: len(names)]
    # The twin that does not fit any more stands there whole.
    assert len(row.ids) <= MOST_TOKENS + MOST_OF_TWINS + 100
    assert row.twins


def test_files_are_scored_where_nothing_reads_equations(tmp_path: Path, model: Any, tokenizer: Any) -> None:
    """Twins made by one command are scored by the other, and each line is found again by its name."""
    model.save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    preset, items, twins, out = (tmp_path / name for name in ("p.yaml", "items.jsonl", "twins.jsonl", "out.jsonl"))
    preset.write_text(f"model: {tmp_path / 'model'}\n", "utf-8")
    records = [{"sample_id": "a", "question": QUESTION, "solution": WRONG}, {"question": QUESTION, "solution": RIGHT}]
    items.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    assert main(["twins", str(items), str(twins)]) == 0
    assert main(["score", str(items), str(out), "--preset", str(preset), "--twins-file", str(twins)]) == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [line["sample_id"] for line in lines] == ["a", "2"]
    found = [read_record(Scores, line["scores"]) for line in lines]
    assert [len(score.places) for score in found] == [4, 3]
    assert all(any(twin.place == "L1" and "14 * 3 = 42" in twin.text for twin in score.twins) for score in found[:1])
    twins.write_text(twins.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    assert main(["score", str(items), str(out), "--preset", str(preset), "--twins-file", str(twins)]) == 2


def test_scoring_needs_nothing_that_reads_equations() -> None:
    """Where typer and pydantic, with what they need, are the only packages, the scorer is imported all the same.

    The command itself is made with typer, and files are read with pydantic; torch, transformers and peft load the model.
    """
    program = """
import sys

OURS = {"harness", "oracle_factory", "oracles", "sft"}
TYPER = {"typer", "annotated_doc", "shellingham", "rich", "markdown_it", "mdurl", "pygments"}
PYDANTIC = {"pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"}

class Absent:
    def find_spec(self, name, path=None, target=None):
        own = name.startswith("_") or name.partition(".")[0] in {*sys.stdlib_module_names, *OURS, *TYPER, *PYDANTIC}
        if not own:
            raise ImportError(name)

sys.meta_path.insert(0, Absent())
from oracle_factory.command import main
try:
    import harness.equations.line_reader
except ImportError:
    sys.exit(main(["score", "absent.jsonl", "-"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert "absent.jsonl: cannot be read" in done.stderr
