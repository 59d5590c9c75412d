"""Tests of variants and their near-twins on generated problems: the same words, as many numbers, and what one lacks the other gives."""

import re
from collections import Counter
from functools import cache
from random import Random

from generators.variants.near_twins import JOINT
from generators.variants.operators.removed_information import removed_number, removed_sentence, vague_quantity
from generators.variants.operators.stated_numbers import restated_input
from generators.variants.variant_operator import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.domain import Exact
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source

PROBLEMS = 40
OPERATORS = (removed_number, removed_sentence, vague_quantity)
PEOPLE = (("Ida", "She"), ("Ulf", "He"), ("Petra", "She"), ("Tomas", "He"))
PACKED = (("box", "boxes", "mug"), ("crate", "crates", "melon"), ("tray", "trays", "egg"), ("bag", "bags", "bean"))
OTHERS = (("candle", "candles"), ("book", "books"), ("lamp", "lamps"), ("chair", "chairs"))
NUMBERS = range(13, 98)


def problem(seed: int) -> tuple[str, str]:
    """Return the code and the question of a problem whose sentences are put together by chance; all its numbers differ."""
    random = Random(seed)
    name, pronoun = random.choice(PEOPLE)
    (box, boxes, thing), (other, others) = random.choice(PACKED), random.choice(OTHERS)
    count, each, extra, price, paid = random.sample(NUMBERS, 5)
    packs = random.choice(
        [
            f"{name} has {count} {boxes}. Each {box} holds {each} {thing}s.",
            f"{name} has {count} {boxes} with {each} {thing}s in each {box}.",
            f"There are {count} {boxes} in the cellar, and each {box} holds {each} {thing}s.",
            f"{name} carries {count} {boxes} home. Every {box} contains {each} {thing}s.",
        ]
    )
    buys = random.choice(
        [
            f"{pronoun if name in packs else name} buys {extra} {others} for ${price} each.",
            f"{name} buys {extra} {others}. A {other} costs ${price}.",
        ]
    )
    pays = random.choice([f"{name} pays ${paid} for glue.", f"{name} also spends ${paid} on glue."])
    asked = random.choice([f"If {name} adds up everything, what is the sum?", "What is the sum of all this?"])
    code = (
        f"# L1\ncount = {count}  # {count} {boxes}\neach = {each}  # each {box} holds {each} {thing}s\nall = count * each\n"
        f"# L2\nextra = {extra}  # {extra} {others}\nprice = {price}  # ${price} each\ncost = extra * price\n"
        f"# L3\npaid = {paid}  # ${paid} for glue\nspent = cost + paid\n# L4\nresult = all + spent"
    )
    return code, f"{packs} {buys} {pays} {asked}"


@cache
def families() -> tuple[tuple[VariantProposal, VariantProposal | None], ...]:
    """Return the variants of all problems, each with its near-twin, if it has one."""
    found: list[tuple[VariantProposal, VariantProposal | None]] = []
    for seed in range(PROBLEMS):
        subject = VariantSubject(example_source(*problem(seed)))
        for operator in OPERATORS:
            made = [
                result for result in operator.variants(subject, Random(seed)) if isinstance(result, VariantProposal)
            ]
            twins = {proposal.twin: proposal for proposal in made if proposal.twin is not None}
            found += [(variant, twins.get(variant.text)) for variant in made if variant.twin is None]
    return tuple(found)


def pairs() -> list[tuple[VariantProposal, VariantProposal]]:
    """Return the variants that have near-twins, and those."""
    return [(variant, twin) for variant, twin in families() if twin is not None]


def values(text: str) -> Counter[Exact]:
    """Return the numbers of a text."""
    return Counter(mention.readings[0] for mention in mentions(text))


def test_every_operator_makes_variants_and_near_twins_of_the_generated_problems() -> None:
    """The laws below hold of something."""
    made = Counter(variant.operator for variant, _ in families())
    twins = Counter(variant.operator for variant, _ in pairs())
    assert min(made[operator.name] for operator in OPERATORS) >= 20
    assert min(twins[operator.name] for operator in OPERATORS if operator is not removed_sentence) >= 5
    assert not twins[removed_sentence.name]


def test_no_number_that_went_is_left_in_any_form() -> None:
    """What a variant lacks stands nowhere in it, in digits or words, and nothing else is lacking."""
    for variant, _ in families():
        lost = {variant.subject.values[name] for name in variant.system.free}
        original = values(variant.subject.question.text)
        assert lost, variant.text
        assert lost.isdisjoint(values(variant.text)), variant.text
        assert set(values(variant.text)) >= set(original) - lost, variant.text


def test_a_near_twin_has_all_numbers_of_the_problem() -> None:
    """The number that went is said after all."""
    for _, twin in pairs():
        assert set(values(twin.text)) >= set(values(twin.subject.question.text)), twin.text
        assert twin.problem_class is ProblemClass.SOLVABLE
        assert not twin.system.free


