"""Random expressions of the program language, written as Python text.

The module has more than 400 lines because it is one table of productions: each names the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

INT, FLOAT, FRACTION, DECIMAL, TEXT, LIST, TUPLE, DICT, SET, BOOL, NONE = (
    "int",
    "float",
    "fraction",
    "decimal",
    "text",
    "list",
    "tuple",
    "dict",
    "set",
    "bool",
    "none",
)
NUMBERS = (INT, FLOAT, FRACTION, DECIMAL)
KINDS = (*NUMBERS, TEXT, LIST, TUPLE, DICT, SET, BOOL, NONE)
NUMERALS = (
    *("'7'", "' 7 '", "'1_000'", "'-3'", "'+4'", "'1__0'", "'12abc'", "''", "'0x1f'", "'007'", "'3.0'", "'1e3'"),
    *("'1e-3'", "'2.50'", "'.5'", "'5.'", "'1e'", "'\\t8\\n'", "'3/4'", "' 3/4 '", "'3 / 4'", "'-6/4'", "'1/0'"),
    *("'inf'", "'nan'", "'1e400'", "'1e-400'", "'1e999999'", "'" + "1" * 120 + "'", "'0." + "3" * 120 + "'", "'１２'"),
)
SPECIFICATIONS = (
    *("d", "02d", "5d", ",", "<6", ">6", "^7", "05", "+d", "x", "b", ".1f", ".2f", "08.3f", "e", ".0%", "s", ".2d"),
    *("*^9", "_", ",d", " d", "#x", ".3", "n", "c", "g", "=5d", "q", "10.2f", "<5s", "<", "{n}"),
)


@dataclass(slots=True)
class NameTable:
    """What an expression may name: variables with the kind that each most likely holds, and the program's functions."""

    variables: dict[str, str] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    spellings: dict[str, str] = field(default_factory=dict)
    """How the program calls each function of `math`, `fractions` or `decimal`: `math.floor`, `m.floor`, `floor`."""
    outer: frozenset[str] = frozenset()
    """The variables of the scope around this one, which assignments here seldom repeat."""

    def inner(self, **more: str) -> NameTable:
        """Return the table of a scope within this one."""
        outer = frozenset(self.variables) - frozenset(more)
        return NameTable({**self.variables, **more}, self.functions, self.spellings, outer)


