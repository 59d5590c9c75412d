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
"""One problem in five is held out of every fit."""
STRIPPED = 12
"""One solvable problem in twelve is also fitted without its question and without its numbers."""
PRIOR = {ProblemClass.SOLVABLE: 0.5, ProblemClass.CONTRADICTORY: 0.25, ProblemClass.UNDERSPECIFIED: 0.25}
EVENNESS = 0.75
"""An operator's weight in its class is its count to this power: 1 follows the counts, 0 weighs all operators equally."""
BATCH = 256
MOST_PROBLEMS = 1_000
"""The most problems of a fit; more do not change the weights of so few features."""


def is_held_out(problem_id: str) -> bool:
    """Tell whether a problem is held out for measuring combiners; its variants are held out with it."""
    return _draw("held out", problem_id.partition(":")[0]) % HELD_OUT == 0


def _draw(purpose: str, name: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{purpose}:{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _ticket(problem_id: str) -> int:
    return _draw("fitted", problem_id)


def problems_of(materials: Iterable[Sample | ProblemSample | SkippedRecord]) -> Iterator[ProblemSample]:
    """Yield the problems among the materials of a source."""
    return (material for material in materials if isinstance(material, ProblemSample))


def stripped_copies(sample: ProblemSample) -> Iterator[tuple[str, str]]:
    """Yield a problem without its question, and without its sentences that hold numbers, each with the name of the copy.

    No copy has an answer. A copy without text is left out.
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
    """Return question, class and operator of the samples, and of stripped copies of some solvable ones."""
    rows = [
        (sample.question, sample.problem_class, f"{sample.operator}{' twin' if sample.twin else ''}")
        for sample in samples
    ]
    for sample in samples:
        if sample.operator == "original" and _draw("stripped", sample.sample_id) % STRIPPED == 0:
            rows += [(text, ProblemClass.UNDERSPECIFIED, name) for text, name in stripped_copies(sample)]
    return rows


def features_of(questions: Sequence[str], scorer: ProblemScorer | None = None) -> list[dict[str, float]]:
    """Return the features of raw texts, in order; evidence that needs a model is read only with a scorer."""
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

    Within a class, rare operators weigh more than their share. A near-twin counts as an operator of its own, so that its
    wording does not become evidence for the class of its variant.
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
