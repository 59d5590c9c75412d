"""Tests of the soundness of UT-3: it never confirms a planted fault and never refutes a planted rewrite.

What is planted is checked here a third time: the generated code, which is ours, is run by Python itself on Fractions.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random

import pytest

from harness.domain import Parameter, Status
from harness.program.lifter import read_candidate, read_program
from oracles.alignment.parameter_matching import align
from oracles.equivalence.input_domain import domain_of
from oracles.equivalence.ladder import EquivalenceJudge
from tests.oracles.equivalence.exact_solver import compiled_solver, solver_answer
from tests.oracles.equivalence.planted.planted_pairs import PlantedPair, planted_faults, planted_rewrites

SLICE = 50
SEED = 20_241


def _judged(pair: PlantedPair) -> tuple[Status, str]:
    left, right = read_candidate(pair.left), read_candidate(pair.right)
    parameters = [() if side.program is None else side.program.parameters for side in (left, right)]
    alignments = align(parameters[0], parameters[1], pair.similarity)
    verdict = EquivalenceJudge(pair.left.problem_id).judge(left, right, alignments)
    return verdict.status, verdict.method


def _verdicts(pairs: Iterable[PlantedPair]) -> tuple[Counter[str], list[str]]:
    """Count the verdicts, and name the pairs of which the verdict is wrong."""
    counts: Counter[str] = Counter()
    told: dict[str, list[str]] = {status.name: [] for status in Status}
    for pair in pairs:
        status, method = _judged(pair)
        counts[f"{status.name} {method}"] += 1
        told[status.name].append(f"{pair.left.problem_id} ({pair.kind})")
    return counts, told["REFUTED" if pair.witness is None else "CONFIRMED"]


def _varied(pair: PlantedPair) -> list[Parameter]:
    """Return the inputs of the left side that have a partner; a refused side has none."""
    program = read_program(pair.left)
    return [] if program is None else [given for given in program.parameters if given.name in pair.names]


def _differs(pair: PlantedPair) -> bool:
    """Tell whether Python itself gives two answers at the witness, and the witness is in the inputs' domains."""
    assert pair.witness is not None
    inside = all(pair.witness[parameter.name] in domain_of(parameter) for parameter in _varied(pair))
    other = {pair.names[name]: value for name, value in pair.witness.items()}
    return inside and solver_answer(pair.solvers[0], pair.witness) != solver_answer(pair.solvers[1], other)


def _points(pair: PlantedPair, count: int) -> list[dict[str, Fraction]]:
    """Draw points of the domain, zero and ties among them."""
    varied = _varied(pair)
    random = Random(pair.left.problem_id)  # reproducible, not secret
    points = []
    while len(points) < count:
        point = {}
        for parameter in varied:
            value = Fraction(random.choice((0, 1, 2, 3, 7, 40)), random.choice((1, 1, 2, 5)))
            value = -value if random.random() < 0.1 else value
            point[parameter.name] = value if value in domain_of(parameter) else Fraction(parameter.value)
        points.append(point)
    return points


def _same(pair: PlantedPair) -> bool:
    left, right = map(compiled_solver, pair.solvers)
    return all(
        solver_answer(left, point) == solver_answer(right, {pair.names[name]: value for name, value in point.items()})
        for point in _points(pair, 12)
    )


def test_planted_pairs_are_what_they_say_in_python() -> None:
    """Python itself gives two answers at a planted fault's witness, within the domain, and the same answers on both sides of a rewrite."""
    assert [pair.left.problem_id for pair in planted_faults(SEED, SLICE) if not _differs(pair)] == []
    assert [pair.left.problem_id for pair in planted_rewrites(SEED, SLICE) if not _same(pair)] == []


def test_faults_hide_from_the_defaults() -> None:
    """A third or more of the planted faults agree at their defaults; the same seed plants the same pairs, another one others."""
    first, again, other = (list(planted_faults(seed, SLICE)) for seed in (SEED, SEED, 2))
    assert (first == again, first == other) == (True, False)
    outcomes = [(read_candidate(pair.left).outcome, read_candidate(pair.right).outcome) for pair in first]
    assert sum(bool(left and right and left.agrees(right)) for left, right in outcomes) >= SLICE / 3


@pytest.mark.parametrize("count", [12, pytest.param(5_000, marks=pytest.mark.slow)])
def test_no_planted_fault_is_confirmed(count: int, record_property: Callable[[str, object], None]) -> None:
    """Of planted faults none is CONFIRMED."""
    counts, confirmed = _verdicts(planted_faults(SEED + 2, count))
    record_property("verdicts", dict(counts))
    assert (confirmed, counts.total()) == ([], count)


@pytest.mark.parametrize("count", [25, pytest.param(5_000, marks=pytest.mark.slow)])
def test_no_planted_rewrite_is_refuted(count: int, record_property: Callable[[str, object], None]) -> None:
    """Of planted rewrites none is REFUTED, and most are CONFIRMED: those hold loops of open length far more often than real programs do."""
    counts, refuted = _verdicts(planted_rewrites(SEED + 2, count))
    record_property("verdicts", dict(counts))
    assert (refuted, counts.total()) == ([], count)
    assert sum(number for name, number in counts.items() if name.startswith("CONFIRMED")) >= 0.6 * count
