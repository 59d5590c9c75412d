"""The parser of S-expressions, which reads any text and reports faults instead of raising."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from harness.smtlib.faults import ScriptFault, ScriptFaultKind, shortened
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, Position
from harness.smtlib.vocabulary import RECOVERING

LONGEST = 1_000_000
# Solvers and our own walks over terms recurse; a limit of its own keeps faults from depending on the caller's stack.
DEEPEST = 100
MOST_DIGITS = 1_000
MOST_FAULTS = 100

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]+|;[^\n]*)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<string>"(?:[^"\n]|"")*")
      | (?P<quoted>\|[^|\\\n]+\|)
      | (?P<cut>"[^\n]*)
      | (?P<word>\|\|[^\s()";|]*|\||[^\s()";|]+|[^ \t\r\n])""",
    re.VERBOSE,
)
_ATOMS = (
    (AtomKind.NUMERAL, re.compile(r"0|[1-9][0-9]*")),
    (AtomKind.DECIMAL, re.compile(r"(?:0|[1-9][0-9]*)\.[0-9]+")),
    (AtomKind.HEXADECIMAL, re.compile(r"#x[0-9A-Fa-f]+")),
    (AtomKind.BINARY, re.compile(r"#b[01]+")),
    (AtomKind.KEYWORD, re.compile(r":[A-Za-z0-9~!@$%^&*_\-+=<>.?/]+")),
    # Both solvers read `-3` as a number, the standard as a name.
    (AtomKind.ODD, re.compile(r"-[0-9]+(?:\.[0-9]+)?")),
    # What begins with `.` or `@` is the solver's own.
    (AtomKind.SYMBOL, re.compile(r"[A-Za-z~!$%^&*_\-+=<>?/][A-Za-z0-9~!@$%^&*_\-+=<>.?/]*")),
)
_SHORT = 40
"""The characters of an atom whose kind is kept."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_WORD = re.compile(r"\(\s*([a-z][a-z-]*)(?=[\s()])")


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The nodes at the top level of a text, and the faults of their spelling and nesting.

    A missing parenthesis is assumed before the next command; a closing parenthesis without an opening one is ignored.
    """

    nodes: tuple[Node, ...]
    faults: tuple[ScriptFault, ...]


def read_tree(text: str) -> ParsedText:
    """Read any text into nodes; never raises, in time linear in its length.

    At most `LONGEST` characters are read, groups nested deeper than `DEEPEST` are left out, and `MOST_FAULTS` faults are reported.
    """
    reader = _TreeReader()
    if len(text) > LONGEST:
        reader.fault(ScriptFaultKind.TOO_LONG, Position(), f"{len(text)} characters", f"at most {LONGEST}")
        text = text[:LONGEST]
    surrogate = _SURROGATE.search(text)
    if surrogate is not None:
        start = surrogate.start()
        at = Position(start, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))
        reader.fault(ScriptFaultKind.STRAY_TEXT, at, f"U+{ord(surrogate[0]):04X}, half a character", "Unicode text")
    return reader.read(text)


def atom_kind(text: str) -> AtomKind:
    """Return the kind of atom of a text without blanks, parentheses, quotes and bars."""
    if len(text) <= _SHORT:
        return _short_kind(text)
    return next((kind for kind, pattern in _ATOMS if pattern.fullmatch(text)), AtomKind.ODD)


@lru_cache(1 << 16)
def _short_kind(text: str) -> AtomKind:
    # A program has few words many times, and is read again after each repair.
    return next((kind for kind, pattern in _ATOMS if pattern.fullmatch(text)), AtomKind.ODD)


@dataclass(slots=True)
class _Open:
    at: Position
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class _TreeReader:
    nodes: list[Node] = field(default_factory=list)
    faults: list[ScriptFault] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    skipped: int = 0
    end: int = 0
    stray: int = 0

    def read(self, text: str) -> ParsedText:
        line, begin = 1, 0
        for token in _TOKEN.finditer(text):
            kind, spelling, start = token.lastgroup, token.group(), token.start()
            if kind == "blank":
                if "\n" in spelling:
                    line += spelling.count("\n")
                    begin = start + spelling.rindex("\n") + 1
                continue
            # Blanks and closing parentheses are half of the tokens, and nothing is placed at them: no position is made.
            if kind == "close" and (self.open or self.skipped):
                self._close(token.end())
            else:
                at = Position(start, line, start - begin + 1)
                if kind == "open":
                    if self.open and _commands(text, start):
                        self._recover()
                    self._push(at)
                elif kind == "close":
                    self.fault(ScriptFaultKind.STRAY_CLOSING, at, ")", "no parenthesis, since none is open")
                else:
                    self._atom(spelling, kind or "word", at)
            self.end = token.end()
        self._recover()
        return ParsedText(tuple(self.nodes), tuple(self.faults[:MOST_FAULTS]))

    def fault(self, kind: ScriptFaultKind, at: Position, found: str, expected: str) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(ScriptFault(kind, at, shortened(found), expected))

    def _push(self, at: Position) -> None:
        if len(self.open) == DEEPEST:
            if not self.skipped:
                self.fault(ScriptFaultKind.TOO_DEEP, at, f"more than {DEEPEST} parentheses open", f"at most {DEEPEST}")
            self.skipped += 1
        else:
            self.open.append(_Open(at))

    def _close(self, end: int) -> None:
        if self.skipped:
            self.skipped -= 1
        else:
            closed = self.open.pop()
            self._add(NodeGroup(tuple(closed.items), closed.at, end))

    def _recover(self) -> None:
        missing = len(self.open) + self.skipped
        self.skipped = 0
        if missing:
            count = "a parenthesis" if missing == 1 else f"{missing} parentheses"
            expected = f"{')' * min(missing, 8)} before the next command"
            self.fault(ScriptFaultKind.UNCLOSED, self.open[0].at, f"{count} not closed", expected)
        while self.open:
            self._close(self.end)

    def _add(self, node: Node) -> None:
        (self.open[-1].items if self.open else self.nodes).append(node)

    def _atom(self, text: str, form: str, at: Position) -> None:
        kind = {"string": AtomKind.STRING, "quoted": AtomKind.QUOTED}.get(form) or atom_kind(text)
        if self.skipped:
            return
        self._add(Atom(text, kind, at))
        if not self.open:
            # One fault a line of prose, not one a word.
            if self.stray != at.line:
                self.fault(ScriptFaultKind.STRAY_TEXT, at, text, "a command in parentheses")
            self.stray = at.line
        elif form == "cut" or text == "|":
            self.fault(ScriptFaultKind.UNTERMINATED, at, text, "a closing quote or bar on the same line")
        elif kind is AtomKind.ODD:
            self.fault(ScriptFaultKind.ODD_ATOM, at, text, _wanted(text))
        elif kind in {AtomKind.NUMERAL, AtomKind.DECIMAL} and len(text) > MOST_DIGITS:
            self.fault(ScriptFaultKind.LONG_NUMERAL, at, f"{len(text)} digits", f"at most {MOST_DIGITS}")


def _commands(text: str, start: int) -> bool:
    """Tell whether a command begins here that no term can be taken for."""
    word = _WORD.match(text, start)
    return word is not None and (word.group(1) in RECOVERING or word.group(1).startswith(("declare-", "define-")))


def _wanted(text: str) -> str:
    return f"(- {text[1:]})" if re.fullmatch(r"-[0-9.]+", text) else "a symbol or a number"
