"""The scorer of problems: log-probabilities of the mark of each class and of the text, by a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.constraint_system import ProblemClass
from sft.models.problem_marks import ProblemWriter
from sft.validator.scores import ProblemScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.models.line_marks import MarkedSequence

TOKENS_OF_BATCH = 2_048
"""At most so many tokens, padding included, unless a single problem has more."""
CLASSES = tuple(ProblemClass)


@dataclass(frozen=True, slots=True)
class _Said:
    """What is read off one problem's states: log-probabilities of its tokens and of the marks."""

    logs: list[float]
    marks: list[float]


class ProblemScorer:
    """A causal language model of transformers with its tokenizer, with or without an adapter, on the device it is on."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        base = model.get_base_model() if hasattr(model, "get_base_model") else model
        self._body, self._head = base.get_decoder(), base.get_output_embeddings()
        self._device = self._head.weight.device
        self._writer = ProblemWriter(tokenizer)

    def score(self, questions: Sequence[str]) -> list[ProblemScores]:
        """Return the scores of each raw text, in order; any text has some."""
        rows = [self._writer.write(question) for question in questions]
        found: dict[int, ProblemScores] = {}
        for batch in _batches(rows):
            for place, readout in zip(batch, self._said([rows[place] for place in batch]), strict=True):
                marks = dict(zip(CLASSES, readout.marks, strict=True))
                found[place] = ProblemScores(
                    marks, sum(readout.logs) / max(1, len(readout.logs)), min(readout.logs, default=0.0)
                )
        return [found[place] for place in range(len(rows))]

    def _said(self, rows: Sequence[MarkedSequence]) -> Iterator[_Said]:
        import torch

        with torch.inference_mode():
            longest = max(len(row.ids) for row in rows)
            ids = torch.zeros((len(rows), longest), dtype=torch.long)
            seen = torch.zeros((len(rows), longest), dtype=torch.long)
            for number, row in enumerate(rows):
                ids[number, : len(row.ids)] = torch.tensor(row.ids, dtype=torch.long)
                seen[number, : len(row.ids)] = 1
            states = self._body(
                input_ids=ids.to(self._device), attention_mask=seen.to(self._device), use_cache=False
            ).last_hidden_state
            first = torch.tensor([self._writer.first[problem_class] for problem_class in CLASSES], device=self._device)
            for row, state in zip(rows, states, strict=True):
                start, end = row.spans[0]
                table = self._head(state[start : end - 1]).float().log_softmax(-1)
                own = torch.tensor(row.ids[start + 1 : end], device=self._device)
                logs = table.gather(1, own[:, None])[:, 0].tolist()
                marks = (state[row.asked[0]].float() @ self._head.weight[first].float().T).softmax(-1).tolist()
                yield _Said(logs, marks)


def _batches(rows: Sequence[MarkedSequence]) -> Iterator[list[int]]:
    """Yield the places of rows of similar length that make a batch."""
    batch: list[int] = []
    for place in sorted(range(len(rows)), key=lambda place: len(rows[place].ids)):
        if batch and (len(batch) + 1) * len(rows[place].ids) > TOKENS_OF_BATCH:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
