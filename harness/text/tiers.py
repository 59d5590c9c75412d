"""The tier of an annotated solution: the difficulty of its arithmetic from one to five.

1 integers, only + - *; 2 decimals, no division; 3 division, no decimals; 4 decimals and division; 5 symbolic algebra. Decimals
that only the result of a calculation has do not count.
"""

import re
from functools import lru_cache

from harness.text.markup import ANNOTATION

TIERS = (1, 2, 3, 4, 5)
# A fraction (3/4) is a division; a rate between units (5 miles/hour) is none.
_DIVISION = re.compile(r"(?<![^\W\d])[\d)%]\s*+(?:/|÷)\s*+[$(]*+[\d.]|\d[a-z% ]{0,20} (?:/|÷) \$?[(\d.]", re.IGNORECASE)
# Repetitions are possessive, so that long runs of white space or digits take linear time.
_DECIMAL = re.compile(r"(?<![\d.])\d*+\.\d++")
_RESULT = re.compile(r"=\s*+\$?+\s*+(\d*+\.\d++)")
_TIMES = re.compile(r"(?:(?<=[\d)%])\s++|(?<=[\d)\s%]))[xX]\s*+(?=[\s$.]*+[\d(])")
_EQUATION_SIDE = re.compile(
    r"(?<![\w'’$])\d*+\.?+\d*+\s?\*?\s?[a-zA-Z]\s*+(?:[=+]|[-*/](?=\s*+[\d(a-zA-Z]\b))|(?:[=+*/]|-\s)\s*+\$?+\d*+\.?+\d*+[a-zA-Z](?![\w'’.]|\s?[a-z]{2})"
    r"|\d[b-hj-zB-HJ-Z](?=\s*+[=+*/-])"
)
_LET = re.compile(
    r"\b(?:[Ll]et(?:'s)?|[Cc]all|[Dd]enote|[Ss]ay|[Ss]uppose)\b[^.\n]{0,60}?[\s\"'“](?:[b-zB-HJ-Z])[\"'”]?(?=\s*+(?:=|be\b|equals?\b|represents?\b|is\b|stands?\b|[.,]))|\bequation\b"
)


@lru_cache(maxsize=1_024)
def tier_of(solution: str) -> int:
    """Return the tier of a solution in GSM8K's style, its annotations included."""
    prose = _TIMES.sub("*", ANNOTATION.sub(" ", solution))
    if _EQUATION_SIDE.search(prose) or _LET.search(prose):
        return 5
    divides = _DIVISION.search(solution) is not None
    results = set(_RESULT.findall(solution))
    decimal = any(number not in results for number in _DECIMAL.findall(solution))
    return (4 if divides else 2) if decimal else 3 if divides else 1
