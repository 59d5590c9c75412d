"""Tests of word overlap: the words that tell inputs apart match across abbreviations, numbers and order."""

from hypothesis import given, strategies as st

from harness.domain import Parameter, Provenance
from oracles.alignment.word_overlap import word_overlaps
from tests.cases import cases, rows


def inputs(*names: str) -> list[Parameter]:
    """Return inputs of equal value; a name may carry a comment, `name # comment`."""
    split = [name.partition("#") for name in names]
    return [Parameter(name.strip(), 5, "int", Provenance.QUESTION, comment.strip(), 1) for name, _, comment in split]


PAIRS = rows("""hours_saturday, hours_sunday → sat, sun | hours_saturday, hours_sunday → saturdayHours, sundayHours
week_1_pay, week_2_pay → first_week, second_week | first_number, second_number → n1, n2
bag_1st, bag_2nd → bag_one, bag_two | apples_alice, apples_bob → alice, bob | apples_alice, apples_bob → a, b
price_a, price_b → a_price # of a, b_price # of b | quantity_of_pens, quantity_of_books → pens_qty, books_qty
weeks_of_rain, hours_of_sun → wk, hr | mother_age, father_age → mom, dad
p # cups sold on Monday, q # cups sold on Friday → monday_cups, friday_cups | x, x_2 → x, x_2""")


@cases("left, right", PAIRS)
def test_inputs_that_mean_the_same_overlap_more(left: str, right: str) -> None:
    """The sum over the right partners is greater than over the exchanged ones, in both directions and in either order."""
    own, other = left.split(", "), right.split(", ")
    for first, second in ((own, other), (other, own), (own[::-1], other[::-1])):
        (straight, crossed), (crossing, parallel) = word_overlaps(inputs(*first), inputs(*second))
        assert straight + parallel > crossed + crossing, (first, second)


SILENT = rows("""p, q → u, v | length, width → x1, x2 | hours_to_finish, second_part_factor → x1, x2 | sat, sun → s1, s2
apples, apples_2 → n, m""")


@cases("left, right", SILENT)
def test_words_that_tell_nothing_do_not_overlap(left: str, right: str) -> None:
    """Neither partner is preferred where no word, abbreviation or numbering of both sides speaks for it."""
    (straight, crossed), (crossing, parallel) = word_overlaps(inputs(*left.split(", ")), inputs(*right.split(", ")))
    assert straight + parallel == crossed + crossing


WORDS = st.lists(st.sampled_from(("apples", "first", "sat", "n", "price", "of", "2", "Big", "hours")), max_size=4)
SIDES = st.lists(WORDS.map(lambda words: "_".join(["v", *words])), min_size=1, max_size=3, unique_by=str.lower)


@given(SIDES, SIDES)
def test_overlaps_are_symmetric_and_bounded(left: list[str], right: list[str]) -> None:
    """The overlap of two inputs is the same from either side, and between 0 and 1; two of one name overlap fully."""
    there, back = word_overlaps(inputs(*left), inputs(*right)), word_overlaps(inputs(*right), inputs(*left))
    for row, name in enumerate(left):
        for column, other in enumerate(right):
            assert there[row][column] == back[column][row]
            assert 0 <= there[row][column] <= 1
            assert name.lower() != other.lower() or there[row][column] == 1
