"""The evaluation of verifiers: solutions of known label are judged by engines and baselines, which are measured and compared in pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from harness.errors import HarnessError
from harness.solution.labels import FLAWED, ErrorClass, ErrorType, named_error_type
from sft.evaluation import metrics
from sft.evaluation.dataset_items import SolutionItem, item_of
from sft.evaluation.engine_run import ASKED, MAJORITY, Answers, EngineRun, OpenedEngine
from sft.judges.forms import SolutionForm
from sft.judges.remote import RemoteJudge, ZeroShotAccess
from sft.samples.items import Item, Sample, Truth
from sft.samples.solution_judgement import Engine, Judgement
from sft.verifier.engine_registry import BATCH, ENGINES, EngineSettings, judge, open_engine
from sft.verifier.engines.language_model import asked_form, local_judge

RIGHT = "correct"
NO_CLASS = "none"
CLASSES = (RIGHT, str(ErrorClass.COMPUTATIONAL), str(ErrorClass.CONCEPTUAL))
"""The classes of the examination; a skipped step counts as conceptual."""
SAID = (*CLASSES, NO_CLASS)
_VERDICTS = {False: "correct", True: "flawed", None: "none"}


def process_f1(totals: metrics.OutcomeCounts) -> metrics.Column:
    """Return the harmonic mean of first-error-line accuracy on flawed and accuracy on sound solutions.

    Source: Zheng et al., ProcessBench, arXiv 2412.06559.
    """
    line = metrics.ratio(totals["line right"], totals["line n"])
    said = [totals[f"verdict correct {verdict}"] for verdict in _VERDICTS.values()]
    sound = metrics.ratio(said[0], np.sum(said, axis=0))
    mean: metrics.Column = 2 * line * sound / np.maximum(1e-9, line + sound)
    return mean


MEASURES = metrics.Measures(
    {
        "verdict_accuracy": ("n", metrics.share_of("right", "n")),
        "weighted_f1": ("classed", metrics.weighted_f1),
        "macro_f1": ("classed", metrics.macro_f1),
        "class_accuracy": ("classed", metrics.class_accuracy),
        "coarse_type_accuracy": ("class n", metrics.share_of("class right", "class n")),
        "fine_type_accuracy": ("fine n", metrics.share_of("fine right", "fine n")),
        "line_accuracy": ("line n", metrics.share_of("line right", "line n")),
        "coarse_type_accuracy_if_found": ("class found", metrics.share_of("class right", "class found")),
        "fine_type_accuracy_if_found": ("fine found", metrics.share_of("fine right", "fine found")),
        "line_accuracy_if_found": ("line found", metrics.share_of("line right", "line found")),
        "process_f1": ("line n", process_f1),
        "json_validity": ("n", metrics.share_of("valid", "n")),
        "calibration_error": ("stated", metrics.calibration_error),
        "brier": ("stated", metrics.share_of("square", "stated")),
    },
    CLASSES,
    SAID,
)
"""Accuracies of type and line count all flawed items, with the verdict `Correct` as wrong; those with `_if_found` count the items
that were judged flawed."""


def class_of(error_class: str | None) -> str:
    """Return one of `SAID` for the coarse class that an answer or a label names."""
    if error_class == ErrorClass.SKIPPED_STEP:
        return str(ErrorClass.CONCEPTUAL)
    return error_class if error_class in CLASSES[1:] else NO_CLASS


def gold_of(truth: Truth) -> str:
    """Return the class of a sample, `NO_CLASS` for a flawed sample of unknown class."""
    return class_of(truth.error_class) if truth.flawed else RIGHT


def _judged_item(item: SolutionItem, answer: Mapping[str, Any], *, classed: bool) -> metrics.JudgedItem:
    """Return an item as metrics count it; an answer without a verdict is never right. Earlier releases kept answers that say less."""
    truth, gold, verdict = item.sample.truth, gold_of(item.sample.truth), answer["verdict"]
    flawed = None if verdict is None else verdict == FLAWED
    said = NO_CLASS if flawed is None else class_of(answer.get("error_class")) if flawed else RIGHT
    details = answer.get("error_details") or {}
    known_gold = gold if gold != NO_CLASS else ""
    sums: dict[str, float] = {}
    for what, known, is_right in (
        ("class", known_gold, said == gold),
        ("fine", truth.error_type, named_error_type(details.get("error_type")) == truth.error_type),
        ("line", truth.line, details.get("erroneous_line_number") == truth.line),
    ):
        if truth.flawed and known:
            sums |= {f"{what} n": 1, f"{what} right": bool(flawed) and is_right, f"{what} found": bool(flawed)}
    if truth.flawed and (named := truth.error_type or known_gold):
        sums |= {f"type {named} {name}": value for name, value in sums.items()}
        sums |= {f"type {named} n": 1, f"type {named} found": bool(flawed)}
    sums |= {"valid": verdict is None or answer.get("valid", True)}
    sums |= {f"verdict {_VERDICTS[bool(truth.flawed)]} {_VERDICTS[flawed]}": 1}
    return metrics.JudgedItem(
        f"{item.dataset}\n{item.sample.problem_id}",
        known_gold if classed else "",
        said,
        flawed == truth.flawed,
        answer.get("confidence"),
        None if verdict is None else answer.get("seconds"),
        sums,
    )


TRAINED = "trained"
"""An adapter alone, without the guard that decides what is proved before an engine is asked."""
_GUESSED = "This is the commonest judgement among the items."
_DEFAULTS = {
    ErrorClass.COMPUTATIONAL: ErrorType.COMPUTATIONAL,
    ErrorClass.CONCEPTUAL: ErrorType.INPUT_MISREPRESENTATION,
    ErrorClass.SKIPPED_STEP: ErrorType.SKIPPED_STEP,
}


def majority_judgement(samples: Sequence[Sample]) -> Judgement:
    """Return the commonest verdict of samples, and the commonest error among flawed ones."""
    flawed = [sample.truth for sample in samples if sample.truth.flawed]
    share = len(flawed) / max(1, len(samples))
    classes = [truth.error_class for truth in flawed if truth.error_class is not None]
    error_class = ErrorClass(_commonest(classes, ErrorClass.CONCEPTUAL))
    if share < 1 / 2 or (share == 1 / 2 and classes.count(error_class) < len(flawed)):
        return Judgement(flawed=False, confidence=1 - share)
    types = [truth.error_type for truth in flawed if truth.error_type and truth.error_class == error_class]
    error_type = ErrorType(_commonest(types, _DEFAULTS[error_class]))
    line = _commonest([truth.line for truth in flawed if truth.line], "L1")
    return Judgement(True, share, error_class, error_type, line, _GUESSED)  # noqa: FBT003  # the fields in their order


def _commonest(names: Sequence[str], default: str) -> str:
    """Return the commonest name, of several the last in order."""
    return max(Counter(names).items(), key=lambda item: (item[1], str(item[0])), default=(default, 0))[0]


def open_remote(name: str, settings: EngineSettings, asking: ZeroShotAccess) -> RemoteJudge[Item, Judgement] | None:
    """Return the judge by a model of a provider: `zero-shot:PROVIDER:MODEL`, or `zero-shot-llm` with `--model`; `None` for another name."""
    if not name.startswith(ASKED) and name != "zero-shot-llm":
        return None
    form = asked_form(replace(settings, adapter=None))
    if name.startswith(ASKED):
        return RemoteJudge.of_provider(name.removeprefix(ASKED), "", form, asking)
    return RemoteJudge.of_provider(settings.model, settings.endpoint, form, asking)


def items_at_level(items: Sequence[SolutionItem], level: str) -> list[SolutionItem]:
    """Return the items whose label has an answer at a level; raises `HarnessError` where there is none."""
    form = SolutionForm.of(level)
    labelled = [item for item in items if form.asked.completion(item.sample.truth) is not None]
    kept = [item for item in labelled if not form.lacks(item_of(item.sample))]
    if not kept:
        raise HarnessError(f"--level {level}: no solution of the files has the label that this level asks for")
    return kept


@dataclass(frozen=True, slots=True)
class SolutionRun(EngineRun[Sample]):
    """The run of verifiers over solutions.

    Unless the settings say, an engine that estimates the share of flawed solutions judges many items at once, the others one.
    """

    items_file: ClassVar[str] = "items.jsonl"
    prefix: ClassVar[str] = "predictions-"
    measures: ClassVar[metrics.Measures] = MEASURES

    settings: EngineSettings
    asking: ZeroShotAccess

    def opened(self, name: str, samples: Sequence[Sample]) -> OpenedEngine[Sample]:
        """Return the engine of a name for the solutions of one dataset."""
        if name == MAJORITY:
            guess = majority_judgement(samples)
            return OpenedEngine(lambda part: [guess] * len(part))
        engine: Engine
        if remote := open_remote(name, self.settings, self.asking):
            engine = remote
        elif name in {TRAINED, "zero-shot"}:
            adapter = self.settings.adapter if name == TRAINED else None
            engine = local_judge(replace(self.settings, adapter=adapter), name)
        else:
            engine = open_engine(name, self.settings)
        known = ENGINES.get(name)
        batch = self.settings.batch or (known.together if known is not None and known.together > BATCH else 1)
        return OpenedEngine(lambda part: judge(engine, list(map(item_of, part))), batch)

    @staticmethod
    def judged_items(items: Sequence[SolutionItem], answers: Answers) -> list[metrics.JudgedItem]:
        """Return items with their answers as metrics count them; correct ones have a class where flawed ones of their dataset have one.

        Elsewhere the correct solutions alone would fill the table of classes.
        """
        classed = {item.dataset for item in items if gold_of(item.sample.truth) in CLASSES[1:]}
        return [_judged_item(item, answers[item.key], classed=item.dataset in classed) for item in items]