def without_numbers(text: str) -> Counter[str]:
    """Return the words and signs of a text with every number, digits or words, hidden."""
    parts, end = list[str](), 0
    for mention in mentions(text):
        parts += [text[end : mention.start], "#"]
        end = mention.end
    return Counter(re.findall(r"\w+|[^\w\s]", "".join([*parts, text[end:]])))


def test_what_lost_a_number_has_the_words_and_as_many_numbers_as_its_near_twin() -> None:
    """With the numbers hidden, the two differ in the vague words or the limit of another number at most."""
    alike = 0
    for variant, twin in pairs():
        one, other = without_numbers(variant.text), without_numbers(twin.text)
        for sign in "#(.":
            assert one[sign] == other[sign], (variant.text, twin.text)
        alike += one == other
    assert alike > len(pairs()) / 3


def test_no_text_says_a_sentence_twice_and_each_form_has_a_sentence_less() -> None:
    """No sentence of a lacking problem is one of its others, and in near-twins, too, two sentences become one, with all their words."""
    joined = 0
    for variant, twin in families():
        own = [sentence.text for sentence in sentences_of(variant.text)]
        assert len({*own}) == len(own), variant.text
        told = twin is not None and next((edit for edit in twin.change.edits if edit.after.startswith(JOINT)), None)
        if twin is not None and told:
            assert told in variant.change.edits, (variant.text, twin.text)
            assert told.before[0] + told.before[-1] == "." + told.after[-1].upper(), told
            joined += 1
    assert joined >= 5


def test_a_contradiction_keeps_every_number_and_has_the_words_of_its_near_twin() -> None:
    """No problem is contradictory and underspecified at once; with the numbers hidden, the pair is one text."""
    count = 0
    for seed in range(PROBLEMS):
        subject = VariantSubject(example_source(*problem(seed)))
        made = [
            result for result in restated_input.variants(subject, Random(seed)) if isinstance(result, VariantProposal)
        ]
        texts = {proposal.text: proposal for proposal in made}
        for twin in (proposal for proposal in made if proposal.twin is not None):
            variant = texts[twin.twin or ""]
            assert not variant.system.free, variant.text
            assert without_numbers(variant.text) == without_numbers(twin.text)
            assert set(values(variant.text)) >= set(values(subject.question.text)), variant.text
            count += 1
    assert count > PROBLEMS / 2


@cases(
    ("clause", "twice"),
    [
        ("Ida has 14 boxes.", True),
        ("Ida has 14 boxes at home.", True),
        ("Ida has at least 14 boxes.", False),
        ("Ida has up to 14 boxes.", False),
        ("Ida has about 14 boxes.", False),
        ("Ida has room for a maximum of 14 boxes.", False),
        ("Ida has 14 boxes or more.", False),
        ("Ida has 14 boxes, give or take.", False),
        ("Ida has 14 boxes on average.", False),
        ("Ida has 12 to 14 boxes.", False),
        ("Ida has 12-14 boxes.", False),
        ("Ida has 14 dozen boxes.", False),
    ],
)
def test_only_an_exact_number_is_said_twice(clause: str, twice: bool) -> None:
    """`At least 12 boxes (exactly 14)` is no contradiction, and `about 12` beside `about 14` is none."""
    code = "# L1\nboxes = 14  # 14 boxes\neach = 37  # each holds 37 mugs\nmugs = boxes * each\n# L2\nlost = 29  # 29 mugs\nresult = mugs - lost"
    for seed in range(10):
        subject = VariantSubject(
            example_source(code, f"{clause} Each box of hers holds 37 mugs. She lost 29 mugs. How many mugs are there?")
        )
        texts = [
            result.text
            for result in restated_input.variants(subject, Random(seed))
            if isinstance(result, VariantProposal)
        ]
        assert twice or not any("(exactly 14)" in text for text in texts), texts


@cases(
    ("asked", "limits"),
    [
        ("How many mugs are left?", True),
        ("How many mugs are left at most?", False),
        ("How many mugs can Ida sell?", False),
        ("What is the maximum number of mugs?", False),
    ],
)
def test_no_limit_stands_for_a_number_where_a_bound_is_asked_for(asked: str, limits: bool) -> None:
    """Of `at most 5 boxes` of 12 mugs, 60 are the most: the answer is determined."""
    code = "# L1\nboxes = 14  # 14 boxes\neach = 37  # each holds 37 mugs\nmugs = boxes * each\n# L2\nlost = 29  # 29 mugs\nresult = mugs - lost"
    subject = VariantSubject(
        example_source(code, f"Ida has 14 boxes. Each box holds 37 mugs. She lost 29 mugs. {asked}")
    )
    made = [result for seed in range(10) for result in vague_quantity.variants(subject, Random(seed))]
    systems = [result.system for result in made if isinstance(result, VariantProposal) and result.twin is None]
    assert (
        any(
            bound.limit == "limit_of_boxes" or bound.variable == "limit_of_boxes"
            for system in systems
            for bound in system.bounds
        )
        is limits
    )
