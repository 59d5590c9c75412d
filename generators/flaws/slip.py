"""Slips of computation: their registry, the wrong values that they propose for a result, and the digits of written numbers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from harness.domain import Exact
from harness.registry import Registry
from harness.text.number_forms import PLAIN, NumberForm, NumberKind
from harness.text.numbers import whole_as_int

MOST_VALUES = 6
_DIGITS = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class Digits:
    """The digits of a written number, read as one whole number, of which the last `places` are decimals.

    `scale` is 100 where hundredths were written (`25%`), negative where the number has a minus sign.
    """

    number: int
    places: int = 0
    scale: int = 1

    def value(self, number: int, places: int | None = None) -> Exact:
        """Return the value of other digits in this place."""
        return whole_as_int(Fraction(number, 10 ** (self.places if places is None else places) * self.scale))

    @property
    def whole(self) -> int | None:
        """Return the number without decimals, `None` if it has some other than zeros."""
        whole, decimals = divmod(self.number, 10**self.places)
        return None if decimals else whole


@dataclass(frozen=True, slots=True)
class ComputedResult:
    """A result on its line: its value, how it is written there, and what it was computed from.

    `operator` and `operands` are those of the outermost operation, empty where the expression is not one of two operands.
    """

    value: Exact
    form: NumberForm = PLAIN
    operator: str = ""
    operands: tuple[Exact, ...] = ()
    variable: str = ""

    @property
    def digits(self) -> Digits:
        """Return the digits of the result as it is written, words counted as the digits they stand for; those of 0 for fractions."""
        form = self.form
        scaled = Fraction(self.value) * form.scale
        scale = -form.scale if self.value < 0 else form.scale
        if form.kind is NumberKind.NUMERAL:
            parts = (form.write(self.value) or "").partition(".")
            whole, _, decimals = ("".join(character for character in part if character in _DIGITS) for part in parts)
            return Digits(int(f"0{whole}{decimals}"), len(decimals), scale)
        if form.kind is NumberKind.FRACTION or scaled.denominator != 1:
            return Digits(0)
        return Digits(abs(scaled.numerator), 0, scale)


@dataclass(frozen=True, slots=True)
class SlipExample:
    """The wrong values of a slip for a result, in order."""

    computed: ComputedResult
    wrong: tuple[Exact, ...]


def _example(text: str) -> SlipExample:
    calculation, _, wrong = text.partition(":")
    *operation, value = [term for term in calculation.split() if term != "="]
    computed = ComputedResult(_number(value))
    if operation:
        left, operator, right = operation
        computed = replace(computed, operator=operator, operands=(_number(left), _number(right)))
    return SlipExample(computed, tuple(map(_number, wrong.split())))


def _number(text: str) -> Exact:
    return whole_as_int(Fraction(text))


@dataclass(frozen=True, slots=True)
class Slip:
    """A registered slip.

    `propose` yields the wrong values in order, the likeliest first; a value that several slips propose belongs to the one of
    the lowest `rank`, the most telling one. `cause` says what happened.
    """

    name: str
    rank: int
    cause: str
    propose: Callable[[ComputedResult], Iterable[Exact]]
    examples: tuple[SlipExample, ...]


SLIPS: Registry[Slip] = Registry("generators.flaws.slips")


def slip(
    name: str, *examples: str, rank: int, cause: str
) -> Callable[[Callable[[ComputedResult], Iterable[Exact]]], Slip]:
    """Register a function that yields wrong values for a result; of its examples, `58 + 37 = 95: 85` has one, `95:` none."""
    return lambda propose: SLIPS.add(Slip(name, rank, cause, propose, tuple(map(_example, examples))))


def wrong_values(computed: ComputedResult) -> Mapping[str, list[Exact]]:
    """Return the first few wrong values of a result by slip; the place can write each exactly, and no two read the same."""
    form = computed.form
    taken = {form.write(computed.value)}
    wrong: dict[str, list[Exact]] = {}
    for slip_type in sorted(SLIPS, key=lambda entry: (entry.rank, entry.name)):
        for value in map(whole_as_int, slip_type.propose(computed)):
            text = form.write(value)
            exact = not form.rounded or (Fraction(value) * form.scale * 10**form.places).denominator == 1
            if text is not None and text not in taken and exact and len(wrong.get(slip_type.name, ())) < MOST_VALUES:
                taken.add(text)
                wrong.setdefault(slip_type.name, []).append(value)
    return wrong


def exceeds_whole(computed: ComputedResult, wrong: Exact) -> bool:
    """Tell whether a value is no less than the quantity that it is a part of: a rest, a quotient, a share."""
    if not computed.operands or min(computed.operands) < 0:
        return False
    left, right = computed.operands
    match computed.operator:
        case "-":
            return wrong >= left
        case "/":
            return right > 1 and wrong >= left
        case "*":
            return (0 < left < 1 and wrong >= right) or (0 < right < 1 and wrong >= left)
    return False


def plausible_values(computed: ComputedResult, values: Iterable[Exact]) -> Iterator[Exact]:
    """Yield the values that are not obviously wrong: no part exceeds its whole, no sum or multiple is below a part."""
    operands = computed.operands
    counted = computed.operator == "+" or (computed.operator == "*" and min(operands) >= 1)
    least = max(operands) if counted and min(operands) >= 0 else None
    for value in values:
        if not exceeds_whole(computed, value) and (least is None or value > least):
            yield value


def trailing_zeros(number: int) -> int:
    """Return how many zeros a whole number ends in, none for zero itself."""
    return len(str(number)) - len(str(number).rstrip("0")) if number else 0


def is_round(value: Exact) -> bool:
    """Tell whether a value is a whole multiple of ten."""
    return value != 0 and value.denominator == 1 and value % 10 == 0


def is_power_of_ten(value: Exact) -> bool:
    """Tell whether multiplying by a value, or dividing by it, only moves the point: 1, 10, 0.01."""
    longer = max(value.numerator, value.denominator)
    return value > 0 and 1 in {value.numerator, value.denominator} and longer == 10 ** trailing_zeros(longer)
