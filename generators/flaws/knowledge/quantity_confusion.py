"""The kinds of quantities, and the plausibility of confusing one with another, by unit, name, line and size."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from generators.flaws.mutation_operator import Reason
from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.trace import TraceEntry
from harness.text.lexicon import english
from harness.text.nouns import singular_noun

_LISTS = english("quantities")
_FILLERS = _LISTS.words("fillers")
FACTOR = _LISTS.pattern("factor", r"\b", r"\b")
OTHER_SIZE: Reason = ("another size", -0.3)
LONGEST_DESCRIPTION = 300
_UNKNOWN = Unit(Quantity.NUMBER)


@lru_cache(maxsize=8192)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a name or a sentence that tell it from others, in the singular."""
    words = text.lower().replace("_", " ").split()
    return frozenset(singular_noun(word.strip(".,;:?!()$'\"0123456789")) for word in words) - _FILLERS - {""}


def variable_description(entry: TraceEntry) -> str:
    """Return the name of a variable and the beginning of its comment, in lower case."""
    return f"{entry.variable.replace('_', ' ')} {entry.comment}"[:LONGEST_DESCRIPTION].lower()


def is_bare_factor(source: FlawSource, variable: str) -> bool:
    """Tell whether a variable is a bare factor, `twice as many` or `20 percent`, and no quantity of its own."""
    name = variable.replace("_", " ").lower()
    return source.units[variable].quantity is Quantity.SHARE or FACTOR.search(name) is not None


def leaves(expression: ir.Expr) -> list[ir.Name | ir.Const]:
    """Return the variables and constants of an expression, left to right, each as often as it stands there."""
    return [node for _, node in nodes(expression) if isinstance(node, ir.Name | ir.Const)]


def summands(expression: ir.Expr) -> list[ir.Expr]:
    """Return the terms that a sum adds up, left to right; an expression that is no sum is one term."""
    match expression:
        case ir.Binary("+", left, right):
            return [*summands(left), *summands(right)]
    return [expression]


def alone_on_line(source: FlawSource, variable: str) -> bool:
    """Tell whether a line of the solution works out this step and nothing else."""
    label = source.trace.by_name[variable].line
    computed = [entry for entry in source.trace.entries if entry.line == label and not entry.role.is_input]
    return label is not None and len(computed) == 1


def units_clash(unit: Unit, other: Unit) -> bool:
    """Tell whether two quantities are known to be counted in different units."""
    return not unit.fits(other) and _UNKNOWN not in {unit, other}


def variables_clash(source: FlawSource, left: str, right: str) -> bool:
    """Tell whether two variables are plainly of different kinds; a bare number clashes with nothing."""
    return len({source.units[left].quantity, source.units[right].quantity} - {Quantity.NUMBER}) == 2


def confusion_reasons(source: FlawSource, reader: str, was: str, now: str) -> list[Reason]:
    """Return the reasons for and against that a person who works out `reader` takes `now` for `was`."""
    reasons: list[Reason] = []
    old, new = source.units[was], source.units[now]
    if units_clash(old, new):
        reasons.append(("another unit", -0.4))
    elif old.noun and old.noun == new.noun:
        reasons.append(("same unit", 0.3))
    shared = words_of(was) & words_of(now)
    if shared:
        reasons.append(("named alike", 0.1 * min(3, len(shared))))
    lines = source.line_number(reader), source.line_number(now)
    if 0 not in lines and abs(lines[0] - lines[1]) <= 1:
        reasons.append(("nearby line", 0.1))
    return [*reasons, *size_reasons(source.values[was], source.values[now])]


def size_reasons(before: Exact, after: Exact) -> list[Reason]:
    """Return the reason that a value is, or is not, of the size of the right one; none in between and for zero."""
    if not before or not after:
        return []
    ratio = abs(Fraction(after) / before)
    if 1 <= 10 * ratio <= 100:
        return [("similar size", 0.1)]
    return [] if 1 <= 100 * ratio <= 10_000 else [OTHER_SIZE]


def value_reasons(before: Exact, after: Exact) -> list[Reason]:
    """Return the reasons that the size, the sign and the form of a wrong value give."""
    reasons = size_reasons(before, after)
    if after < 0 <= before:
        reasons.append(("negative", -0.5))
    if before.denominator == 1 != after.denominator:
        reasons.append(("no longer whole", -0.2))
    return reasons
