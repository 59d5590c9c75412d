"""Random programs of all dialects, written from the grammar in `productions.txt`.

A line of a production is a weight and a template. `<kind>` stands for another production, `<new:kind>` for a new variable, `<var:kind>`
for a variable, `<block>` for indented statements, `<m:floor>` for a function of `math` as the program spells it.
"""

import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.cases import rows

PATH = Path(__file__).with_name("productions.txt")
LITERALS: dict[str, str] = dict(
    rows("""int → 0|1|2|3|5|7|10|12|100|True|100000000000000000000|0b101|1_000
float → 0.5|0.25|2.0|1.5|7.0|0.125|3.75|0.1|2.5|1e3|0.3|1e-2|100.0
fraction → Fraction(1, 2)|Fraction(-7, 3)|Fraction(5)|Fraction('3/4')|Fraction('0.5')
text → 'a'|'abc'|'12'|''|'x y'|'0.5' | list → []|[1, 2, 3]|[3, 1, 2]|[0]|[5, 5, 7]|[2, 10, 4, 6]
tuple → (1, 2)|(3, 1)|()|(7,)|(1, 2, 3)|(2, 'a') | bool → True|False | none → None
shadow → floor|ceil|pi|max|sum|Fraction|round|math|abs|int|f|a|len|print|str""")
)
"""The literals of each kind, between bars."""
KINDS = ("int", "float", "fraction", "text", "list", "tuple", "bool", "none")
PRODUCTIONS = {
    "any": "\n".join(f"1 <{kind}>" for kind in KINDS),
    **dict(re.findall(r"^\[(\w+)\]\n(.*?)(?=\n\n|\n\Z)", PATH.read_text("utf-8"), re.DOTALL | re.MULTILINE)),
}
FORMS = ("parametric", "template", "pal", "pot", "faithful", "tora")
_TOKEN = re.compile(r"<(?:(new|var|own|m):)?([a-z]+)>")


@dataclass(frozen=True, slots=True)
class GeneratedProgram:
    """A program, and the expression that Python evaluates for its answer; `None` where that is the value printed last."""

    code: str
    answer: str | None


