"""The forms of changed expressions by the sentence that names the error: the change must be the one that the sentence states."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.expression_nodes import nodes
from oracles.certificates.program_edit import expression_difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from harness.domain import Exact
    from oracles.recheck.flaws.flaw_facts import FlawFacts

DAYS_OF_A_WEEK = 7
_ROUNDINGS = frozenset({"ceil", "floor", "int", "round"})
_EXTREMES = frozenset({"min", "max"})


@dataclass(frozen=True)
class ExpressionChange:
    """A changed expression: `before` and `after` are its smallest differing parts, and `steps` the expressions of the correct solution."""

    facts: FlawFacts
    whole_before: ir.Expr
    whole_after: ir.Expr

    @cached_property
    def parts(self) -> tuple[ir.Expr, ir.Expr]:
        """Return the smallest parts within which all differences lie."""
        difference = expression_difference(self.whole_before, self.whole_after)
        return difference.before, difference.after

    @property
    def before(self) -> ir.Expr:
        """Return the expression of the correct solution."""
        return self.parts[0]

    @property
    def after(self) -> ir.Expr:
        """Return the expression of the flawed solution in its place."""
        return self.parts[1]

    @cached_property
    def steps(self) -> Mapping[str, ir.Expr]:
        """Return the expressions of the correct solution by their variables."""
        return {step.variable: step.expression for step in self.facts.certificate.oracle.steps}

    def value(self, node: ir.Expr) -> Exact | None:
        """Return the value of a number or a variable, `None` of anything else."""
        match node:
            case ir.Name(name):
                return self.facts.values.get(name)
            case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
                return value
        return None

    def regroups(self) -> bool:
        """Tell whether both sides have the same inputs and the same operations, earlier steps written out."""
        return self.outline(self.whole_before) == self.outline(self.whole_after)

    def outline(self, expression: ir.Expr) -> Counter[object]:
        """Return the operations and inputs of an expression and how often it has each, earlier steps written out."""
        found: Counter[object] = Counter()
        open_nodes = [expression]
        while open_nodes and found.total() < _MOST_NODES:
            for _, node in nodes(open_nodes.pop()):
                match node:
                    case ir.Name(name) if name in self.steps:
                        open_nodes.append(self.steps[name])
                    case ir.Binary(operator, _, _):
                        found[operator] += 1
                    case ir.Name() | ir.Const():
                        found[node] += 1
        return found


_MOST_NODES = 2_000


def _operands(node: ir.Expr, operators: str) -> tuple[ir.Expr, ...]:
    """Return the two operands of an operation of one of some kinds, none of anything else."""
    match node:
        case ir.Binary(operator, left, right) if operator in operators.split():
            return left, right
    return ()


def _left_alone(operators: str) -> Callable[[ExpressionChange], bool]:
    """Return the form of an operation of which the left operand is left."""
    return lambda change: change.after in _operands(change.before, operators)[:1]


def _operand_alone(operators: str) -> Callable[[ExpressionChange], bool]:
    """Return the form of an operation of which one operand is left."""
    return lambda change: change.after in _operands(change.before, operators)


def _right_alone(operators: str) -> Callable[[ExpressionChange], bool]:
    """Return the form of an operation of which the right operand is left."""
    return lambda change: change.after in _operands(change.before, operators)[1:]


def _operator_becomes(before: str, after: str) -> Callable[[ExpressionChange], bool]:
    """Return the form of an operation whose operands, in whatever order, are joined by another sign."""

    def fits(change: ExpressionChange) -> bool:
        old, new = _operands(change.before, before), _operands(change.after, after)
        return bool(old) and Counter(old) == Counter(new) and _sign(change.before) != _sign(change.after)

    return fits


def _swapped(operators: str) -> Callable[[ExpressionChange], bool]:
    """Return the form of an operation whose operands change places."""

    def fits(change: ExpressionChange) -> bool:
        old, new = _operands(change.before, operators), _operands(change.after, operators)
        return bool(old) and old == new[::-1] and _sign(change.before) == _sign(change.after)

    return fits


def _sign(node: ir.Expr) -> str:
    return node.operator if isinstance(node, ir.Binary) else ""


def _regroups(change: ExpressionChange) -> bool:
    return change.regroups() and not _swapped("+ - * / // %")(change)


def _rounded_inside(node: ir.Expr) -> ir.Expr | None:
    """Return the operand that an expression rounds, `None` where it rounds nothing."""
    match node:
        case ir.Call(function, (inside, *_), _) if function in _ROUNDINGS:
            return inside
        case ir.Binary("//", left, right):
            return ir.Binary("/", left, right)
    return None


def _rounded_otherwise(change: ExpressionChange) -> bool:
    inside = _rounded_inside(change.before)
    return inside is not None and _rounded_inside(change.after) == inside


def _not_rounded(change: ExpressionChange) -> bool:
    inside = _rounded_inside(change.before)
    match change.after:
        case ir.Call("round", (still, ir.Const(int() as places)), ()) if places > 0:
            return inside == still
    return inside == change.after


def _other_extreme(change: ExpressionChange) -> bool:
    match change.before, change.after:
        case ir.Call(old, arguments, _), ir.Call(new, others, _):
            return {old, new} == _EXTREMES and arguments == others
    return False


def _every_day(change: ExpressionChange) -> bool:
    return isinstance(change.before, ir.Name) and change.after == ir.Const(DAYS_OF_A_WEEK)


def _uncapped(change: ExpressionChange) -> bool:
    """Tell whether a total is read in the place of a limit that another step takes off it."""
    taken = ir.Binary("-", change.after, change.before)
    return isinstance(change.before, ir.Name) and taken in change.steps.values()


def _combined(change: ExpressionChange) -> bool:
    less = [ir.Binary("-", part, ir.Const(1)) for part in _operands(change.before, "+")]
    return change.after in less or _operator_becomes("+", "* -")(change)


def _split(change: ExpressionChange) -> bool:
    parts = _operands(change.after, "+")
    return _sign(change.before) == "/" and bool(parts) and all(_sign(part) == "/" for part in parts)


def _factored(change: ExpressionChange) -> bool:
    return _sign(change.before) in {"+", "-"} and _sign(change.after) == "*"


def _moved(change: ExpressionChange) -> bool:
    return _operator_becomes("-", "+")(change) or _operator_becomes("+", "-")(change)


def _distributed(change: ExpressionChange) -> bool:
    return _regroups(change) or _right_alone("*")(change)


def _lost_minus(change: ExpressionChange) -> bool:
    match change.before:
        case ir.Binary("*", ir.Unary("-", ir.Const(1)) | ir.Const(-1), right):
            return change.after == right
    return False


def _again(change: ExpressionChange) -> bool:
    """Tell whether an operation is done once more."""
    return change.before in _operands(change.after, "* /")[:1]


def _converted_in_part(change: ExpressionChange) -> bool:
    return _sign(change.before) in {"*", "/"} and _sign(change.after) in {"+", "-"}


def _constant(change: ExpressionChange) -> bool:
    return isinstance(change.before, ir.Name | ir.Const) and isinstance(change.after, ir.Const)


def _point_moved(change: ExpressionChange) -> bool:
    """Tell whether a share is read with its point in another place."""
    share, wrong = change.value(change.before), change.after.value if isinstance(change.after, ir.Const) else None
    if share is None or isinstance(wrong, bool) or not isinstance(wrong, int | Fraction) or not 0 < share < 1:
        return False
    return wrong in {share * 10, Fraction(share) / 10, Fraction(share) / 100}


def _hundredths(change: ExpressionChange) -> bool:
    if change.value(change.before) == 100:
        return isinstance(change.after, ir.Const)
    upper = _operands(change.before, "/")
    return bool(upper) and change.after == upper[0] and change.value(upper[1]) == 100


def _earlier(change: ExpressionChange, *, changed: bool) -> bool:
    """Tell whether a quantity is read from which the right one was worked out; `changed` where something was added to it or taken off."""
    match change.before, change.after:
        case ir.Name(now), ir.Name(old):
            own = change.steps.get(now)
            if own is None or old not in set(_read(change.steps, now)):
                return False
            return not changed or ir.Name(old) in (*_operands(own, "+"), *_operands(own, "-")[:1])
    return False


def _read(steps: Mapping[str, ir.Expr], variable: str) -> Iterator[str]:
    """Yield the variables that a step reads, and those that their steps read."""
    first = list(ir.names_in_order(steps[variable]))
    yield from first
    for name in first:
        if name in steps:
            yield from ir.names_in_order(steps[name])


def _by_two(operator: str) -> Callable[[ExpressionChange], bool]:
    """Return the form of a result that is doubled or halved."""
    return lambda change: change.whole_after == ir.Binary(operator, change.whole_before, ir.Const(2))


def _averaged(change: ExpressionChange) -> bool:
    """Tell whether a sum is divided by the number of its terms."""
    terms, open_nodes = 0, [change.whole_before]
    while open_nodes:
        inner = _operands(open_nodes.pop(), "+")
        open_nodes += inner
        terms += not inner
    return change.whole_after == ir.Binary("/", change.whole_before, ir.Const(terms))


def _repeated(operator: str) -> Callable[[ExpressionChange], bool]:
    """Return the form of an operation that is done again with an operand that the correct solution has in such an operation, or adds up before."""

    def fits(change: ExpressionChange) -> bool:
        parts = _operands(change.whole_after, operator)
        return parts[:1] == (change.whole_before,) and any(
            parts[1] in _operands(node, f"{operator} +" if operator == "-" else operator)
            for step in change.steps.values()
            for _, node in nodes(step)
        )

    return fits


def _by_formula(change: ExpressionChange) -> bool:
    """Tell whether other operations are done with the same quantities."""
    before, after = (
        {node for node in change.outline(side) if isinstance(node, ir.Name)}
        for side in (change.whole_before, change.whole_after)
    )
    misread = isinstance(change.before, ir.Name | ir.Const) and isinstance(change.after, ir.Const)
    return after <= before and (not misread or change.after == ir.Const(2))


FORMS: dict[tuple[str, str], Callable[[ExpressionChange], bool]] = {
    ("algebraic_simplification", "like_terms"): _operand_alone("+"),
    ("algebraic_simplification", "parts"): _operand_alone("+"),
    ("algebraic_simplification", "combined"): _combined,
    ("algebraic_simplification", "one_divided"): _regroups,
    ("algebraic_simplification", "one_term"): _regroups,
    ("algebraic_simplification", "factored"): _factored,
    ("algebraic_simplification", "split"): _split,
    ("algebraic_simplification", "sign"): _moved,
    ("algebraic_simplification", "coefficient"): _operator_becomes("/", "-"),
    ("algebraic_simplification", "distribution"): _distributed,
    ("algebraic_simplification", "minus"): _regroups,
    ("algebraic_simplification", "lost_minus"): _lost_minus,
    ("constraint_violation", "rounded_wrong"): _rounded_otherwise,
    ("constraint_violation", "not_rounded"): _not_rounded,
    ("constraint_violation", "chosen_wrong"): _other_extreme,
    **{("constraint_violation", group): _left_alone("-") for group in ("limit_ignored", "not_excluded", "gone", "present")},
    ("constraint_violation", "inverted"): _right_alone("-"),
    ("constraint_violation", "once"): _operand_alone("*"),
    ("constraint_violation", "too_few"): _operand_alone("+"),
    ("constraint_violation", "every_day"): _every_day,
    ("constraint_violation", "uncapped"): _uncapped,
    ("dropped_term", "term"): _operand_alone("+ -"),
    ("dropped_term", "factor"): _operand_alone("* /"),
    ("extraneous_operation", "averaged"): _averaged,
    ("extraneous_operation", "multiplied_again"): _repeated("*"),
    ("extraneous_operation", "divided_again"): _repeated("/"),
    ("extraneous_operation", "subtracted_again"): _repeated("-"),
    ("extraneous_operation", "added_again"): _repeated("+"),
    ("extraneous_operation", "doubled"): _by_two("*"),
    ("extraneous_operation", "halved"): _by_two("/"),
    ("failure_to_update_state", "changed"): lambda change: _earlier(change, changed=True),
    ("failure_to_update_state", "derived"): lambda change: _earlier(change, changed=False),
    ("operand_swap", "difference"): _swapped("-"),
    ("operand_swap", "quotient"): _swapped("/ // %"),
    **{("scoping_precedence", group): _regroups for group in ("dropped", "sign", "paired", "chain", "part", "divisor", "quotient", "early")},
    ("unit_conversion", "swap"): _operator_becomes("* /", "* /"),
    ("unit_conversion", "twice"): _again,
    ("unit_conversion", "one_part"): _converted_in_part,
    ("unit_conversion", "skip"): _operand_alone("* /"),
    ("unit_conversion", "inverted"): _swapped("/"),
    ("unit_conversion", "factor"): _constant,
    ("unit_conversion", "percent"): _point_moved,
    ("unit_conversion", "hundred"): _hundredths,
    ("wrong_formula", "mistaken"): _by_formula,
}  # fmt: skip
"""The form of a changed expression, by the operator and the name of the list of sentences."""
