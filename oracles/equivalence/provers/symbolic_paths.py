"""Symbolic execution of a program: its paths over open inputs, with conditions, divisors and value."""

from dataclasses import dataclass, field
from fractions import Fraction

from harness.program.evaluation.evaluator import Evaluator
from harness.program.evaluation.values import COMPARISONS, RATIONAL, Operand, Term, open_input, subterms
from harness.program.ir import Program
from harness.program.refusal import ProgramError, Refusal, RefusalReason

MOST_PATHS = 24
MOST_DECISIONS = 12
NO_NUMBER = "no number"
NO_RESULT = "no result"
_KEEP_INTS = {"+", "-", "*", "//", "%", "abs", "min", "max", "round"}


@dataclass(frozen=True, slots=True)
class SymbolicPath:
    """One way through a program: where `conditions` hold it divides by `divisors` and gives `value` or raises `error`.

    The error of a result that is no number, such as a text, is `NO_NUMBER`; such results are not compared. That of `None`
    is `NO_RESULT`: it is no value, as an exception is none. `bounds` are those of its loops: the path is what the program
    does where they are ints. `rational` tells that the value is made of field operations only.
    """

    conditions: tuple[tuple[Term, bool], ...]
    divisors: tuple[Term, ...]
    value: Operand | None
    error: str | None = None
    bounds: tuple[Operand, ...] = ()
    rational: bool = False


@dataclass(slots=True)
class _Walk:
    """The decisions taken on one path: the prescribed ones first, then always true."""

    prescribed: list[bool]
    taken: list[tuple[Term, bool]] = field(default_factory=list)

    def decide(self, condition: Term) -> bool:
        for known, choice in self.taken:
            if known is condition:
                return choice
        if len(self.taken) >= MOST_DECISIONS:
            raise Refusal(RefusalReason.BUDGET, f"more than {MOST_DECISIONS} conditions on open inputs")
        choice = self.prescribed[len(self.taken)] if len(self.taken) < len(self.prescribed) else True
        self.taken.append((condition, choice))
        return choice


def paths_of(program: Program, frozen: frozenset[int] = frozenset()) -> tuple[SymbolicPath, ...]:
    """Return the paths of a program on open inputs, the frozen ones at their defaults; more than twenty-four, or a loop of open length, are a `Refusal`."""
    inputs = [
        parameter.value if index in frozen else open_input(index) for index, parameter in enumerate(program.parameters)
    ]
    found: list[SymbolicPath] = []
    pending: list[list[bool]] = [[]]
    while pending:
        prescribed = pending.pop()
        walk = _Walk(prescribed)
        divisors: list[Term] = []
        evaluator = Evaluator(program, inputs, decide=walk.decide, on_division=divisors.append)
        value: Operand | None = None
        error: str | None = None
        try:
            result = evaluator.run()
        except ProgramError as raised:
            error = raised.name
        else:
            if _is_no_number(result):
                error = NO_RESULT if result is None else NO_NUMBER
            else:
                value = result
        pending.extend(
            [*[choice for _, choice in walk.taken[:place]], False] for place in range(len(prescribed), len(walk.taken))
        )
        rational = value is not None and all(term.operator in RATIONAL for term in subterms(value))
        found.append(SymbolicPath(tuple(walk.taken), tuple(divisors), value, error, tuple(evaluator.bounds), rational))
        if len(found) + len(pending) > MOST_PATHS:
            raise Refusal(RefusalReason.BUDGET, f"more than {MOST_PATHS} paths")
    return tuple(found)


def _is_no_number(result: object) -> bool:
    """Tell whether a result is a truth value, which Python would not show as a number, or no number at all; a `Refusal` where it may be either."""
    if not isinstance(result, Term):
        return isinstance(result, bool) or not isinstance(result, int | Fraction)
    if result.operator in {"min", "max"} and _may_be_truth(result):
        raise Refusal(RefusalReason.UNSUPPORTED, "a result that may be a truth value")
    return _may_be_truth(result)


def _may_be_truth(operand: Operand) -> bool:
    if not isinstance(operand, Term):
        return isinstance(operand, bool)
    return operand.operator in COMPARISONS or (
        operand.operator in {"min", "max"} and any(map(_may_be_truth, operand.arguments))
    )


def stays_int(operand: Operand, ints: frozenset[int]) -> bool:
    """Tell whether a term is surely a Python int, as a loop bound must be, where the inputs `ints` are."""
    if not isinstance(operand, Term):
        return isinstance(operand, int)
    known: dict[int, bool] = {}
    for term in subterms(operand, known):
        whole = [known[id(part)] if isinstance(part, Term) else isinstance(part, int) for part in term.arguments]
        if term.operator == "input":
            known[id(term)] = term.arguments[0] in ints
        else:
            known[id(term)] = term.operator in COMPARISONS.keys() | {"ceil", "floor", "trunc"} or (
                term.operator in _KEEP_INTS and all(whole)
            )
    return known[id(operand)]