@dataclass(slots=True)
class ProgramWriter:
    """A writer of random programs; the same seed gives the same text. A `wild` one mixes kinds and makes errors."""

    rng: Random
    wild: bool = False
    variables: dict[str, str] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    functions: dict[str, int] = field(default_factory=dict)
    module: str = "math."
    fresh: int = 0

    def write(self, kind: str, depth: int) -> str:
        """Return a text of a production, now and then of another kind."""
        if kind in KINDS and self.rng.random() < (0.03 if self.wild else 0.002):
            kind = self.rng.choice(KINDS)
        if kind in LITERALS and (depth <= 0 or self.rng.random() < 0.15 or kind not in PRODUCTIONS):
            return self.variable(kind) if kind in KINDS and self.rng.random() < 0.6 else self.literal(kind)
        lines = [line.partition(" ") for line in re.split(r"\n(?=\d)", PRODUCTIONS[kind])]
        (template,) = self.rng.choices(
            [text for _, _, text in lines],
            [int(weight) if self.wild or int(weight) > 1 else 0.05 for weight, _, _ in lines],
        )
        return self.expand(template, depth - 1)

    def expand(self, template: str, depth: int) -> str:
        """Return a template with all tokens written; new variables are known after it."""
        new: dict[str, str] = {}

        def written(token: re.Match[str]) -> str:
            place, kind = token.groups()
            if place == "new":
                self.fresh += 1
                name = f"v{self.fresh}" if self.rng.random() < 0.99 else self.literal("shadow")
                new[name] = kind
                return name
            if place == "m":
                return self.module + kind
            if place in {"var", "own"}:
                return self.variable(kind, own=place == "own")
            match kind:
                case "block":
                    self.variables |= new
                    return self.block(self.rng.choice([1, 1, 2]), depth)
                case "call":
                    return self.call(depth)
            return self.write(kind, depth)

        text = _TOKEN.sub(written, template)
        self.variables |= new
        self.own |= new.keys()
        return text

    def literal(self, kind: str) -> str:
        """Return a literal of a kind."""
        return self.rng.choice(LITERALS[kind].split("|"))

    def variable(self, kind: str, *, own: bool = False) -> str:
        """Return a variable that most likely holds a kind, else a literal."""
        names = self.own if own and not self.wild else self.variables
        known = [name for name, held in self.variables.items() if kind in {held, "any"} and name in names]
        if known or own:
            return self.rng.choice(known or [*self.own, "missing"])
        return "missing" if self.wild and self.rng.random() < 0.2 else self.literal(kind if kind in LITERALS else "int")

    def call(self, depth: int) -> str:
        """Return a call of a function of the program."""
        if not self.functions:
            return self.variable("int")
        name = self.rng.choice([*self.functions])
        count = max(self.functions[name] + (self.rng.choice([0, 0, 0, 0, -1, 1]) if self.wild else 0), 0)
        return f"{name}({', '.join(self.write('num', depth) for _ in range(count))})"

    def block(self, count: int, depth: int) -> str:
        """Return indented statements, whose variables may be missing after them."""
        before = dict(self.variables)
        text = "\n".join(self.write("statement", depth) for _ in range(count))
        if not self.wild:
            self.variables = before
        return textwrap.indent(text, "    ")

    def function(self, name: str, arguments: dict[str, str], head: str, count: int, last: str) -> str:
        """Return the definition of a function."""
        variables, own = self.variables, self.own
        self.variables, self.own = {**variables, **arguments}, set(arguments)
        lines = [self.write("statement", 3) for _ in range(count)]
        lines.append(self.expand(last, 3))
        self.variables, self.own = variables, own
        return f"def {name}({head}):\n" + textwrap.indent("\n".join(lines), "    ")

    def program(self) -> GeneratedProgram:
        """Return the next program."""
        rng = self.rng
        lines = [
            "import math" if self.module == "math." else "import math as m" if self.module else "from math import *"
        ]
        if self.module == "":
            lines = ["from math import floor, ceil, sqrt, fabs, pi"]
        lines.append("from fractions import Fraction")
        lines += [self.write("statement", 2) for _ in range(rng.choice([0, 0, 1, 2]))]
        for count in rng.choice([(), (), (0,), (1,), (2, 1)]):
            name, arguments = f"f{len(self.functions)}", dict.fromkeys(["x", "y"][:count], "int")
            head = ", ".join(arguments) + (rng.choice(["", "=2", "=0.5", "=None"]) if arguments else "")
            lines.append(self.function(name, arguments, head, rng.choice([0, 1]), "<function>"))
            self.functions[name] = count
        form = rng.choices(FORMS, (30, 25, 15, 15, 10, 10))[0]
        result = rng.choices(["int", "float", "fraction", "text", "list", "bool"], (50, 30, 6, 5, 4, 2))[0]
        if form in {"pot", "faithful", "tora"}:
            lines += [self.write("statement", 3) for _ in range(rng.randint(1, 7))]
            answer = {"pot": "ans", "faithful": "answer", "tora": None}[form]
            lines.append(self.expand(f"{answer} = <{result}>" if answer else f"print(<{result}>)", 3))
            return GeneratedProgram("\n".join(lines) + "\n", answer)
        function = "solution" if form == "pal" else "solve"
        inputs = {f"p{place}": rng.choice(["int", "int", "float"]) for place in range(rng.randint(1, 4))}
        inputs = inputs if form == "parametric" else {}
        head = ", ".join(
            f"{name}{rng.choice(['', ': ' + kind])} = {rng.choice(LITERALS[kind].split('|')[2:9])}"
            for name, kind in inputs.items()
        )
        lines.append(self.function(function, inputs, head, rng.randint(1, 7), f"return <{result}>"))
        if rng.random() < 0.2:
            lines.append(rng.choice([f"print({function}())", f"result = {function}()\nprint(result)"]))
        return GeneratedProgram("\n".join(lines) + "\n", f"{function}()")


def generated_program(seed: int) -> GeneratedProgram:
    """Return the program of a seed."""
    rng = Random(seed)
    return ProgramWriter(rng, wild=rng.random() < 0.25, module=rng.choice(["math.", "math.", "m.", ""])).program()
