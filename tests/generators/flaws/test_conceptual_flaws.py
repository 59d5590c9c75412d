"""Tests of conceptual flaws: they read as human mistakes, and the label names the first line that shows the mistake."""

from generators.flaws import enumeration
from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardReason
from generators.flaws.mutation_operator import OPERATORS, Mutant
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.solution_lines import read_source_text
from harness.program import ir
from tests.cases import cases
from tests.generators.flaws.flaw_laws import breaches, flaws_or_none, worded

SHOP = """
# L1
apples = 12 # 12 apples
price = 3 # $3 each
cost = apples * price
# L2
paid = 50 # $50
change = paid - cost
# FA
answer = change
return answer
"""


def made(source: FlawSource, operator: str) -> list[Flaw | DiscardedFlaw]:
    """Return what an operator gives."""
    return [flaw for flaw in flaws_of(source) if flaw.operator == operator]


def test_a_value_retold_before_it_is_read_cannot_be_skipped() -> None:
    """A line between the one left out and the first step that reads it would be wrong before the labelled one."""
    source = worded(
        SHOP.replace("# L2", "# L3"),
        "They cost {apples} * {price} = <<{apples}*{price}={cost}>>{cost} dollars",
        "So of the money {cost} dollars are gone",
        "That leaves {paid} - {cost} = <<{paid}-{cost}={change}>>{change} dollars",
    )
    found = [
        (discarded.discard, discarded.detail)
        for discarded in made(source, "skipped_assignment")
        if isinstance(discarded, DiscardedFlaw)
    ]
    assert (FlawDiscardReason.EARLIER, "L2") in found
    assert not [flaw.text for flaw in flaws_or_none(source) if breaches(source, flaw)]


SHOWN = (
    "They cost {apples} * {price} = <<{apples}*{price}={cost}>>{cost} dollars",
    "That leaves {paid} - {cost} = <<{paid}-{cost}={change}>>{change} dollars",
)


def texts(source: FlawSource, operator: str) -> list[str]:
    """Return the flawed solutions of an operator."""
    return [flaw.text for flaw in made(source, operator) if isinstance(flaw, Flaw)]


def test_the_words_follow_an_operator() -> None:
    """A sum that becomes a difference is no sum any more, and what follows has the new number."""
    code = SHOP.replace("apples * price", "apples + price")
    source = worded(code, "The sum is {apples} + {price} = <<{apples}+{price}={cost}>>{cost} dollars", SHOWN[1])
    assert (
        "The difference is 12 - 3 = <<12-3=9>>9 dollars\nThat leaves 50 - 9 = <<50-9=41>>41 dollars\n#### 41"
        in texts(source, "operator_swap")
    )


def test_words_that_no_rule_knows_need_an_edit() -> None:
    """`altogether` says a sum, and nothing says the same of a difference."""
    code = SHOP.replace("apples * price", "apples + price")
    source = worded(code, "Altogether {apples} + {price} = <<{apples}+{price}={cost}>>{cost}", SHOWN[1])
    found = [flaw for flaw in made(source, "operator_swap") if isinstance(flaw, Flaw) and flaw.label.line == "L1"]
    assert found
    assert all("the words still say 'altogether'" in flaw.edits for flaw in found)


def outcome(source: FlawSource, mutant: Mutant) -> Flaw | FlawDiscardReason:
    """Return what one mutant gives."""
    flaw = enumeration._attempt(read_source_text(source), OPERATORS.require("operator_swap"), mutant)
    return flaw.discard if isinstance(flaw, DiscardedFlaw) else flaw


def test_a_line_of_two_steps_is_not_left_out() -> None:
    """A line of two steps is not left out, because the other step would be gone as well."""
    both = worded(SHOP.replace("# L2\n", ""), " and ".join(SHOWN), "So {change}")
    each = worded(SHOP, *SHOWN)
    skipped = Mutant("cost", "the cost", "the price", rewired="price")
    ended = Mutant("change", "the change", "the cost", result="cost", omitted=True)
    found = [outcome(source, mutant) for source in (both, each) for mutant in (skipped, ended)]
    assert found[:2] == [FlawDiscardReason.NOT_STATED] * 2
    assert [flaw.text.split("\n")[-1] for flaw in found[2:] if isinstance(flaw, Flaw)] == ["#### 47", "#### 36"]


