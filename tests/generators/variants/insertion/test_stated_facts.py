"""Tests of stated facts and limits: their numbers stand where the facts say, and bounds say what the words say."""

from random import Random

from generators.flaws.solution.example_solutions import example_source
from generators.variants.insertion.quantity_statements import WrittenSentence
from generators.variants.insertion.stated_facts import StatedNumber, limited_variants, stated_variants
from generators.variants.variant_operator import VARIANT_OPERATORS
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Fact, ProblemClass
from harness.domain import Exact
from harness.text.numbers import LIMIT_WORDS, LimitSide, limit_side
from tests.cases import cases

CODE = (
    "# L1\nboxes = 4 # 4 boxes\nsize = 12 # 12 pens a box\nmade = boxes * size\n"
    "# L2\nlost = 9 # 9 pens lost\nleft = made - lost"
)
QUESTION = "Mia has 4 boxes. Each box holds 12 pens. She lost 9 pens. How many pens has she left?"
SUBJECT = VariantSubject(example_source(CODE, QUESTION))


def number(value: Exact, words: str) -> StatedNumber:
    """Return a number in the words `She has # pens.`."""
    before, _, after = words.partition("#")
    text = f"{before}{value}{after}"
    return StatedNumber(value, WrittenSentence(text, len(before), len(text) - len(after)))


def told(proposal: VariantProposal) -> dict[str, str]:
    """Return what stands at the spans of the facts of a proposal."""
    return {fact.name: proposal.text[slice(*fact.span)] for fact in proposal.system.facts if fact.span}


def test_facts_move_with_what_is_put_in() -> None:
    """Each fact's span, the new one's too, is where its number stands in the edited text; its words are that sentence."""
    after = SUBJECT.question.sentences[0]
    wrong, right = number(46, "She has # pens."), number(48, "She has # pens.")
    variant, twin = stated_variants(SUBJECT, "stated_quantity", "stated:made", after, wrong=wrong, right=right)
    assert told(variant) == {"fact:boxes": "4", "fact:size": "12", "fact:lost": "9", "stated:made": "46"}
    assert told(twin)["stated:made"] == "48"
    assert "She has 46 pens" in variant.system.constraints["stated:made"].words
    assert twin.twin == variant.text


@cases("side", list(LimitSide))
def test_a_limit_is_broken_in_the_variant_and_kept_in_its_twin(side: LimitSide) -> None:
    """A made quantity of 48 is above 46 and below 50; exact evaluation agrees with the words."""
    words = f"She has {LIMIT_WORDS[side][0]} # pens."
    low, high = number(46, words), number(50, words)
    wrong, right = (low, high) if side is LimitSide.MOST else (high, low)
    after = SUBJECT.question.sentences[1]
    variant, twin = limited_variants(SUBJECT, "stated_limit", "made", after, side, wrong=wrong, right=right)
    assert variant.problem_class is ProblemClass.CONTRADICTORY
    assert variant.system.violated(variant.system.complete()) is variant.system.constraints[f"{side}:made"]
    assert twin.system.violated(twin.system.complete()) is None
    limit = next(fact for fact in variant.system.facts if fact.name == "limit:made")
    assert limit.span is not None
    assert limit_side(variant.text, limit.span[0]) is side


def test_fewer_stands_before_things_alone() -> None:
    """`The number of pens is less than 46`, where no things stand behind the number."""
    operator = VARIANT_OPERATORS.require("stated_limit")
    example = operator.examples[0]
    subject = VariantSubject(example_source(example.code, example.question))
    made = [variant for seed in range(30) for variant in operator.variants(subject, Random(seed))]
    texts = {variant.text for variant in made if isinstance(variant, VariantProposal)}
    assert any(" is less than " in text for text in texts)
    assert not any(" fewer than " in text for text in texts)


@cases("name", ["stated_limit", "stated_quantity"])
def test_a_need_is_contradicted_by_less_alone(name: str) -> None:
    """Who needs 48 pens may need more for what nobody tells; `at least 51 are needed` contradicts nothing."""
    code = (
        "# L1\nboxes = 4 # 4 boxes\nsize = 12 # 12 pens\nThe_number_of_pens_needed = boxes * size\n"
        "# L2\nprice = 3 # 3 dollars\ncost = The_number_of_pens_needed * price"
    )
    subject = VariantSubject(
        example_source(code, "Ann needs 12 pens for each of 4 boxes. A pen costs $3. What do the pens cost?")
    )
    stated = [
        proposal.system.constraints[clash]
        for seed in range(20)
        for proposal in VARIANT_OPERATORS.require(name).variants(subject, Random(seed))
        if isinstance(proposal, VariantProposal) and proposal.problem_class is ProblemClass.CONTRADICTORY
        for clash in proposal.clash[:1]
    ]
    values = {fact.value for fact in stated if isinstance(fact, Fact)}
    assert values
    assert max(values) < 48
