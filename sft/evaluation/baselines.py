"""The baselines of a verifier: the commonest label, and a model that is asked without training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from harness.solution.labels import ErrorClass, ErrorType
from sft.evaluation.dataset_items import EvaluationItem
from sft.judges.remote import RemoteJudge, ZeroShotAccess
from sft.samples.items import Item
from sft.samples.solution_judgement import Engine, Judgement
from sft.verifier.engine_registry import EngineSettings
from sft.verifier.engines.language_model import asked_form, local_judge

MAJORITY = "majority"
ASKED = "zero-shot:"
"""The beginning of the name of an engine that asks a model of a provider; its rest is PROVIDER:MODEL."""
TRAINED = "trained"
"""An adapter alone, without the guard that decides what is proved before an engine is asked."""
_GUESSED = "This is the commonest judgement among the items."
_DEFAULTS = {
    ErrorClass.COMPUTATIONAL: ErrorType.COMPUTATIONAL,
    ErrorClass.CONCEPTUAL: ErrorType.INPUT_MISREPRESENTATION,
    ErrorClass.SKIPPED_STEP: ErrorType.SKIPPED_STEP,
}


@dataclass(frozen=True, slots=True)
class MajorityBaseline:
    """Gives every item the commonest judgement of the items: the best baseline that does not read them."""

    judgement: Judgement
    name: str = MAJORITY

    @classmethod
    def of(cls, items: Sequence[EvaluationItem]) -> MajorityBaseline:
        """Return the engine for items whose truth is known: the commonest verdict, and the commonest error among flawed ones."""
        flawed = [item.sample.truth for item in items if item.sample.truth.flawed]
        share = len(flawed) / max(1, len(items))
        classes = [truth.error_class for truth in flawed if truth.error_class is not None]
        error_class = ErrorClass(_commonest(classes, ErrorClass.CONCEPTUAL))
        if share < 1 / 2 or (share == 1 / 2 and classes.count(error_class) < len(flawed)):
            return cls(Judgement(flawed=False, confidence=1 - share))
        types = [truth.error_type for truth in flawed if truth.error_type and truth.error_class == error_class]
        error_type = ErrorType(_commonest(types, _DEFAULTS[error_class]))
        line = _commonest([truth.line for truth in flawed if truth.line], "L1")
        return cls(Judgement(True, share, error_class, error_type, line, _GUESSED))  # noqa: FBT003  # the fields in their order

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield the same judgement for each item."""
        for _ in items:
            yield self.judgement


def _commonest(names: Sequence[str], default: str) -> str:
    """Return the commonest name, of several the last in order."""
    return max(Counter(names).items(), key=lambda item: (item[1], str(item[0])), default=(default, 0))[0]


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
    return open_remote(name, settings, asking)


def open_remote(name: str, settings: EngineSettings, asking: ZeroShotAccess) -> RemoteJudge[Item, Judgement] | None:
    """Return the judge by a model of a provider: `zero-shot:PROVIDER:MODEL`, or `zero-shot-llm` with `--model`; `None` for another name."""
    form = asked_form(replace(settings, adapter=None))
    if name.startswith(ASKED):
        return RemoteJudge.of_provider(name.removeprefix(ASKED), "", form, asking)
    if name == "zero-shot-llm":
        return RemoteJudge.of_provider(settings.model, settings.endpoint, form, asking)
    return None
