"""Equality of two mathematical expressions by math-verify, in a process of its own that is bounded and ended.

Source: https://github.com/huggingface/Math-Verify. What it reads of a text may be a part of it; only what both sides read as one
number without unknowns, from a text without words, is compared.
"""

import atexit
import contextlib
import importlib
import json
import math
import os
import re
import signal
import subprocess
import sys
from functools import lru_cache
from select import select
from threading import Lock
from typing import IO, Any, cast

LONGEST_EXPRESSION = 200
SECONDS, STARTING_SECONDS = 5.0, 60.0
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
    return _is_equal_in_child(left, right)


def _is_expression(text: str) -> bool:
    plain = _COMMANDS.sub(" ", text)
    if len(text) > LONGEST_EXPRESSION or _NO_VALUE.search(text) or _EXPRESSION.fullmatch(plain) is None:
        return False
    exponents = [match[1] or match[2] for match in _POWER.finditer(text)]
    return None not in exponents and math.prod(max(1, int(exponent)) for exponent in exponents) <= LARGEST_POWER


@lru_cache(maxsize=1_024)
def _is_equal_in_child(left: str, right: str) -> bool | None:
    with _CHILD.lock:
        return _CHILD.ask(left, right)


class _Child:
    """The process that asks math-verify, started for the first question and again after one that took too long."""

    def __init__(self) -> None:
        self.lock = Lock()
        self._process: subprocess.Popen[str] | None = None

    def ask(self, left: str, right: str) -> bool | None:
        """Return the answer of the process, `None` where it takes too long or dies."""
        with contextlib.suppress(OSError, ValueError):
            seconds = SECONDS
            if self._process is None or self._process.poll() is not None:
                self._process, seconds = self._started(), STARTING_SECONDS
            stdin, stdout = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
            stdin.write(f"{json.dumps([left, right])}\n")
            stdin.flush()
            if select([stdout], [], [], seconds)[0]:
                return cast("bool | None", json.loads(stdout.readline()))
        self.end()
        return None

    def forget(self) -> None:
        """Leave the process to the parent of this fork: two that share its pipes would read each other's answers."""
        self.lock, self._process = Lock(), None

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    @staticmethod
    def _started() -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "harness.answers.symbolic"]
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        return subprocess.Popen(  # noqa: S603  # our own module
            command, stdin=pipe, stdout=pipe, stderr=nowhere, text=True, start_new_session=True
        )


_CHILD = _Child()
atexit.register(_CHILD.end)
os.register_at_fork(after_in_child=_CHILD.forget)


def _answered(left: str, right: str) -> bool | None:
    """Return what math-verify says of two expressions; here, in the child, it may take as long as it likes."""
    from math_verify import parse, verify
    from math_verify.parser import LatexExtractionConfig

    def read(text: str) -> list[Any]:
        found: list[Any] = parse(
            f"${text}$", [LatexExtractionConfig()], fallback_mode="no_fallback", parsing_timeout=None
        )
        return found

    first, second = read(left), read(right)
    if not all(found and getattr(found[0], "is_number", False) and found[0].is_finite for found in (first, second)):
        return None
    if verify(first, second, timeout_seconds=None):
        return True
    difference = abs((first[0] - second[0]).evalf(DIGITS))
    return False if difference > 10 ** (-DIGITS // 2) else None


def main() -> None:
    """Answer each line of the input, a JSON list of two expressions, by true, false or null."""
    import logging
    import resource

    # On a busy machine the import alone may take longer than an answer may.
    importlib.import_module("math_verify")
    logging.disable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for line in sys.stdin:
        # It ends itself where its parent, which would end it, is gone.
        signal.alarm(2 * int(SECONDS))
        answer = None
        with contextlib.suppress(Exception):
            answer = _answered(*json.loads(line))
        signal.alarm(0)
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
