"""Tests of computational flaws: one equation is false, later lines follow from it, and the explanation quotes it."""

from fractions import Fraction

from hypothesis import given, settings

from generators.flaws import enumeration
from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardReason
from generators.flaws.slip import SLIPS
from generators.flaws.solution.source_solution import FlawSource, UnfitError
from generators.flaws.text.solution_lines import read_source_text
from harness.solution.labels import ErrorType
from harness.text.number_forms import format_value
from tests.cases import cases
from tests.generators.flaws.flaw_laws import worded
from tests.generators.flaws.solution_strategies import solutions

SHOP = """
# L1
cans = 12 # 12 cans
price = 3 # price of each
cost = cans * price
# L2
paid = 50 # paid
change = paid - cost
answer = change
return answer
"""
FIRST = "The cans cost {cans} * ${price} = $<<{cans}*{price}={cost}>>{cost}"
SECOND = "The change is ${paid} - ${cost} = $<<{paid}-{cost}={change}>>{change}"


def slips(source: FlawSource) -> list[Flaw | DiscardedFlaw]:
    """Return what the slips make."""
    return list(enumeration._computational_flaws(read_source_text(source)))


def flaws(source: FlawSource) -> list[Flaw]:
    """Return the flawed solutions."""
    return [slip for slip in slips(source) if isinstance(slip, Flaw)]


@settings(max_examples=20)
@given(solutions())
def test_a_slip_changes_its_result_and_what_follows(source: FlawSource) -> None:
    """No earlier value, no input; every later one is what its step gives."""
    try:
        made = flaws(source)
    except UnfitError:
        return
    names = [entry.variable for entry in source.steps]
    for flaw in made:
        place = names.index(flaw.change.variable)
        differing = {name for name, value in source.values.items() if flaw.trace.values[name] != value}
        assert flaw.change.variable in differing <= set(names[place:])
        assert flaw.label.error_type is ErrorType.COMPUTATIONAL
        assert flaw.label.line == source.trace.by_name[flaw.change.variable].line == flaw.change.line
        assert not flaw.edits


@settings(max_examples=20)
@given(solutions())
def test_each_wrong_value_comes_once(source: FlawSource) -> None:
    """Each wrong value comes once, although several slips give it."""
    try:
        made = flaws(source)
    except UnfitError:
        return
    values = [(flaw.change.variable, flaw.trace.values[flaw.change.variable]) for flaw in made]
    assert len(values) == len(set(values))


def test_an_explanation_has_the_calculation_and_the_wrong_result() -> None:
    """An explanation works the step out and names the result that is wrong; the correction is the correct line."""
    made = [flaw for flaw in flaws(worded(SHOP, FIRST, SECOND)) if flaw.label.line == "L1"]
    assert made
    for flaw in made:
        wrong = format_value(flaw.trace.values["cost"])
        assert flaw.label.error_details.explanation.endswith(f": 12 * 3 = 36, not {wrong}.")
        assert flaw.label.error_details.correction == "The cans cost 12 * $3 = $<<12*3=36>>36"


def test_the_final_answer_follows() -> None:
    """As the last line says and as the gold answer is written."""
    found = {flaw.answer: flaw.lines for flaw in flaws(worded(SHOP, FIRST, SECOND)) if flaw.label.line == "L1"}
    assert found["15"] == (
        "The cans cost 12 * $3 = $<<12*3=35>>35",
        "The change is $50 - $35 = $<<50-35=15>>15",
    )


def test_absurd_values_are_discarded_wherever_they_come_up() -> None:
    """A cost above the amount paid makes a later value negative."""
    found = [slip for slip in slips(worded(SHOP, FIRST, SECOND)) if isinstance(slip, DiscardedFlaw)]
    negative = [discarded for discarded in found if discarded.discard is FlawDiscardReason.NEGATIVE]
    assert {discarded.detail.partition(" ")[0] for discarded in negative} == {"change"}


def test_a_result_that_its_line_does_not_state_is_discarded() -> None:
    """A result that its line does not state is discarded, because nothing would be false."""
    made = slips(worded(SHOP, "The cans cost a lot", SECOND))
    assert next((discarded.line, discarded.discard) for discarded in made if isinstance(discarded, DiscardedFlaw)) == (
        "L1",
        FlawDiscardReason.NOT_STATED,
    )
    assert {flaw.label.line for flaw in made if isinstance(flaw, Flaw)} == {"L2"}