@cases(
    ("mutant", "discard"),
    [
        (Mutant("cost", "*", "/", expression=ir.Binary("/", ir.Name("apples"), ir.Const(0))), FlawDiscardReason.FAILS),
        (
            Mutant("cost", "*", "/", expression=ir.Binary("/", ir.Name("apples"), ir.Const(7))),
            FlawDiscardReason.NOT_WHOLE,
        ),
        (
            Mutant("cost", "*", "+", expression=ir.Binary("*", ir.Name("paid"), ir.Name("price"))),
            FlawDiscardReason.NEGATIVE,
        ),
        (
            Mutant("cost", "*", "**", expression=ir.Binary("**", ir.Name("apples"), ir.Const(1))),
            FlawDiscardReason.NOT_SHOWN,
        ),
        (Mutant("change", "the change", "the paid", result="paid"), None),
        (Mutant("change", "the change", "the paid", result="paid", omitted=True), FlawDiscardReason.NOT_STATED),
        (
            Mutant("change", "-", "- ... + 0", expression=ir.Binary("-", ir.Name("paid"), ir.Name("cost"))),
            FlawDiscardReason.SAME_ANSWER,
        ),
    ],
)
def test_what_gives_no_flawed_solution_is_discarded(mutant: Mutant, discard: FlawDiscardReason | None) -> None:
    """With the reason: it fails, it leaves the range of its quantity, it cannot be shown, it changes nothing."""
    found = outcome(worded(SHOP, *SHOWN), mutant)
    assert (found if isinstance(found, FlawDiscardReason) else None) == discard


BORROWED = """
# L1
phone = 500 # $500
percent = 0.4 # 40%
case = phone * percent
# L2
contract = 200 # $200 a month
halves = 2
cover = contract / halves
# L3
total = phone + cover + case
# FA
answer = total
return answer
"""


def test_a_given_number_that_may_be_a_result_is_not_said_to_be_misread() -> None:
    """The 200 of the second line is given, and the first line works out 200 of the same kind: nobody knows which was meant."""
    source = worded(
        BORROWED,
        "The case is ${phone} * {percent} = $<<{phone}*{percent}={case}>>{case}",
        "The cover is ${contract} / {halves} = $<<{contract}/{halves}={cover}>>{cover}",
        "All is ${phone} + ${cover} + ${case} = $<<{phone}+{cover}+{case}={total}>>{total}",
        question="Ann buys a phone for $500, a case for 40% of that, and a contract of $200 a month. What is the total?",
    )
    lines = [
        flaw.label.line
        for name in ("input_misrepresentation", "wrong_reference_group")
        for flaw in made(source, name)
        if isinstance(flaw, Flaw)
    ]
    assert "L1" in lines
    assert "L2" not in lines


def test_no_line_states_the_old_expression_beside_the_new_annotation() -> None:
    """Where the prose has the expression once more and is not read, as before an ordinal, nothing is made of it."""
    source = worded(
        DAYS,
        "He stops on the {start} + {more} = <<{start}+{more}={last}>>{last}th day",
        "That takes {last} * {hours} = <<{last}*{hours}={spent}>>{spent} hours",
    )
    for text in texts(source, "operator_swap") + texts(source, "extraneous_operation"):
        first = text.split("\n")[0]
        shown, annotated = first.split(" = <<")[0].removeprefix("He stops on the "), first.split("<<")[1].split("=")[0]
        assert shown.replace(" ", "") == annotated


DAYS = """
# L1
start = 4 # 4 days
more = 9 # 9 more
last = start + more
# L2
hours = 3 # 3 hours
spent = last * hours
# FA
answer = spent
return answer
"""
