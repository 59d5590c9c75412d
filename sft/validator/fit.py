"""Fitting of the validator's combiner: its training problems, their weights, and the problems held out for testing."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from sft.samples.problem_sample import ProblemSample
from sft.validator.case import PROBLEM_EVIDENCE, ProblemCase
from sft.validator.combiner import ProblemCombiner, fit
from sft.validator.problem_text import ProblemText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sft.datasets.sources import SkippedRecord
    from sft.samples.items import Sample
    from sft.validator.scorer import ProblemScorer

HELD_OUT = 5
"""One of so many problems is in no fit."""
STRIPPED = 12
"""Of one of so many solvable problems a copy without its question and one without its numbers is fitted too."""
PRIOR = {ProblemClass.SOLVABLE: 0.5, ProblemClass.CONTRADICTORY: 0.25, ProblemClass.UNDERSPECIFIED: 0.25}
EVENNESS = 0.75
"""The power of its number by which an operator counts within its class: 1 leaves the rare ones out, 0 makes all alike."""
BATCH = 256
MOST_PROBLEMS = 1_000
"""So many problems, drawn by lot, are enough for as many weights as there are features."""


def is_held_out(problem_id: str) -> bool:
    """Tell whether a problem is kept for seeing how good a combiner is; its variants go with it."""
    return _draw("held out", problem_id.partition(":")[0]) % HELD_OUT == 0


def _draw(purpose: str, name: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{purpose}:{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _ticket(problem_id: str) -> int:
    return _draw("fitted", problem_id)


def problems_of(materials: Iterable[Sample | ProblemSample | SkippedRecord]) -> Iterator[ProblemSample]:
    """Yield the problems among what a source holds."""
    return (material for material in materials if isinstance(material, ProblemSample))


def stripped_copies(sample: ProblemSample) -> Iterator[tuple[str, str]]:
    """Yield a problem without what it asks, and without every sentence that holds a number, each with its name.

    Neither has an answer, whatever else the text says; where nothing is left, there is none.
    """
    problem = ProblemText.of(sample.question)
    if problem.told.strip() and problem.asked.strip():
        kept = [sentence.text for sentence in problem.sentences if sentence.end <= problem.inquiry]
        if kept and not any(sentence.asks for sentence in problem.sentences if sentence.end <= problem.inquiry):
            yield " ".join(kept), "without_question"
    numbered = {number.sentence for number in problem.numbers}
    silent = [sentence.text for place, sentence in enumerate(problem.sentences) if place not in numbered]
    if silent and len(silent) < len(problem.sentences):
        yield " ".join(silent), "without_numbers"


def with_stripped(samples: Sequence[ProblemSample]) -> list[tuple[str, ProblemClass, str]]:
    """Return question, class and operator of samples, and of stripped copies of some that are solvable."""
    rows = [
        (sample.question, sample.problem_class, f"{sample.operator}{' twin' if sample.twin else ''}")
        for sample in samples
    ]
    for sample in samples:
        if sample.operator == "original" and _draw("stripped", sample.sample_id) % STRIPPED == 0:
            rows += [(text, ProblemClass.UNDERSPECIFIED, name) for text, name in stripped_copies(sample)]
    return rows


def features_of(questions: Sequence[str], scorer: ProblemScorer | None = None) -> list[dict[str, float]]:
    """Return the numbers of all evidence on raw texts, in order; what needs a model only with one."""
    features = []
    for start in range(0, len(questions), BATCH):
        batch = questions[start : start + BATCH]
        scores = [None] * len(batch) if scorer is None else scorer.score(batch)
        features += [
            PROBLEM_EVIDENCE.features_of(ProblemCase.of(question, score))
            for question, score in zip(batch, scores, strict=True)
        ]
    return features


def weights_of(kinds: Sequence[tuple[ProblemClass, str]]) -> list[float]:
    """Return weights under which half of all problems are solvable and a quarter is of each other class.

    Within a class, rare operators weigh more than they are frequent. A near-twin is a kind of its own, as what it has in
    common with the variant must not tell them apart.
    """
    counts = Counter(kinds)
    totals: Counter[ProblemClass] = Counter()
    for kind, count in counts.items():
        totals[kind[0]] += count**EVENNESS
    return [len(kinds) * PRIOR[kind[0]] * counts[kind] ** EVENNESS / totals[kind[0]] / counts[kind] for kind in kinds]


def fit_combiner(samples: Sequence[ProblemSample], scorer: ProblemScorer | None = None) -> ProblemCombiner:
    """Return a combiner fitted on the samples of at most 1,000 problems, none of them held out.

    Raises:
        HarnessError: a class has no sample.
    """
    ids = sorted({sample.problem_id for sample in samples if not is_held_out(sample.problem_id)}, key=_ticket)
    chosen = frozenset(ids[:MOST_PROBLEMS])
    rows = with_stripped([sample for sample in samples if sample.problem_id in chosen])
    weights = weights_of([(problem_class, operator) for _, problem_class, operator in rows])
    features = features_of([question for question, _, _ in rows], scorer)
    counts = Counter(problem_class.name.lower() for _, problem_class, _ in rows)
    about = {"fitted_on": dict(sorted(counts.items())), "held_out_one_problem_of": HELD_OUT}
    return fit(features, [problem_class for _, problem_class, _ in rows], weights, about=about)