def test_a_result_without_an_equation_is_discarded() -> None:
    """A number that stands only in words, outside an equation, is no computation."""
    made = slips(worded(SHOP, "The cans cost {cost} dollars for {cans} cans", SECOND))
    found = {discarded.discard for discarded in made if isinstance(discarded, DiscardedFlaw) and discarded.line == "L1"}
    assert (FlawDiscardReason.NO_EQUATION in found, {flaw.label.line for flaw in made if isinstance(flaw, Flaw)}) == (
        True,
        {"L2"},
    )


def test_a_value_told_before_it_is_worked_out_is_discarded() -> None:
    """A value that is told before its step is discarded, because an earlier line would have to change."""
    code = SHOP.replace("# L1\n", "# L2\n").replace("# L2\npaid", "# L3\npaid")
    source = worded(code, "She has to pay {cost} dollars, because:", FIRST, SECOND)
    found = {slip.discard for slip in slips(source) if isinstance(slip, DiscardedFlaw) and slip.line == "L2"}
    assert found >= {FlawDiscardReason.EARLIER}
    assert {flaw.label.line for flaw in flaws(source)} == {"L3"}


def test_a_number_that_may_be_the_right_value_is_discarded() -> None:
    """Of two variables with one value, later words may mean either."""
    code = SHOP.replace("paid = 50 # paid", "limit = 36 # limit\npaid = 50 # paid")
    made = slips(worded(code, FIRST, f"{SECOND}, with 36 as the limit"))
    found = {discarded.discard for discarded in made if isinstance(discarded, DiscardedFlaw) and discarded.line == "L1"}
    assert (
        FlawDiscardReason.STALE in found,
        [flaw for flaw in made if isinstance(flaw, Flaw) and flaw.label.line == "L1"],
    ) == (
        True,
        [],
    )


def test_a_value_that_no_answer_depends_on_is_discarded() -> None:
    """The answer stays the same, so nobody can be wrong."""
    code = SHOP.replace("change = paid - cost", "change = paid - price")
    source = worded(code, FIRST, "The change is ${paid} - ${price} = $<<{paid}-{price}={change}>>{change}")
    found = {slip.discard for slip in slips(source) if isinstance(slip, DiscardedFlaw) and slip.line == "L1"}
    assert found == {FlawDiscardReason.SAME_ANSWER}


@cases("name", [slip.name for slip in SLIPS])
def test_every_slip_finds_a_place(name: str) -> None:
    """On some solution, of a few, each of the eleven gives a flawed one."""
    codes = {
        "plain": SHOP,
        "fraction": "# L1\na = 0.5 # 1/2\nb = 0.25 # 1/4\nc = a + b\n# L2\nd = 240 # 240\ne = c * d\nanswer = e\nreturn answer",
        "decimals": "# L1\na = 2.5 # 2.5\nb = 4.2 # 4.2\nc = a * b\n# L2\nd = 240 # 240\ne = c + d\nanswer = e\nreturn answer",
        "large": "# L1\na = 1200 # 1200\nb = 365 # 365\nc = a + b\n# L2\nd = 240 # 240\ne = c - d\nanswer = e\nreturn answer",
    }
    sources = [
        worded(codes["plain"], FIRST, SECOND),
        worded(codes["fraction"], "{a} + {b} = {c}", "{c} * {d} = {e}", values={"a": "1/2", "b": "1/4", "c": "3/4"}),
        worded(codes["decimals"], "{a}*{b} = <<{a}*{b}={c}>>{c}", "{c}+{d} = <<{c}+{d}={e}>>{e}"),
        worded(codes["large"], "{a}+{b} = <<{a}+{b}={c}>>{c}", "{c}-{d} = <<{c}-{d}={e}>>{e}"),
    ]
    assert [flaw for source in sources for flaw in flaws(source) if flaw.operator == name]
    assert all(Fraction(flaw.plausibility.score) >= 0 for source in sources for flaw in flaws(source))
