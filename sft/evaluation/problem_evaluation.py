"""The evaluation of validators: problems of known class are judged by several engines, which are measured."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from harness.constraint_system import ProblemClass
from harness.corpora.field_roles import FieldNames, Role, read_fields
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from sft.datasets.sources import RunSource
from sft.evaluation import metrics
from sft.evaluation.dataset_items import ALL, EvaluationItem
from sft.evaluation.engine_run import MAJORITY, Answers, EngineRun, OpenedEngine
from sft.samples.items import ProblemSample
from sft.samples.problem_judgement import PROBLEM_CLASSES, ProblemJudgement
from sft.validator.problem_engine import ProblemEngine, ProblemEngineSettings, open_problem_engine

TITLES = {problem_class: problem_class.word for problem_class in PROBLEM_CLASSES}
NONE = "none"
LABELS = "expected 'class_label' 0, 1 or 2"


def read_problems(paths: Iterable[Path], named: FieldNames | None = None) -> list[EvaluationItem[ProblemSample]]:
    """Read problems of known class: of the variant stage of a run folder, or of a file of records.

    A record has a question, in a field that the user names or in one of published data sets, and `class_label` 0, 1 or 2; `sample_id` or
    `variant_id`, `problem_id` and `operator` where they are there.
    Raises `HarnessError` where a file cannot be read, a line is no such record, an id is repeated, or there is no problem.
    """
    samples: dict[str, ProblemSample] = {}
    fields = named or FieldNames()
    for path in paths:
        given = RunSource.of(path, ("variant",), "").read() if path.is_dir() else _samples_of_file(path, fields)
        for sample in given:
            if not isinstance(sample, ProblemSample):
                continue
            if sample.sample_id in samples:
                raise HarnessError(f"{path}: the id {sample.sample_id[:80]!r} is repeated")
            samples[sample.sample_id] = sample
    if not samples:
        raise HarnessError("no problem to judge: expected a run with a variant stage, or JSON lines with class_label")
    return [EvaluationItem(ALL, sample) for sample in samples.values()]


def _samples_of_file(path: Path, named: FieldNames) -> Iterator[ProblemSample]:
    for number, record in read_records(path):
        given: dict[str, Any] = record if isinstance(record, dict) else {}
        fields, label = read_fields(given, named), given.get("class_label")
        label = int(label) if label in {"0", "1", "2"} else label  # as CSV holds it
        unread = fields.missing(Role.QUESTION)
        if unread or isinstance(label, bool) or label not in set(ProblemClass):
            raise HarnessError(f"{path}:{number}: {unread or LABELS}")
        name = str(given.get("sample_id") or given.get("variant_id") or f"{path.name}:{number}")
        group, operator = str(given.get("problem_id") or name), str(given.get("operator") or "")
        yield ProblemSample(name, group, fields.question, ProblemClass(label), "", path.name, "", operator)


def judged_item(sample: ProblemSample, answer: Mapping[str, Any]) -> metrics.JudgedItem:
    """Return a problem with its answer as metrics count it; without an answer, its operator is its type: found is judged unsolvable."""
    gold, said = TITLES[sample.problem_class], answer["verdict"]
    sums: dict[str, float] = {}
    if gold in _BAD and sample.operator:
        kind = f"type {sample.operator}"
        sums = {f"{kind} n": 1, f"{kind} found": said in _BAD}
        sums |= {f"{kind} class n": 1, f"{kind} class right": gold == said}
    confidence = None if said is None else answer["confidence"]
    return metrics.JudgedItem(sample.problem_id, gold, said or NONE, gold == said, confidence, answer["seconds"], sums)


def _share_said(gold: str, *said: str) -> Callable[[metrics.OutcomeCounts], metrics.Column]:
    """Return the metric that is the share of the problems of a class of which one of some classes is said."""
    return lambda totals: metrics.ratio(
        sum((totals.cell(gold, name) for name in said), 0 * totals["n"]), totals.cell(gold, "*")
    )


_BAD = (TITLES[ProblemClass.CONTRADICTORY], TITLES[ProblemClass.UNDERSPECIFIED])
MEASURES = metrics.Measures(
    {
        "accuracy": ("n", metrics.share_of("right", "n")),
        "macro_f1": ("n", metrics.macro_f1),
        "unsolvable_f1": ("n", lambda totals: metrics.f1(totals, *_BAD)),
        "false_alarms": ("n", _share_said(TITLES[ProblemClass.SOLVABLE], *_BAD)),
        **{f"recall_{name}": ("n", _share_said(name, name)) for name in _BAD},
        "calibration_error": ("n", metrics.calibration_error),
        "brier": ("n", metrics.share_of("square", "stated")),
    },
    tuple(TITLES.values()),
    (*TITLES.values(), NONE),
)
"""A problem that was not judged counts as wrong, and not as a false alarm."""


@dataclass(frozen=True, slots=True)
class ProblemRun(EngineRun[ProblemSample]):
    """The run of validators over problems."""

    items_file: ClassVar[str] = "problems.jsonl"
    prefix: ClassVar[str] = "judgements-"
    measures: ClassVar[metrics.Measures] = MEASURES

    settings: ProblemEngineSettings

    def opened(self, name: str, samples: Sequence[ProblemSample]) -> OpenedEngine[ProblemSample]:
        """Return the engine of a name; `majority` gives each problem the commonest class."""
        if name == MAJORITY:
            counts = Counter(sample.problem_class for sample in samples)
            commonest = max(counts, key=lambda problem_class: (counts[problem_class], problem_class))
            guess = ProblemJudgement(commonest, counts[commonest] / len(samples), "Most problems are of this class.")
            return OpenedEngine(lambda part: [guess] * len(part))
        if name not in set(ProblemEngine):
            raise HarnessError(f"engine {name[:60]!r}: expected one of {', '.join((MAJORITY, *ProblemEngine))}")
        engine = open_problem_engine(ProblemEngine(name), self.settings)
        return OpenedEngine(lambda part: engine.judge([sample.question for sample in part]), engine.at_once)

    @staticmethod
    def judged_items(items: Sequence[EvaluationItem[ProblemSample]], answers: Answers) -> list[metrics.JudgedItem]:
        """Return items with their answers as metrics count them."""
        return [judged_item(item.sample, answers[item.key]) for item in items]
