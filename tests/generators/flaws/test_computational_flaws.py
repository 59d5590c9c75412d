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


def test_an_explanation_has_the_calculation_and_the_wrong_result() -> None:
    """An explanation works the step out and names the result that is wrong; the correction is the correct line."""
    made = [flaw for flaw in flaws(worded(SHOP, FIRST, SECOND)) if flaw.label.line == "L1"]
    assert made
    for flaw in made:
        wrong = format_value(flaw.trace.values["cost"])
        assert flaw.label.error_details.explanation.endswith(f": 12 * 3 = 36, not {wrong}.")
        assert flaw.label.error_details.correction == "The cans cost 12 * $3 = $<<12*3=36>>36"


PAYS = SHOP.replace("# L1\n", "# L2\n").replace("# L2\npaid", "# L3\npaid")
LIMITED = SHOP.replace("paid = 50 # paid", "limit = 36 # limit\npaid = 50 # paid")
UNREAD = SHOP.replace("change = paid - cost", "change = paid - price")
BESIDE = "The change is ${paid} - ${price} = $<<{paid}-{price}={change}>>{change}"


@cases(
    ("code", "lines", "label", "reason"),
    [
        (SHOP, (FIRST, SECOND), "L1", FlawDiscardReason.NEGATIVE),
        (SHOP, ("The cans cost a lot", SECOND), "L1", FlawDiscardReason.NOT_STATED),
        (SHOP, ("The cans cost {cost} dollars for {cans} cans", SECOND), "L1", FlawDiscardReason.NO_EQUATION),
        (PAYS, ("She has to pay {cost} dollars, because:", FIRST, SECOND), "L2", FlawDiscardReason.EARLIER),
        (LIMITED, (FIRST, f"{SECOND}, with 36 as the limit"), "L1", FlawDiscardReason.STALE),
        (UNREAD, (FIRST, BESIDE), "L1", FlawDiscardReason.SAME_ANSWER),
    ],
)
def test_what_gives_no_flaw_is_discarded(
    code: str, lines: tuple[str, ...], label: str, reason: FlawDiscardReason
) -> None:
    """With the reason; only a cost above the amount paid, which makes the change negative, leaves other slips of its line."""
    made = slips(worded(code, *lines))
    assert reason in {slip.discard for slip in made if isinstance(slip, DiscardedFlaw) and slip.line == label}
    assert reason is FlawDiscardReason.NEGATIVE or label not in {
        slip.label.line for slip in made if isinstance(slip, Flaw)
    }


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