@dataclass(slots=True)
class ExpressionWriter:
    """A writer of random expressions; the same random numbers give the same text."""

    rng: Random
    wild: bool = True
    """Whether kinds are mixed and errors are frequent."""

    def pick(self, names: NameTable, kind: str, depth: int) -> str:
        """Return an expression that most likely is of a kind; now and then one of another kind."""
        if self.rng.random() < (0.03 if self.wild else 0.002):
            kind = self.rng.choice(KINDS)
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(names, kind)
        return str(getattr(self, f"_{kind}")(names, depth - 1))

    def leaf(self, names: NameTable, kind: str) -> str:
        """Return a variable or a literal."""
        known = [name for name, held in names.variables.items() if held == kind]
        if known and self.rng.random() < 0.7:
            return self.rng.choice(known)
        return self.literal(names, kind)

    def literal(self, names: NameTable, kind: str) -> str:
        """Return a literal of a kind."""
        rng = self.rng
        match kind:
            case "int":
                return rng.choice(
                    ["0", "1", "2", "3", "5", "7", "10", "12", "100", "True"]
                    if rng.random() < (0.95 if self.wild else 0.99)
                    else [str(10**20), str(2**53 + 1), str(2**70), "0b101", "1_000"]
                )
            case "float":
                return rng.choice(
                    ["0.5", "0.25", "2.0", "1.5", "7.0", "0.125", "3.75", "0.1", "2.5", "1e3", "0.3", "1e-2", "100.0"]
                )
            case "fraction":
                return f"{self.spelled(names, 'Fraction')}({rng.choice(['1, 2', '3, 4', '-7, 3', '5', '1, 3', repr('3/4'), repr('1e-3'), repr('0.5'), '6, 3'])})"
            case "decimal":
                return f"{self.spelled(names, 'Decimal')}({rng.choice([repr('0.1'), repr('7.50'), repr('-7'), '3', repr('1e-3'), repr('2.675')])})"
            case "text":
                return rng.choice(["'a'", "'abc'", "'12'", "''", "'b'", "'x y'", "'0.5'", "'Ab'"])
            case "list":
                return rng.choice(["[]", "[1, 2, 3]", "[3, 1, 2]", "[0]", "[5, 5, 7]", "[2, 10, 4, 6]"])
            case "tuple":
                return rng.choice(["(1, 2)", "(3, 1)", "()", "(7,)", "(1, 2, 3)", "(2, 'a')"])
            case "dict":
                return rng.choice(
                    ["{}", "{1: 2}", "{'a': 1, 'b': 2}", "{'x': 5, 'a': 7, 'k': 0}", "{1: 10, 2: 20, 3: 30}"]
                )
            case "set":
                return rng.choice(["{1}", "{1, 2, 3}", "{10, 3}", "{'a', 'b'}", "{8, 1}"])
            case "bool":
                return rng.choice(["True", "False"])
        return "None"

    def spelled(self, names: NameTable, function: str) -> str:
        """Return how the program writes a function of a module."""
        return names.spellings.get(function, function)

    def number(self, names: NameTable, depth: int) -> str:
        """Return an expression that is most likely a number."""
        return self.pick(names, self.rng.choices(NUMBERS, (60, 30, 8, 2))[0], depth)

    def _pair(self, names: NameTable, depth: int, kind: str) -> tuple[str, str]:
        return self.pick(names, kind, depth), self.pick(names, kind, depth)

    def _int(self, names: NameTable, depth: int) -> str:
        left, right = self._pair(names, depth, INT)
        any_number = self.number(names, depth)
        rng = self.rng
        return self._chosen(
            [
                (30, lambda: f"({left} {rng.choice('+-*')} {right})"),
                (8, lambda: f"({left} {rng.choice(['//', '%'])} {right})"),
                (3, lambda: f"({left} ** {rng.randint(-1, 4)})"),
                (3, lambda: f"({rng.choice('-+')}{left})"),
                (5, lambda: f"int({any_number})"),
                (3, lambda: f"round({any_number})"),
                (2, lambda: f"abs({left})"),
                (5, lambda: f"{self.spelled(names, rng.choice(['floor', 'ceil', 'trunc']))}({any_number})"),
                (1, lambda: f"{self.spelled(names, 'gcd')}({left}, {right})"),
                (
                    1,
                    lambda: (
                        f"{self.spelled(names, rng.choice(['factorial', 'comb', 'isqrt']))}({left}{', 2' if rng.random() < 0.5 else ''})"
                    ),
                ),
                (4, lambda: f"len({self.pick(names, rng.choice([LIST, TUPLE, DICT, SET, TEXT]), depth)})"),
                (6, lambda: self._aggregate(names, depth)),
                (4, lambda: f"({left} if {self.pick(names, BOOL, depth)} else {right})"),
                (2, lambda: f"({left} {rng.choice(['and', 'or'])} {right})"),
                (2, lambda: f"({left} {rng.choice(['<', '>', '==', '!='])} {any_number}) * {right}"),
                (
                    2,
                    lambda: (
                        f"divmod({left}, {any_number})[{rng.choice(['0', '1', '-1', '2'] if self.wild else ['0', '1'])}]"
                    ),
                ),
                (
                    3,
                    lambda: (
                        f"int({rng.choice(NUMERALS if self.wild else NUMERALS[:4])}{rng.choice(['', '', '', ', 2', ', 16', ', 0', ', base=8']) if self.wild else ''})"
                    ),
                ),
                (
                    4,
                    lambda: (
                        f"{self.pick(names, rng.choice([LIST, TUPLE]), depth)}[{rng.choice(['0', '1', '-1', '2', left] if self.wild else ['0', '-1'])}]"
                    ),
                ),
                (
                    4,
                    lambda: (
                        f"{self.pick(names, DICT, depth)}{rng.choice(['[1]', '.get(1)', '.get(2, 0)', repr('a').join('[]'), '.get(9)'] if self.wild else ['.get(1, 4)', '.get(2, 0)'])}"
                    ),
                ),
                (8, lambda: self._called(names, depth)),
                (
                    1,
                    lambda: (
                        f"({self.pick(names, rng.choice([FRACTION, INT, FRACTION]), depth)}).{rng.choice(['numerator', 'denominator'])}"
                    ),
                ),
                (1, lambda: f"pow({left}, {rng.choice(['2', '3', '-1', '2, 5', right])})"),
                (0.5, lambda: f"{self.pick(names, LIST, depth)}.{rng.choice(['index', 'count'])}({left})"),
                (0.3, lambda: f"(lambda v: v + 1)({left})"),
                (0.3, lambda: f"(w := {left})"),
                (0.3, lambda: f"({left} {rng.choice(['&', '|', '^', '<<'])} {right})"),
            ]
        )

    def _aggregate(self, names: NameTable, depth: int) -> str:
        rng = self.rng
        name = rng.choice(["sum", "max", "min", "sum", "any", "all", "sorted"])
        inner = names.inner(i=INT)
        over = rng.choice(
            [
                f"range({rng.randint(0, 5)})",
                self.pick(names, LIST, depth),
                self.pick(names, rng.choice([TUPLE, DICT, SET]), depth),
            ]
        )
        element = self.pick(inner, INT, depth)
        condition = rng.choice(["", "", f" if {self.pick(inner, BOOL, depth)}"])
        argument = rng.choice(
            [
                self.pick(names, LIST, depth),
                f"{element} for i in {over}{condition}",
                f"[{element} for i in {over}{condition}]",
                f"{{{element} for i in {over}{condition}}}",
                f"{self.pick(names, DICT, depth)}.{rng.choice(['values', 'keys', 'items'])}()",
                f"{over}",
                f"[{', '.join(self.number(names, depth - 1) for _ in range(rng.randint(1, 3)))}]",
            ]
        )
        if " for i in " in argument and argument[0] not in "[{":
            return f"{name}({argument})" + ("[0]" if name == "sorted" else "")
        if name in {"max", "min"} and rng.random() < 0.5:
            return f"{name}({self.number(names, depth)}, {self.number(names, depth)}{rng.choice(['', '', ', ' + self.number(names, depth), ', key=abs'])})"
        keyword = {
            "sum": ["", "", ", 5", ", start=2", ", 0.5", ", []"],
            "max": ["", ", default=0", ", default=None"],
            "min": ["", ", default=3"],
            "sorted": ["", ", reverse=True", ", key=abs"],
        }.get(name, [""])
        return f"{name}({argument}{rng.choice(keyword)})" + (rng.choice(["[0]", "[-1]"]) if name == "sorted" else "")

    def _called(self, names: NameTable, depth: int) -> str:
        if not names.functions:
            return self.leaf(names, INT)
        name = self.rng.choice([*names.functions])
        count = names.functions[name] + (self.rng.choice([0, 0, 0, 0, -1, 1]) if self.wild else 0)
        given = [self.number(names, depth) for _ in range(max(count, 0))]
        if given and self.wild and self.rng.random() < 0.15:
            given[-1] = f"{self.rng.choice(['x', 'y', 'zz'])}={given[-1]}"
        return f"{name}({', '.join(given)})"

    def _float(self, names: NameTable, depth: int) -> str:
        left, right = self.number(names, depth), self.number(names, depth)
        rng = self.rng
        return self._chosen(
            [
                (10, lambda: f"({left} / {rng.choice([right, '2', '4', '10'])})"),
                (10, lambda: f"({left} {rng.choice(['+', '-', '*'])} {self.literal(names, FLOAT)})"),
                (5, lambda: f"({left} {rng.choice(['//', '%'])} {rng.choice([right, '0.5', '2', '-1.5'])})"),
                (5, lambda: f"float({rng.choice([left, left, rng.choice(NUMERALS)])})"),
                (5, lambda: f"round({left}, {rng.choice(['0', '1', '2', '-1', '2', 'None', '-2', 'True'])})"),
                (
                    2,
                    lambda: (
                        f"{self.spelled(names, rng.choice(['sqrt', 'fabs', 'mpow', 'fsum', 'prod']))}({rng.choice(['16', '2.25', left, '[1, 2]', '2, 3'])})"
                    ),
                ),
                (2, lambda: f"({left} ** {rng.choice(['0.5', '2.0', '-1', '-2', '2', '1.5'])})"),
                (1, lambda: f"{self.spelled(names, rng.choice(['pi', 'e', 'inf']))} * {left}"),
                (2, lambda: f"-{left}"),
                (1, lambda: f"float(f'{{{left}:.1f}}')"),
                (1, lambda: f"float(str({left}))"),
                (1, lambda: f"sum([{left}, {right}], 0.0)"),
            ]
        )

    def _fraction(self, names: NameTable, depth: int) -> str:
        rng = self.rng
        left, right = self.pick(names, FRACTION, depth), self.number(names, depth)
        return self._chosen(
            [
                (6, lambda: f"({left} {rng.choice(['+', '-', '*', '/', '//', '%'])} {right})"),
                (
                    4,
                    lambda: (
                        f"{self.spelled(names, 'Fraction')}({rng.choice([right, f'{self.pick(names, INT, depth)}, {right}', rng.choice(NUMERALS)])})"
                    ),
                ),
                (1, lambda: f"round({left}, 1)"),
                (1, lambda: f"({left} ** {rng.choice(['2', '-1', '0.5', left])})"),
                (1, lambda: f"abs({left})"),
            ]
        )

    def _decimal(self, names: NameTable, depth: int) -> str:
        rng = self.rng
        left, right = (
            self.pick(names, DECIMAL, depth),
            self.pick(names, rng.choice([DECIMAL, INT, DECIMAL, FLOAT]), depth),
        )
        return self._chosen(
            [
                (6, lambda: f"({left} {rng.choice(['+', '-', '*', '/', '//', '%'])} {right})"),
                (3, lambda: f"{self.spelled(names, 'Decimal')}({rng.choice([right, rng.choice(NUMERALS)])})"),
                (1, lambda: f"round({left}, {rng.choice(['1', '2', '-1', '0'])})"),
                (1, lambda: f"({left} ** {rng.choice(['2', '-1'])})"),
                (1, lambda: f"-{left}"),
            ]
        )

    def _field(self, names: NameTable, depth: int, specification: str) -> str:
        """Return an f-string of one field."""
        inner = self.pick(names, self.rng.choice([*NUMBERS, INT, TEXT]), depth)
        if "{" in inner or '"' in inner or "\\" in inner or ":" in inner:
            inner = self.leaf(names, INT)
        return f'f"v={{{inner}{specification}}}"'

    def _text(self, names: NameTable, depth: int) -> str:
        rng = self.rng
        text, value = self.pick(names, TEXT, depth), self.pick(names, rng.choice(KINDS), depth)
        number = self.number(names, depth)
        specification = rng.choice(SPECIFICATIONS if self.wild else SPECIFICATIONS[:12]).replace("{n}", "{5}d")
        return self._chosen(
            [
                (3, lambda: f"str({rng.choice([value, number, number])})"),
                (3, lambda: self._field(names, depth, rng.choice(["", "", "", "!r", "!s"]) if self.wild else "")),
                (4, lambda: self._field(names, depth, f":{specification}")),
                (1, lambda: f"format({self.pick(names, INT, depth)}, {specification!r})"),
                (3, lambda: f"({text} + {self.pick(names, TEXT, depth)})"),
                (2, lambda: f"({text} * {self.pick(names, INT, 0)})"),
                (1, lambda: f"{text}[{rng.choice(['0', '-1', '1'])}]"),
                (1, lambda: f"{rng.choice(['max', 'min'])}({text}, {self.pick(names, TEXT, depth)})"),
                (0.5, lambda: f"{text}.{rng.choice(['upper', 'strip', 'lower', 'title'])}()"),
                (0.3, lambda: f"'%d' % {number}"),
                (0.3, lambda: f"{text}[1:]"),
                (0.3, lambda: f"','.join([{text}, 'z'])"),
            ]
        )

    def _list(self, names: NameTable, depth: int) -> str:
        rng = self.rng
        left, right = self._pair(names, depth, LIST)
        inner = names.inner(i=INT)
        return self._chosen(
            [
                (6, lambda: f"[{', '.join(self.number(names, depth) for _ in range(rng.randint(0, 4)))}]"),
                (2, lambda: f"({left} + {right})"),
                (1, lambda: f"({left} * {rng.choice(['2', '0', '-1', self.pick(names, INT, depth)])})"),
                (
                    3,
                    lambda: (
                        f"[{self.number(inner, depth)} for i in {rng.choice([left, 'range(4)'])}{rng.choice(['', ' if i > 1'])}]"
                    ),
                ),
                (
                    2,
                    lambda: (
                        f"sorted({rng.choice([left, self.pick(names, rng.choice([TUPLE, SET, DICT, TEXT]), depth)])}{rng.choice(['', ', reverse=True'])})"
                    ),
                ),
                (
                    2,
                    lambda: (
                        f"list({rng.choice([left, self.pick(names, rng.choice([TUPLE, SET, DICT, TEXT]), depth), 'range(3)', self.pick(names, DICT, depth) + '.values()'])})"
                    ),
                ),
                (0.5, lambda: f"{left}[{rng.choice(['1:', ':2', '::-1', ':'])}]"),
                (0.3, lambda: f"[i * j for i in {left} for j in range(2)]"),
                (
                    0.3,
                    lambda: (
                        f"list({rng.choice(['map(abs, ', 'zip(' + right + ', ', 'enumerate(', 'filter(None, ', 'reversed('])}{left}))"
                    ),
                ),
            ]
        )

    def _tuple(self, names: NameTable, depth: int) -> str:
        items = [self.number(names, depth) for _ in range(self.rng.randint(1, 3))]
        return self.rng.choice(
            [
                f"({', '.join(items)},)",
                f"tuple({self.pick(names, LIST, depth)})",
                f"divmod({self.number(names, depth)}, 3)",
            ]
        )

    def _dict(self, names: NameTable, depth: int) -> str:
        keys = [
            self.pick(names, self.rng.choice([INT, TEXT, INT, FLOAT, TUPLE]), 0) for _ in range(self.rng.randint(0, 3))
        ]
        if self.rng.random() < 0.05 * self.wild:
            return "{i: i * 2 for i in range(3)}"
        return "{" + ", ".join(f"{key}: {self.number(names, depth)}" for key in keys) + "}"

    def _set(self, names: NameTable, depth: int) -> str:
        return "{" + ", ".join(self.number(names, depth) for _ in range(self.rng.randint(1, 3))) + "}"

    def _bool(self, names: NameTable, depth: int) -> str:
        rng = self.rng
        left, right = self.number(names, depth), self.number(names, depth)
        comparison = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        kind = rng.choice([TEXT, TUPLE, LIST, SET, DICT, NONE])
        return self._chosen(
            [
                (10, lambda: f"({left} {comparison} {right})"),
                (3, lambda: f"({left} < {self.number(names, depth)} {comparison} {right})"),
                (3, lambda: f"not {left}"),
                (
                    3,
                    lambda: (
                        f"({self.pick(names, BOOL, depth)} {rng.choice(['and', 'or'])} {self.pick(names, BOOL, depth)})"
                    ),
                ),
                (
                    3,
                    lambda: (
                        f"({rng.choice([left, self.pick(names, TEXT, 0)])} {rng.choice(['in', 'not in'])} {self.pick(names, rng.choice([LIST, TUPLE, DICT, SET, TEXT]), depth)})"
                    ),
                ),
                (3, lambda: f"({self.pick(names, kind, depth)} {comparison} {self.pick(names, kind, depth)})"),
                (
                    2,
                    lambda: (
                        f"({rng.choice([left, 'None', self.pick(names, LIST, 0)])} {rng.choice(['is', 'is not'])} None)"
                    ),
                ),
                (0.3, lambda: f"({left} is {right})"),
                (0.3, lambda: f"isinstance({left}, int)"),
                (1, lambda: f"bool({self.pick(names, rng.choice(KINDS), depth)})"),
            ]
        )

    def _none(self, names: NameTable, depth: int) -> str:
        return self.rng.choice(
            ["None", "None", f"print({self.number(names, depth)})", f"{self.pick(names, LIST, depth)}.append(1)"]
        )

    def _chosen(self, choices: list[tuple[float, Callable[[], str]]]) -> str:
        weights = [weight if self.wild or weight >= 1 else weight / 10 for weight, _ in choices]
        return self.rng.choices([write for _, write in choices], weights)[0]()
