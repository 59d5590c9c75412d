"""The command `oracle-factory fit-validator`: its training problems, their weights, and the problems held out for testing."""

import hashlib
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from harness.constraint_system import ProblemClass
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from sft.samples.items import ProblemSample
from sft.validator.problem_text import PROBLEM_EVIDENCE, ProblemText
from sft.validator.training_copies import COPIES, VAGUE, copies_of_original, inexact_copies

if TYPE_CHECKING:
    from sft.fitted.model import FittedModel

HELD_OUT = 5
"""One problem in five is held out of every fit."""
COPIED = 2
"""One original in two is also fitted in copies that are edited so that they have no answer."""
PRIOR = {ProblemClass.SOLVABLE: 0.7, ProblemClass.CONTRADICTORY: 0.15, ProblemClass.UNDERSPECIFIED: 0.15}
"""The shares of the classes: most problems that people ask about are solvable, and a false alarm costs more than a miss."""
CONTRADICTORY_ODDS = 1.5
"""The odds of a contradiction are multiplied by this after the fit: the least of five values at which recall is within 0.05 of what it was at 18% false alarms."""
EVENNESS = 0.75
"""An operator's weight in its class is its count to this power: 1 follows the counts, 0 weighs all operators equally."""
ORIGINAL_WEIGHT = 10
"""Problems as their authors wrote them, in units of an edited solvable problem."""
COPY_WEIGHT = 0.5
"""Copies, in units of a variant with a certificate."""
MOST_PROBLEMS = 2_000
"""The most problems of a fit; more do not change the weights of so few features."""


def is_held_out(problem_id: str) -> bool:
    """Tell whether a problem is held out for measuring combiners; its variants are held out with it."""
    return _draw("held out", problem_id.partition(":")[0]) % HELD_OUT == 0


def _draw(purpose: str, name: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{purpose}:{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest())


def with_copies(samples: Sequence[ProblemSample]) -> list[tuple[str, ProblemClass, str]]:
    """Return question, class and operator of the samples, and of edited copies of some of them that have no answer."""
    rows = [
        (sample.question, sample.problem_class, f"{sample.operator}{' twin' if sample.twin else ''}")
        for sample in samples
    ]
    originals = {sample.problem_id: sample.question for sample in samples if sample.operator == "original"}
    for sample in samples:
        rng = Random(f"copies:{sample.sample_id}")
        if sample.operator == "original":
            if _draw("copied", sample.sample_id) % COPIED == 0:
                rows += copies_of_original(sample.question, rng)
        elif sample.operator in VAGUE and sample.problem_class is ProblemClass.UNDERSPECIFIED:
            rows += inexact_copies(sample, originals, rng)
    return rows


def weights_of(kinds: Sequence[tuple[ProblemClass, str]]) -> list[float]:
    """Return weights under which the classes have the shares of `PRIOR`.

    Within a class, rare operators weigh more than their share. A near-twin counts as an operator of its own, so that its
    wording does not become evidence for the class of its variant.
    """
    counts = Counter(kinds)
    own = dict.fromkeys(COPIES, COPY_WEIGHT) | {"original": ORIGINAL_WEIGHT}
    shares = {kind: count**EVENNESS * own.get(kind[1], 1.0) for kind, count in counts.items()}
    totals: dict[ProblemClass, float] = defaultdict(float)
    for kind, share in shares.items():
        totals[kind[0]] += share
    return [len(kinds) * PRIOR[kind[0]] * shares[kind] / totals[kind[0]] / counts[kind] for kind in kinds]


def fitted_weights(samples: Sequence[ProblemSample]) -> "FittedModel":
    """Return weights fitted on the samples of at most 2,000 problems, none of them held out.

    Raises:
        HarnessError: a class has no sample.
    """
    from sft.fitted.fit import fit

    ids = sorted(
        {sample.problem_id for sample in samples if not is_held_out(sample.problem_id)},
        key=lambda problem_id: _draw("fitted", problem_id),
    )
    chosen = frozenset(ids[:MOST_PROBLEMS])
    rows = with_copies([sample for sample in samples if sample.problem_id in chosen])
    labels = [problem_class.name.lower() for _, problem_class, _ in rows]
    from sft.validator.validator import CLASSES  # takes numpy, which `--help` need not wait for

    if set(labels) != set(CLASSES):
        raise HarnessError(f"expected problems of every class, found {sorted(set(labels))}")
    weights = weights_of([(problem_class, operator) for _, problem_class, operator in rows])
    features = [PROBLEM_EVIDENCE.features_of(ProblemText.of(question)) for question, _, _ in rows]
    fitted = fit(features, labels, weights, classes=CLASSES, about={"held_out_one_problem_of": HELD_OUT})
    bias = list(fitted.bias)
    bias[CLASSES.index("contradictory")] += math.log(CONTRADICTORY_ODDS)
    return replace(fitted, bias=tuple(bias))


def fit_validator(
    run: Annotated[Path, typer.Argument(help="Run folder with a sealed variant stage.")],
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The weights to write; by default the package's own."),
    ] = None,
    without: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="JSONL whose problems are left out, such as those of an evaluation; repeatable."
        ),
    ] = None,
) -> int:
    """Fit the weights of the validator on variants.

    A fifth of the problems is held out.

    Example: oracle-factory fit-validator runs/latest -o validator.json
    """
    from sft.datasets.sources import RunSource

    left_out = {name for path in without or () for name in _problems_named(path)}
    source = RunSource.of(run, ("variant",), "")
    samples = [
        sample for sample in source.read() if isinstance(sample, ProblemSample) and sample.problem_id not in left_out
    ]
    model = fitted_weights(samples)
    from sft.validator.validator import TEXT  # as above

    target = out or TEXT
    model.save(target)
    counts = dict(sorted(model.about["counts"].items()))
    sys.stdout.write(f"{target}: {len(model.names)} features, {counts}\n")
    return 0


def _problems_named(path: Path) -> Iterator[str]:
    """Yield the ids of the problems in the records of a file.

    Raises:
        HarnessError: the file cannot be read, or a record has no `problem_id`.
    """
    for number, record in read_records(path):
        if not isinstance(record, dict) or not isinstance(record.get("problem_id"), str):
            raise HarnessError(f"{path}:{number}: expected a record with 'problem_id'")
        yield record["problem_id"].partition(":")[0]
