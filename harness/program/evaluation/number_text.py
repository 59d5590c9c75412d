"""The numbers that Python reads from text, exactly: `int`, `float` and `Fraction` of a text."""

import re
from fractions import Fraction

from harness.program.evaluation.limits import LARGEST_EXPONENT, LONGEST_NUMERAL
from harness.program.evaluation.number_kinds import Ratio
from harness.program.refusal import ProgramError, Refusal, RefusalReason

_DIGITS = r"\d(?:_?\d)*"
_FLOAT = re.compile(
    rf"[+-]?(?:{_DIGITS}\.?(?:{_DIGITS})?|\.{_DIGITS})(?:e(?P<exponent>[+-]?{_DIGITS}))?", re.IGNORECASE | re.ASCII
)
_EXPONENT = re.compile(r"e([+-]?[\d_]+)\s*\Z", re.IGNORECASE)
_NOT_FINITE = re.compile(r"[+-]?(?:inf(?:inity)?|nan)", re.IGNORECASE)


def _checked(text: str, function: str) -> None:
    """Refuse text that takes too long to read, or whose digits are not those of ASCII."""
    if len(text) > LONGEST_NUMERAL:
        raise Refusal(RefusalReason.BUDGET, f"{function} of a text of {len(text):,} characters")
    if not text.isascii():
        raise Refusal(RefusalReason.UNSUPPORTED, f"{function} of a text with characters other than ASCII")
    match = _EXPONENT.search(text)
    if match is not None and abs(int(match[1].replace("_", "") or "0")) > LARGEST_EXPONENT:
        raise Refusal(RefusalReason.UNSUPPORTED, f"{function}({text[:20]!r}) is out of range")


def _invalid(function: str, text: str) -> ProgramError:
    return ProgramError("ValueError", f"{function}({text[:20]!r})")


def int_of_text(text: str, base: int = 10) -> int:
    """Return `int(text, base)`."""
    _checked(text if base == 10 else "", "int")
    if len(text) > LONGEST_NUMERAL:
        raise Refusal(RefusalReason.BUDGET, f"int of a text of {len(text):,} characters")
    try:
        return int(text, base)
    except ValueError:
        raise _invalid("int", text) from None


def float_of_text(text: str) -> Fraction:
    """Return the exact value of the digits in `float(text)`."""
    stripped = text.strip()
    _checked(stripped, "float")
    if _NOT_FINITE.fullmatch(stripped):
        raise Refusal(RefusalReason.UNSUPPORTED, f"float({text[:20]!r}) is no number")
    if _FLOAT.fullmatch(stripped) is None:
        raise _invalid("float", text)
    return Fraction(stripped.replace("_", ""))


def ratio_of_text(text: str) -> Ratio:
    """Return `Fraction(text)`."""
    _checked(text, "Fraction")
    try:
        return Ratio(Fraction(text))
    except ValueError:
        raise _invalid("Fraction", text) from None
    except ZeroDivisionError:
        raise ProgramError("ZeroDivisionError", f"Fraction({text[:20]!r})") from None
