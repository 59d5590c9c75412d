"""Tests of part-whole relations: whole, parts and rest are recognised only where a question states all three."""

from fractions import Fraction

from hypothesis import given, strategies as st

from generators.variants.question.input_places import read_question
from generators.variants.question.part_whole import other_shares, share_otherwise, splits_of
from harness.text.numbers import mentions
from tests.cases import cases


def split(text: str) -> list[tuple[str, list[str]]]:
    """Return what a text splits: the noun, and its numbers in order."""
    return [(found.noun, [mention.text for mention in found.mentions]) for found in splits_of(read_question(text, ()))]


@cases(
    ("text", "found"),
    [
        ("Ann has 9 pens. 4 of them are red and the other 5 are blue.", ("pens", ["9", "4", "5"])),
        (
            "Ann has nine fish tanks. 4 of the tanks leak. The other five tanks do not.",
            ("tanks", ["nine", "4", "five"]),
        ),
        ("Two of the 5 cars are red. The three other cars are green.", ("cars", ["Two", "5", "three"])),
        ("Ann had 20 pens, gave 3 to Tom, lost 5 and sold the remaining 12 pens.", ("pens", ["20", "3", "5", "12"])),
        ("Ann sold 60% of the pens and kept the other 40%.", ("", ["60%", "40%"])),
        (
            "Half of the pens are red, a third are blue and the remaining 1/6 are green.",
            ("", ["Half", "a third", "1/6"]),
        ),
        (
            "One-third of the pens are red, 1/3 are blue, and the remaining third is hers.",
            ("", ["One-third", "1/3", "third"]),
        ),
        ("20% of the pens are red, 30% are blue and the remaining half are green.", ("", ["20%", "30%", "half"])),
    ],
)
def test_a_whole_and_all_its_parts_are_found(text: str, found: tuple[str, list[str]]) -> None:
    """`other` and `remaining` tie the rest to a whole, and the numbers must make it."""
    assert split(text) == [found]


@cases(
    "text",
    [
        "Ann has 9 pens. 4 of them are red and the other 6 are blue.",
        "Ann has 9 pens. 4 of the boys are tall and the other 5 are not.",
        "Ann has 9 pens. 4 of them are red and the other 5 boys are not.",
        "Ann has 9 pens. 4 of them are red. 5 are blue.",
        "Ann has 9 pens. She pays $4 and keeps the other 5.",
        "Ann sold 60% of the pens and 40% of the remaining ones.",
        "Ann read for half an hour and rested for the other half.",
        "Ann is half as tall as Tom. The other half of the class is taller.",
        "60% of the pens are red. Tom came. Then he left. He kept the other 40%.",
        "There are 5 jars. Ann tells 5 of her friends to come. 3 of them take one, and the other 2 wait.",
    ],
)
def test_what_may_be_something_else_is_not_found(text: str) -> None:
    """Other sums, other things, money, shares of something else, what stands too far away, and a number behind a nearer one of its value."""
    assert split(text) == []


@given(st.integers(2, 40), st.integers(2, 40), st.integers(-3, 3))
def test_only_numbers_that_make_the_whole_are_a_split(part: int, rest: int, error: int) -> None:
    """The arithmetic of the original is exact."""
    text = f"Ann has {part + rest + error} pens. {part} of them are red and the other {rest} are blue."
    assert bool(split(text)) == (error == 0)


def test_a_share_is_written_the_other_way() -> None:
    """Signs become words and words signs, as far as the sentence still reads."""
    question = read_question("Ann sold 60%, half of them, 40 percent, 2/3, one-third; half the pens.", ())
    written = [share_otherwise(question, mention, Fraction(1, 5)) for mention in question.mentions]
    assert written == ["20 percent", "20%", "20%", "one-fifth", "1/5", None]


@given(st.integers(1, 99))
def test_other_shares_are_shares(percent: int) -> None:
    """None is the right one, nothing, all or more."""
    (mention,) = mentions(f"{percent}%")
    values = other_shares(mention)
    assert values
    assert mention.readings[0] not in values
    assert all(0 < value < 1 for value in values)
