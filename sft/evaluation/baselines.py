"""The baselines of a verifier: the commonest label, and a model that is asked without training."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.solution.labels import ErrorClass, ErrorType
from sft.judges.remote import RemoteJudge
from sft.samples.solution_judgement import Judgement
from sft.verifier.engines.language_model import asked_form, local_judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.evaluation.dataset_items import EvaluationItem
    from sft.judges.remote import ZeroShotAccess
    from sft.samples.items import Item
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings

MAJORITY = "majority"
TRAINED = "trained"
"""An adapter alone, without the guard that decides what is proved before an engine is asked."""
_GUESSED = "This is the commonest judgement among the items."


@dataclass(frozen=True, slots=True)
class MajorityBaseline:
    """Gives every item the commonest judgement of the items: the best baseline that does not read them."""

    judgement: Judgement
    name: str = MAJORITY

    @classmethod
    def of(cls, items: Sequence[EvaluationItem]) -> MajorityBaseline:
        """Return the engine for items whose truth is known: the commonest verdict, and the commonest error among flawed ones."""
        truths = [item.sample.truth for item in items]
        flawed = [truth for truth in truths if truth.flawed]
        share = len(flawed) / max(1, len(truths))
        classes = Counter(truth.error_class for truth in flawed if truth.error_class is not None)
        commonest = max(
            classes, key=lambda error_class: (classes[error_class], str(error_class)), default=ErrorClass.CONCEPTUAL
        )
        if share < 1 / 2 or (share == 1 / 2 and classes[commonest] < len(truths) - len(flawed)):
            return cls(Judgement(flawed=False, confidence=1 - share))
        types = Counter(truth.error_type for truth in flawed if truth.error_type and truth.error_class == commonest)
        lines = Counter(truth.line for truth in flawed if truth.line)
        error_type = ErrorType(max(types, key=lambda name: (types[name], name), default=_DEFAULTS[commonest]))
        line = max(lines, key=lambda name: (lines[name], name), default="L1")
        return cls(Judgement(True, share, commonest, error_type, line, _GUESSED))  # noqa: FBT003  # the fields in their order

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield the same judgement for each item."""
        for _ in items:
            yield self.judgement


_DEFAULTS = {
    ErrorClass.COMPUTATIONAL: str(ErrorType.COMPUTATIONAL),
    ErrorClass.CONCEPTUAL: str(ErrorType.INPUT_MISREPRESENTATION),
    ErrorClass.SKIPPED_STEP: str(ErrorType.SKIPPED_STEP),
}


def open_baseline(
    name: str, settings: EngineSettings, asking: ZeroShotAccess, items: Sequence[EvaluationItem]
) -> Engine | None:
    """Return the baseline of a name, `None` for another name; `items` are those of one dataset."""
    if name == MAJORITY:
        return MajorityBaseline.of(items)
    if name == TRAINED:
        return local_judge(settings, name)
    bare = replace(settings, adapter=None)
    if name == "zero-shot":
        return local_judge(bare, name)
    if name == "zero-shot-llm":
        return RemoteJudge.of_provider(settings.model, settings.endpoint, asked_form(bare), asking)
    return None
