"""The scorer of problems: log-probabilities of the mark of each class and of the text, by a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.constraint_system import ProblemClass
from sft.models.problem_marks import ProblemWriter
from sft.validator.case import ProblemScores
from sft.verifier.line_scores.scorer import DecoderScorer, batches_by_length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.models.line_marks import MarkedSequence

TOKENS_OF_BATCH = 2_048
"""The most tokens of a batch."""
CLASSES = tuple(ProblemClass)


@dataclass(frozen=True, slots=True)
class _Readout:
    """The log-probabilities of a problem's tokens, and the probabilities of the marks."""

    logs: list[float]
    marks: list[float]


class ProblemScorer(DecoderScorer):
    """A causal language model with its tokenizer, on the device that the model is on."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        super().__init__(model)
        self._writer = ProblemWriter(tokenizer)

    def score(self, questions: Sequence[str]) -> list[ProblemScores]:
        """Return the scores of each raw text, in order; any text has some."""
        rows = [self._writer.write(question) for question in questions]
        scores: dict[int, ProblemScores] = {}
        for batch in batches_by_length([len(row.ids) for row in rows], TOKENS_OF_BATCH):
            for place, readout in zip(batch, self._readouts([rows[place] for place in batch]), strict=True):
                marks = dict(zip(CLASSES, readout.marks, strict=True))
                scores[place] = ProblemScores(
                    marks, sum(readout.logs) / max(1, len(readout.logs)), min(readout.logs, default=0.0)
                )
        return [scores[place] for place in range(len(rows))]

    def _readouts(self, rows: Sequence[MarkedSequence]) -> Iterator[_Readout]:
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
                yield _Readout(logs, marks)
