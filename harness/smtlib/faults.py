"""The kinds of faults in an SMT-LIB2 script, each with its position and the expectation."""

import enum
from dataclasses import dataclass

from harness.smtlib.s_expressions import Position


class ScriptFaultKind(enum.StrEnum):
    """The kinds of faults, from the text to the sorts; their values stand in `broken.csv`."""

    TOO_LONG = "too-long"
    TOO_DEEP = "too-deep"
    LONG_NUMERAL = "long-numeral"
    STRAY_TEXT = "stray-text"
    ODD_ATOM = "odd-atom"
    UNTERMINATED = "unterminated"
    UNCLOSED = "unclosed-parenthesis"
    STRAY_CLOSING = "stray-parenthesis"
    EMPTY = "empty"
    UNKNOWN_COMMAND = "unknown-command"
    REFUSED_COMMAND = "refused-command"
    MALFORMED_COMMAND = "malformed-command"
    MISPLACED_COMMAND = "misplaced-command"
    UNKNOWN_LOGIC = "unknown-logic"
    NARROW_LOGIC = "narrow-logic"
    NO_CHECK = "no-check-sat"
    NO_ASSERTION = "no-assertion"
    DUPLICATE = "duplicate-declaration"
    UNKNOWN_SORT = "unknown-sort"
    RESERVED_NAME = "reserved-name"
    UNDECLARED = "undeclared"
    MALFORMED_TERM = "malformed-term"
    WRONG_ARITY = "wrong-arity"
    WRONG_SORT = "wrong-sort"
    UNSUPPORTED = "unsupported"


BEYOND_THE_READER = frozenset(ScriptFaultKind) - {
    *(ScriptFaultKind.TOO_LONG, ScriptFaultKind.TOO_DEEP, ScriptFaultKind.LONG_NUMERAL, ScriptFaultKind.EMPTY),
    *(ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.UNTERMINATED, ScriptFaultKind.UNCLOSED),
    *(ScriptFaultKind.STRAY_CLOSING, ScriptFaultKind.NO_ASSERTION),
}
"""The faults that may be the reader's alone, such as an operator of a theory that it does not know: the solvers decide."""
LONGEST_FOUND = 60


def shortened(text: str) -> str:
    """Return a text fit for one line of a message."""
    flat = " ".join(text.encode("utf-8", "backslashreplace").decode().split())
    return flat if len(flat) <= LONGEST_FOUND else f"{flat[: LONGEST_FOUND - 1]}…"


@dataclass(frozen=True, slots=True)
class ScriptFault:
    """A fault: its kind, its position, the text found there (shortened), and the expectation in words."""

    kind: ScriptFaultKind
    at: Position
    found: str
    expected: str = ""

    @property
    def message(self) -> str:
        """Return the fault in one line."""
        wanted = f"; expected {self.expected}" if self.expected else ""
        return f"line {self.at.line}, column {self.at.column}: {self.kind}: {self.found}{wanted}"
