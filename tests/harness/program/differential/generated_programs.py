"""Random programs of all dialects, whose text this module writes.

The weights follow 16,191 real answers: assignments and arithmetic in nearly all, a call in one of seven, a loop or a branch in
one of a hundred. What is rare there and hard to translate is written more often than there.

The module has more than 400 lines because it is one table of productions: each statement may hold any other.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from random import Random

from tests.harness.program.differential.generated_expressions import (
    BOOL,
    DECIMAL,
    DICT,
    FLOAT,
    FRACTION,
    INT,
    KINDS,
    LIST,
    NUMBERS,
    TEXT,
    TUPLE,
    ExpressionWriter,
    NameTable,
)

LIBRARY = {
    **dict.fromkeys(
        (
            "floor",
            "ceil",
            "trunc",
            "gcd",
            "factorial",
            "comb",
            "isqrt",
            "sqrt",
            "fabs",
            "fsum",
            "prod",
            "pi",
            "e",
            "inf",
        ),
        "math",
    ),
    "mpow": "math",
    "Fraction": "fractions",
    "Decimal": "decimal",
}
SHADOWS = (
    "floor",
    "ceil",
    "pi",
    "max",
    "sum",
    "Fraction",
    "round",
    "math",
    "abs",
    "numerator",
    "int",
    "f",
    "a",
    "len",
    "print",
    "str",
)


@dataclass(frozen=True, slots=True)
class GeneratedProgram:
    """A program, and the expression that Python evaluates for its answer; `None` where that is the value printed last."""

    code: str
    answer: str | None


@dataclass(slots=True)
class ProgramWriter:
    """A writer of random programs; the same seed gives the same text."""

    rng: Random
    write: ExpressionWriter = field(init=False)
    fresh: int = 0

    def __post_init__(self) -> None:
        """Share the random numbers with the writer of expressions."""
        self.write = ExpressionWriter(self.rng, wild=self.rng.random() < 0.4)

    def program(self) -> GeneratedProgram:
        """Return the next program."""
        rng = self.rng
        names = NameTable()
        imports = self._imports(names)
        before = self._preamble(names)
        form = rng.choices(["parametric", "template", "pal", "pot", "faithful", "tora"], (30, 25, 15, 15, 10, 10))[0]
        if form in {"pot", "faithful", "tora"}:
            variable = {"pot": "ans", "faithful": "answer", "tora": "t"}[form]
            body = self._block(names, rng.randint(1, 7), looping=False, function=False)
            result = self.write.pick(names, self._result_kind(), 3)
            last = (
                f"{variable} = {result}"
                if form != "tora"
                else f"print({rng.choice(['', repr('sum:') + ', '])}{result})"
            )
            after = self._block(names, 1, looping=False, function=False) if rng.random() < 0.1 else []
            lines = [*self._mixed(imports, before), *body, last, *(after if form != "tora" else [])]
            return GeneratedProgram("\n".join(lines) + "\n", variable if form != "tora" else None)
        return self._entry(form, names, self._mixed(imports, before))

    def _mixed(self, imports: list[str], before: list[str]) -> list[str]:
        """Return imports and definitions, now and then in the wrong order."""
        return [*before, *imports] if self.rng.random() < (0.08 if self.write.wild else 0.01) else [*imports, *before]

    def _result_kind(self) -> str:
        return self.rng.choices([INT, FLOAT, FRACTION, DECIMAL, TEXT, LIST, BOOL], (50, 30, 6, 3, 5, 4, 2))[0]

    def _entry(self, form: str, names: NameTable, head: list[str]) -> GeneratedProgram:
        rng = self.rng
        function = {"parametric": "solve", "template": "solve", "pal": "solution"}[form]
        inner = names.inner()
        arguments: list[str] = []
        known: set[str] = set()
        if form == "parametric":
            for place in range(rng.randint(1, 4)):
                name = rng.choice(["a", "b", "price", "n", *SHADOWS]) if rng.random() < 0.1 else f"p{place}"
                if name in known:
                    continue
                known.add(name)
                kind = rng.choices([INT, FLOAT, FRACTION, DECIMAL], (60, 30, 8, 2))[0]
                annotation = rng.choices(["", ": int", ": float"], (4, 3, 3))[0]
                literal = self._input(names, kind)
                arguments.append(f"{name}{annotation} = {literal}")
                inner.variables[name] = kind
        body = self._block(inner, rng.randint(1, 7), looping=False, function=True)
        body.append(f"return {self.write.pick(inner, self._result_kind(), 3)}")
        lines = [
            *head,
            f"def {function}({', '.join(arguments)}):",
            *textwrap.indent("\n".join(body), "    ").split("\n"),
        ]
        if rng.random() < 0.25:
            lines += rng.choice(
                [
                    [f"print({function}())"],
                    [f"result = {function}()", "print(result)"],
                    ["if __name__ == '__main__':", f"    print({function}())"],
                    self._block(names.inner(), 1, looping=False, function=False),
                    [f"t0 = {self.write.number(names, 1)}"],
                ]
            )
        return GeneratedProgram("\n".join(lines) + "\n", f"{function}()")

    def _input(self, names: NameTable, kind: str) -> str:
        literal = self.write.literal(names, kind)
        return literal if literal not in {"True", "False"} else "4"

    def _imports(self, names: NameTable) -> list[str]:
        """Return imports, and note in `names` how the library is spelled."""
        rng = self.rng
        lines: list[str] = []
        style = rng.choice(["module", "module", "alias", "names", "names", "renamed", "prelude"])
        used = [name for name in LIBRARY if LIBRARY[name] == "math"]
        match style:
            case "module" | "prelude":
                lines += ["import math"] if style == "module" else []
                names.spellings |= {name: f"math.{name}" for name in used}
            case "alias":
                lines.append("import math as m")
                names.spellings |= {name: f"m.{name}" for name in used}
            case "names":
                lines.append("from math import " + ", ".join(name for name in used if name != "mpow"))
            case "renamed":
                lines.append("import math\nfrom math import floor as fl, ceil as up, sqrt")
                names.spellings |= {name: f"math.{name}" for name in used} | {"floor": "fl", "ceil": "up"}
        names.spellings["mpow"] = {"alias": "m.pow"}.get(style, "math.pow")
        lines.append(
            rng.choice(
                [
                    "from fractions import Fraction",
                    "from fractions import Fraction as F",
                    "from fractions import Fraction",
                ]
            )
        )
        names.spellings["Fraction"] = "F" if lines[-1].endswith(" F") else "Fraction"
        lines.append(rng.choice(["from decimal import Decimal", "import decimal"]))
        names.spellings["Decimal"] = "decimal.Decimal" if lines[-1] == "import decimal" else "Decimal"
        if rng.random() < 0.03:
            lines.append(
                rng.choice(
                    [
                        "from math import *",
                        "import numpy as np",
                        "from math import floor as max",
                        "import statistics",
                        "from fractions import Fraction as Decimal",
                    ]
                )
            )
        return lines

    def _preamble(self, names: NameTable) -> list[str]:
        """Return global variables, helper functions and, at times, names that hide others."""
        rng = self.rng
        lines: list[str] = []
        for _ in range(rng.choice([0, 0, 1, 2])):
            lines += self._assignment(names)
        for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
            lines += self._helper(names)
            if rng.random() < 0.2:
                lines += self._assignment(names)
        if rng.random() < (0.1 if self.write.wild else 0.02):
            hidden = rng.choice(SHADOWS)
            lines += rng.choice(
                [
                    [f"{hidden} = {self.write.number(names, 1)}"],
                    [f"def {hidden}(x):", f"    return {self.write.number(names.inner(x=INT), 1)}"],
                ]
            )
        return lines

    def _helper(self, names: NameTable) -> list[str]:
        rng = self.rng
        name = f"f{len(names.functions)}"
        count = rng.randint(0, 2)
        arguments = ["x", "y"][:count]
        default = (
            rng.choices(["", "=2", "=0.5", f"={self.write.number(names, 1)}", "=[]", "=None"], (60, 15, 10, 10, 4, 2))[
                0
            ]
            if arguments
            else ""
        )
        inner = names.inner(**dict.fromkeys(arguments, INT))
        if default == "=[]":
            inner.variables[arguments[-1]] = LIST
        body = self._block(inner, rng.choice([0, 1, 1, 2]), looping=False, function=True)
        body.append(rng.choices([f"return {self.write.number(inner, 2)}", "return", "pass"], (30, 1, 1))[0])
        names.functions[name] = count
        return [f"def {name}({', '.join(arguments)}{default}):", *textwrap.indent("\n".join(body), "    ").split("\n")]

    def _block(self, names: NameTable, count: int, *, looping: bool, function: bool) -> list[str]:
        return [line for _ in range(count) for line in self._statement(names, looping=looping, function=function)] or [
            "pass"
        ]

    def _assignment(self, names: NameTable) -> list[str]:
        rng = self.rng
        kind = rng.choices(KINDS, (40, 20, 6, 2, 5, 8, 3, 4, 1, 2, 1))[0]
        known = [name for name, held in names.variables.items() if held == kind and self._may_assign(names, name)]
        reuse = known and rng.random() < 0.2
        name = rng.choice(known) if reuse else self._fresh()
        depth = rng.choice([0, 1, 2, 2])
        value = self.write.literal(names, kind) if depth == 0 else self.write.pick(names, kind, depth)
        line = f"{name}: int = {value}" if rng.random() < 0.03 else f"{name} = {value}"
        names.variables[name] = kind
        return [line]

    def _may_assign(self, names: NameTable, name: str) -> bool:
        return name not in names.outer or (self.write.wild and self.rng.random() < 0.3)

    def _fresh(self) -> str:
        self.fresh += 1
        return (
            f"v{self.fresh}" if self.rng.random() < (0.97 if self.write.wild else 0.995) else self.rng.choice(SHADOWS)
        )

    def _statement(self, names: NameTable, *, looping: bool, function: bool) -> list[str]:
        rng = self.rng
        has_sequence = any(held in {LIST, DICT} for held in names.variables.values())
        if rng.random() < (0.6 if has_sequence or self.write.wild else 0.8):
            return self._assignment(names)
        pick = self.write.pick
        wild = 1 if self.write.wild else 0.1
        kind, weight = zip(
            *{
                "augment": 18,
                "alias": 6,
                "append": 4,
                "store": 4,
                "augment_item": 4,
                "if": 10,
                "for": 12,
                "while": 4,
                "unpack": 4,
                "several": 2,
                "print": 3,
                "call": 2,
                "jump": 5 if looping else 0.1 * wild,
                "view": 2 * wild,
                "shadow": 2 * wild,
                "return": 1 if function else 0.05 * wild,
                "generator": 2,
                "rare": 3 * wild,
                "import": 0.5 * wild,
            }.items(),
            strict=True,
        )
        match rng.choices(kind, weight)[0]:
            case "augment":
                kinds = KINDS if self.write.wild else NUMBERS
                own = [
                    name for name, held in names.variables.items() if held in kinds and self._may_assign(names, name)
                ]
                if not own:
                    return self._assignment(names)
                name = rng.choice(own)
                return [
                    f"{name} {rng.choice(['+', '-', '*', '+', '/', '//', '%', '**'])}= {pick(names, names.variables.get(name, INT), 1)}"
                ]
            case "alias":
                source = self._variable(names, LIST, DICT)
                name = self._fresh()
                names.variables[name] = names.variables.get(source, LIST)
                return [f"{name} = {source}"]
            case "append":
                return [
                    f"{self._variable(names, LIST)}.{rng.choice(['append', 'append', 'append', 'extend', 'insert', 'pop'] if self.write.wild else ['append'])}({self.write.number(names, 1)})"
                ]
            case "store":
                return [
                    f"{self._variable(names, LIST, DICT)}[{rng.choice(['0', '1', '-1', repr('a'), pick(names, INT, 1)] if self.write.wild else ['0', '-1', '1'])}] = {self.write.number(names, 2)}"
                ]
            case "augment_item":
                return [
                    f"{self._variable(names, LIST, DICT)}[{rng.choice(['0', '1', repr('a'), pick(names, INT, 1)] if self.write.wild else ['0', '-1', '1'])}] {rng.choice('+-*')}= {self.write.number(names, 1)}"
                ]
            case "if":
                return self._branch(names, looping=looping, function=function)
            case "for":
                return self._loop(names, function=function)
            case "while":
                return self._while(names, function=function)
            case "unpack":
                return self._unpacking(names)
            case "several":
                first, second = self._fresh(), self._fresh()
                names.variables |= {first: LIST, second: LIST}
                return [f"{first} = {second} = {pick(names, LIST, 1)}"]
            case "print":
                return [f"print({pick(names, rng.choice(KINDS), 1)})"]
            case "call":
                return [pick(names, INT, 2)]
            case "jump":
                return [rng.choice(["break", "continue"])]
            case "view":
                name = self._fresh()
                names.variables[name] = LIST
                return [f"{name} = {self._variable(names, DICT)}.{rng.choice(['keys', 'values', 'items'])}()"]
            case "shadow":
                name = rng.choice(SHADOWS)
                return [f"{name} = {self.write.number(names, 1)}"]
            case "return":
                return [f"return {self.write.number(names, 1)}"]
            case "generator":
                name = self._fresh()
                names.variables[name] = LIST
                test = f" if i > {self.write.number(names, 1)}" if rng.random() < 0.2 else ""
                return [f"{name} = (i * {self._variable(names)} for i in {pick(names, LIST, 1)}{test})"]
            case "import":
                return [
                    rng.choice(["import math", "from math import floor", "from fractions import Fraction", "import os"])
                ]
        return self._rare(names)

    def _variable(self, names: NameTable, *kinds: str) -> str:
        known = [name for name, held in names.variables.items() if not kinds or held in kinds]
        if known:
            return self.rng.choice(known)
        return "missing" if self.write.wild else self.write.literal(names, self.rng.choice(kinds or NUMBERS))

    def _branch(self, names: NameTable, *, looping: bool, function: bool) -> list[str]:
        rng = self.rng
        lines = [f"if {self.write.pick(names, BOOL, 2)}:", *self._inner(names, looping=looping, function=function)]
        if rng.random() < 0.3:
            lines += [
                f"elif {self.write.pick(names, BOOL, 1)}:",
                *self._inner(names, looping=looping, function=function),
            ]
        if rng.random() < 0.6:
            lines += ["else:", *self._inner(names, looping=looping, function=function)]
        return lines

    def _inner(self, names: NameTable, *, looping: bool, function: bool) -> list[str]:
        before = dict(names.variables)
        block = self._block(names, self.rng.choice([1, 1, 2]), looping=looping, function=function)
        if not self.write.wild:
            names.variables = before
        return textwrap.indent("\n".join(block), "    ").split("\n")

    def _loop(self, names: NameTable, *, function: bool) -> list[str]:
        rng, pick = self.rng, self.write.pick
        target = (
            self._fresh()
            if rng.random() < 0.8
            else rng.choice(["i", "i", "i, j", "(i, j), k", "(i,)"] if self.write.wild else ["i"])
        )
        if target.isidentifier():
            names.variables[target] = INT
        over = rng.choice(
            [
                f"range({rng.randint(0, 6)})",
                f"range({pick(names, INT, 1)} % 7)",
                f"range({rng.randint(-3, 3)}, {rng.randint(0, 8)}, {rng.choice([1, 2, -1, 3])})",
                pick(names, LIST, 1),
                pick(names, rng.choice([TUPLE, TEXT, DICT, "set" if self.write.wild else LIST]), 1),
                f"{pick(names, DICT, 1)}.{rng.choice(['items', 'keys', 'values'])}()",
                self._variable(names, LIST, DICT),
                f"[({pick(names, INT, 1)}, 2), (3, 4)]",
                *(
                    [f"zip({pick(names, LIST, 1)}, range(3))", f"enumerate({pick(names, LIST, 1)})"]
                    if self.write.wild
                    else []
                ),
            ]
        )
        if over.endswith((".items()", "4)]", "3))")) and (not self.write.wild or rng.random() < 0.8):
            target = "i, j"
        lines = [f"for {target} in {over}:", *self._inner(names, looping=True, function=function)]
        return lines + (["else:", "    pass"] if rng.random() < 0.04 else [])

    def _while(self, names: NameTable, *, function: bool) -> list[str]:
        name = self._fresh()
        lines = [f"{name} = {self.rng.randint(0, 5)}", f"while {name} > 0:", f"    {name} -= 1"]
        return lines + self._inner(names, looping=True, function=function)

    def _unpacking(self, names: NameTable) -> list[str]:
        rng, pick = self.rng, self.write.pick
        first, second = self._fresh(), self._fresh()
        names.variables |= {first: INT, second: INT}
        if not self.write.wild:
            return [
                f"{first}, {second} = {rng.choice([f'{pick(names, INT, 1)}, {pick(names, INT, 1)}', f'divmod({pick(names, INT, 1)}, 5)'])}"
            ]
        form = rng.choice(
            [
                f"{first}, {second} = {pick(names, INT, 1)}, {pick(names, INT, 1)}",
                f"{first}, {second} = {pick(names, rng.choice([LIST, TUPLE, TEXT, DICT]), 1)}",
                f"{first}, {second} = divmod({pick(names, INT, 1)}, {rng.randint(0, 5)})",
                f"({first}, {second}), v9 = (1, 2), 3",
                f"{first}, *{second} = {pick(names, LIST, 1)}",
                f"{first} = v8, {second} = 1, 2",
                f"[{first}, {second}] = {pick(names, LIST, 1)}",
                f"{first}, = {pick(names, LIST, 1)}",
            ]
        )
        return [form]

    def _rare(self, names: NameTable) -> list[str]:
        rng = self.rng
        name = self._variable(names)
        inner = self._fresh()
        return rng.choice(
            [
                [f"del {name}"],
                [f"assert {self.write.pick(names, BOOL, 1)}"],
                [f"global {inner}", f"{inner} = 3"],
                [f"try:\n    {inner} = {self.write.number(names, 2)}\nexcept ZeroDivisionError:\n    {inner} = 0"],
                [f"def {inner}(k):\n    return k + {name}"],
                [f"{inner} = lambda k: k + {name}"],
                ["pass"],
                ["'a docstring'"],
                [f"{inner}: int"],
                [f"{name}.real"],
                [f"yield {name}"],
                ["class C:\n    pass"],
                [f"with {name} as z:\n    pass"],
                [f"raise ValueError({name})"],
            ]
        )


def generated_program(seed: int) -> GeneratedProgram:
    """Return the program of a seed."""
    return ProgramWriter(Random(seed)).program()
