"""Equality of two mathematical expressions by math-verify, in a copy of this process that is bounded and ended.

Source: https://github.com/huggingface/Math-Verify. What it reads of a text may be a part of it; only what both sides read as one
number without unknowns, from a text without words, is compared.
"""

import contextlib
import logging
import math
import re
from functools import cache, lru_cache
from typing import Any

from harness.limited_process import limit_memory, limited_result

LONGEST_EXPRESSION = 200
SECONDS, IDLE = 5.0, 100.0
"""The seconds of processor time of a comparison, and those by the clock."""
MEMORY = 2 << 30
DIGITS = 60
_COMMANDS = re.compile(r"\\(?:[dtc]?frac|sqrt|cdot|times|div|pi|left|right|[$%])")
_EXPRESSION = re.compile(r"[\d\s.()+\-*/^{}]*")
_POWER = re.compile(r"\^\s?(?:(\d{1,3})(?![\d.])|\{\s?-?(\d{1,3})(?:/\d{1,3})?\s?\})|\^")
LARGEST_POWER = 2_000
"""The largest product of the exponents of an expression: a power of a power could take for ever."""
_NO_VALUE = re.compile(
    r"[\d.)}]\s+[\d.]|\d\s?-\s?\d|(?<![\d.])0\d|\d\s?/\s?\d+\s?/|\.\d*\.|[+-]\s?[+-]|^\s*\(\s*[\d.]+\s*\)\s*$"
)
"""Two numbers, a range or a mixed number, a date, a version, an amount in parentheses: not the value that it would have as arithmetic."""


def symbolic_equality(left: str, right: str) -> bool | None:
    r"""Tell whether two expressions without words, such as `\sqrt{49}` and `7`, are the same number; `None` where that is not known."""
    if not (_is_expression(left) and _is_expression(right)):
        return None
    return _is_equal(left, right)


def _is_expression(text: str) -> bool:
    plain = _COMMANDS.sub(" ", text)
    if len(text) > LONGEST_EXPRESSION or _NO_VALUE.search(text) or _EXPRESSION.fullmatch(plain) is None:
        return False
    exponents = [match[1] or match[2] for match in _POWER.finditer(text)]
    return None not in exponents and math.prod(max(1, int(exponent)) for exponent in exponents) <= LARGEST_POWER


@lru_cache(maxsize=1_024)
def _is_equal(left: str, right: str) -> bool | None:
    _prepare()
    return limited_result(lambda: _equality(left, right), SECONDS, idle=IDLE)


@cache
def _prepare() -> None:
    """Load math-verify and read an expression, once for all copies of this process: the first takes five times as long as others."""
    for package in ("math_verify", "latex2sympy2_extended"):
        logging.getLogger(package).setLevel(logging.CRITICAL + 1)
    _expressions(r"\sqrt{\frac{1}{2}} \cdot 3")


def _expressions(text: str) -> list[Any]:
    """Return what math-verify reads in a text, the expression first."""
    from math_verify import parse
    from math_verify.parser import LatexExtractionConfig

    found: list[Any] = parse(f"${text}$", [LatexExtractionConfig()], fallback_mode="no_fallback", parsing_timeout=None)
    return found


def _equality(left: str, right: str) -> bool | None:
    """Return what math-verify says of two expressions; here, in a copy of this process, it may take as long as it likes."""
    from math_verify import verify

    with contextlib.suppress(Exception):
        limit_memory(MEMORY)
        first, second = _expressions(left), _expressions(right)
        if all(found and getattr(found[0], "is_number", False) and found[0].is_finite for found in (first, second)):
            if verify(first, second, timeout_seconds=None):
                return True
            difference = abs((first[0] - second[0]).evalf(DIGITS))
            return False if difference > 10 ** (-DIGITS // 2) else None
    return None
