"""What went wrong in each slip of computation, in the words of a review.

The review may not import the registry of slips, and the sealed record of a flaw does not hold these words. A slip without an
entry is described by the size of its error.
"""

GENERAL_CAUSE = "the result is off by {difference}"
SLIP_CAUSES = {
    "off_by_factor_of_ten": "the result is ten times too {size}",
    "digit_transposition": "two digits changed places",
    "carry_or_borrow_forgotten": "a carry or a borrow was forgotten",
    "decimal_shift": "the decimal point is in the wrong place",
    "fraction_part_off_by_one": "a part of the fraction is off by one",
    "reciprocal": "the result is upside down",
    "reciprocal_multiplication": "multiplying and dividing were mixed up",
    "sign_slip": "plus and minus were mixed up",
}
