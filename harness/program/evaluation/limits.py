"""The limits of an evaluation: steps, digits, nesting and lengths, beyond which a program is refused."""

MOST_STEPS = 200_000
SEARCH_STEPS = 3_000
"""The steps at one of hundreds of points: long loops at large inputs would take seconds a pair and show nothing small ones do not."""
LONGEST_LOOP = 200_000  # rounds
DEEPEST_CALL = 20
MOST_UNKNOWNS = 12
# Python shows integers of up to 4,300 digits: what is kept can be shown.
MOST_BITS = 14_000
LONGEST_NUMERAL = 1_000  # characters of a literal
