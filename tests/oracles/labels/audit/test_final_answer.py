"""When two numbers of a solution are one: exactly, as a percentage, and to the decimals that a line shows."""

from fractions import Fraction

from oracles.labels.audit.final_answer import same_number

NEAR_ONES = [0, 1, 9, 10, 11, 99, 100, 101, 999, 1_000, 1_001, 4_999, 5_000, 5_001, 10_000, 10_001, 99_999, 100_000]


def in_fractions(value: int, number: int) -> bool:
    """Say by fractions whether an answer, as a fraction, and a whole number of a line are one."""
    if number in {value, Fraction(value, 100), value * 100}:
        return True
    return any(
        abs(size - number) * 100 <= max(Fraction(1), size / 10) for size in (Fraction(value), Fraction(value, 100))
    )


def test_whole_numbers_are_one_by_the_rule_of_fractions() -> None:
    """Whole numbers, which are compared without fractions, are one exactly where the rule for fractions says so."""
    pairs = [(value, number) for value in NEAR_ONES for number in NEAR_ONES]
    assert [pair for pair in pairs if same_number(Fraction(pair[0]), pair[1]) is not in_fractions(*pair)] == []
    assert [pair for pair in pairs if same_number(-pair[0], Fraction(-pair[1])) and not in_fractions(*pair)] == []


def test_a_whole_answer_that_is_no_fraction_is_never_rounded() -> None:
    """An answer given as an integer is another number of a line only as a percentage."""
    assert same_number(5_000, 50)
    assert same_number(50, 5_000)
    assert not same_number(5_000, 5_001)


def test_a_decimal_is_what_a_line_shows_of_it() -> None:
    """A third of ten is the 3.33 of a line, and its whole part, but no 3.4."""
    assert same_number(Fraction(10, 3), Fraction("3.33"))
    assert same_number(Fraction(3), Fraction(10, 3))
    assert not same_number(Fraction(10, 3), Fraction("3.4"))
