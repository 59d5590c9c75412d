"""The sixth set of mistakes and traps: what models, students and transports write most often, and some rarer habits.

Names of families begin with `rare` where the mistake is an exotic one. The module stands alone; `MISTAKES` and `TRAPS` map names to functions
of a program and a source of chance that return the broken text, or `None` where the mistake does not apply. It has more than 400 lines because its author wrote it as one module.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Any

Node = str | list[Any]
Mistake = Callable[[str, Random], "str | None"]
Write = Callable[[Node, Random], "str | None"]

COMPARISONS = ("<", ">", "<=", ">=", "=", "distinct")
ARITHMETIC = ("+", "-", "*", "/", "mod", "div")
LOGIC = ("and", "or", "not", "=>", "xor")
PLAIN = {"Int", "Bool", "Real"}


class CannotBeWrittenError(Exception):
    """A formula has no form in the language."""


# Reading and writing -------------------------------------------------------------------------------------------------------------------


def read(line: str) -> Node:
    """Read one form."""
    stack: list[list[Any]] = [[]]
    for part in re.findall(r"[()]|\|[^|]*\||\"[^\"]*\"|[^\s()]+", line):
        if part == "(":
            stack.append([])
        elif part == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(part)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise CannotBeWrittenError(line)
    form: Node = stack[0][0]
    return form


def prefix(node: Node, heads: dict[str, str] | None = None, between: str = " ") -> str:
    """Write a form in SMT-LIB, its operators by other names."""
    if isinstance(node, str):
        return node
    if not node:
        return "()"
    first, *rest = node
    head = (heads or {}).get(first, first) if isinstance(first, str) else prefix(first, heads, between)
    written = between.join(prefix(item, heads, between) for item in rest)
    return f"({head} {written})" if rest else f"({head})"


def number(node: Node) -> bool:
    """Tell whether a form is a number without a sign."""
    return isinstance(node, str) and re.fullmatch(r"\d+(\.\d+)?", node) is not None


def walk(node: Node) -> Iterator[Node]:
    """Yield a form and all in it."""
    yield node
    if isinstance(node, list):
        for item in node:
            yield from walk(item)


def mapped(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Change the inner forms first."""
    if isinstance(node, list):
        node = (
            [
                node[0] if isinstance(node[0], str) else mapped(node[0], change),
                *(mapped(item, change) for item in node[1:]),
            ]
            if node
            else node
        )
    new = change(node)
    return node if new is None else new


def declared(text: str) -> dict[str, str]:
    """Return the sorts of constants."""
    return dict(re.findall(r"(?m)^\(declare-const (\S+) (\S+)\)$", text))


def vocabulary(text: str) -> set[str]:
    """Return the words of a text."""
    return set(re.findall(r"[^\s()]+", text))


def plain(text: str) -> bool:
    """Whether all that is declared is a constant of a sort with a common name."""
    lines = [line for line in text.splitlines() if line.startswith(("(declare", "(define"))]
    return bool(lines) and len(lines) == len(declared(text)) and set(declared(text).values()) <= PLAIN


def formula(line: str) -> Node | None:
    """Return the formula of an assertion."""
    return read(line)[1] if line.startswith("(assert ") else None


# Infix ---------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Infix:
    """A notation with operators between their arguments."""

    signs: dict[str, str] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    negation: str = "not {0}"
    choice: str = "(if {0} then {1} else {2})"
    different: str = "distinct({})"
    application: str = "{0}({1})"
    chains: bool = True
    conjunction: str = "and"

    def __call__(self, node: Node) -> str:
        """Write a form."""
        return self.write(node)[0]

    def inner(self, node: Node, above: int) -> str:
        """Write a form within one that binds so closely."""
        text, level = self.write(node)
        return text if level > above else f"({text})"

    def write(self, node: Node) -> tuple[str, int]:
        """Write a form, and return how closely it binds."""
        if isinstance(node, str):
            return node, 9
        head, *rest = node
        if not isinstance(head, str) or head in ("let", "forall", "exists", "!", "as", "_"):
            raise CannotBeWrittenError(str(head))
        if head in self.calls:
            return f"{self.calls[head]}({', '.join(map(self, rest))})", 9
        if head == "-" and len(rest) == 1:
            return "-" + self.inner(rest[0], 6), 5
        if head == "not":
            return self.negation.format(self.inner(rest[0], 8)), 3
        if head == "ite" and not self.choice:
            raise CannotBeWrittenError(head)
        if head == "ite":
            return self.choice.format(*(self.inner(item, 3) for item in rest)), 9
        if head == "distinct" and len(rest) > 2:
            return self.different.format(", ".join(map(self, rest))), 9
        sign = self.signs.get(head)
        if sign is None:
            if head in (*COMPARISONS, *ARITHMETIC, *LOGIC):
                raise CannotBeWrittenError(head)
            return self.application.format(head, ", ".join(map(self, rest))), 9
        level = 6 if head in ("*", "mod", "div") else 5 if head in ("+", "-") else 4 if head in COMPARISONS else 2
        if head == "=>" and len(rest) > 2:
            raise CannotBeWrittenError(head)
        if level == 4 and len(rest) > 2 and not self.chains:
            parts = [["=" if head == "=" else head, a, b] for a, b in pairwise(rest)]
            return self.write(["and", *parts])
        # only sums within sums and products within sums go without brackets, and comparisons within connectives
        texts = [self.inner(item, level) for item in rest]
        if level == 2:
            texts = [
                self.inner(item, 8 if head == "xor" else 3 if isinstance(item, list) and item[0] != "not" else 2)
                for item in rest
            ]
        return f" {sign} ".join(texts), level


_SIGNS = {sign: sign for sign in ("<", ">", "<=", ">=", "=", "+", "-", "*", "=>")}
SMT = Infix(_SIGNS | {"and": "and", "or": "or", "xor": "xor", "distinct": "!=", "mod": "mod"})
PYTHON = Infix(
    {sign: sign for sign in ("<", ">", "<=", ">=", "+", "-", "*")}
    | {"=": "==", "distinct": "!=", "mod": "%", "and": "and", "or": "or", "xor": "!="},
    calls={"=>": "Implies"},
    choice="({1} if {0} else {2})",
    different="AllDifferent({})",
)
C = Infix(
    {sign: sign for sign in ("<", ">", "<=", ">=", "+", "-", "*")}
    | {"=": "==", "distinct": "!=", "mod": "%", "and": "&&", "or": "||", "=>": "->", "xor": "^"},
    negation="!{0}",
    choice="({0} ? {1} : {2})",
    different="alldifferent({})",
    chains=False,
)
Z3PY = Infix(
    {sign: sign for sign in ("<", ">", "<=", ">=", "+", "-", "*")} | {"=": "==", "distinct": "!=", "mod": "%"},
    calls={"and": "And", "or": "Or", "not": "Not", "=>": "Implies", "xor": "Xor", "ite": "If"},
    different="Distinct({})",
    chains=False,
)
SIGNS = Infix(
    {sign: sign for sign in ("<", ">", "=", "+")}
    | {
        "<=": "≤",
        ">=": "≥",
        "distinct": "≠",
        "and": "∧",
        "or": "∨",
        "=>": "→",
        "*": "×",
        "mod": "mod",
        "-": "−",
        "xor": "⊕",
    },
    negation="¬{0}",
)
MINIZINC = Infix(
    _SIGNS | {"distinct": "!=", "and": "/\\", "or": "\\/", "=>": "->", "xor": "xor", "mod": "mod"},
    choice="(if {0} then {1} else {2} endif)",
    different="alldifferent([{}])",
    chains=False,
)
PROLOG = Infix(
    {
        "<": "#<",
        ">": "#>",
        "<=": "#=<",
        ">=": "#>=",
        "=": "#=",
        "distinct": "#\\=",
        "+": "+",
        "-": "-",
        "*": "*",
        "mod": "mod",
        "and": "#/\\",
        "or": "#\\/",
        "=>": "#==>",
    },
    negation="#\\ {0}",
    different="all_different([{}])",
    choice="",
    chains=False,
)
TLA = Infix(
    _SIGNS | {"distinct": "#", "and": "/\\", "or": "\\/", "mod": "%"},
    negation="~{0}",
    choice="(IF {0} THEN {1} ELSE {2})",
    chains=False,
)
LEAN = Infix(
    SIGNS.signs | {"*": "*", "-": "-", "mod": "%"}, negation="¬{0}", choice="(if {0} then {1} else {2})", chains=False
)
HASKELL = Infix(
    {
        "<": ".<",
        ">": ".>",
        "<=": ".<=",
        ">=": ".>=",
        "=": ".==",
        "distinct": "./=",
        "and": ".&&",
        "or": ".||",
        "=>": ".=>",
        "xor": ".<+>",
    }
    | {"+": "+", "-": "-", "*": "*", "mod": "`sMod`"},
    negation="sNot {0}",
    choice="(ite ({0}) ({1}) ({2}))",
    different="distinct [{}]",
    chains=False,
)
LATEX = {
    "<=": r"\leq",
    ">=": r"\geq",
    "distinct": r"\neq",
    "and": r"\land",
    "or": r"\lor",
    "=>": r"\Rightarrow",
    "not": r"\lnot",
    "*": r"\times",
}
LATEX_INFIX = Infix(
    _SIGNS | {sign: text for sign, text in LATEX.items() if sign != "not"} | {"*": r"\cdot", "mod": r"\bmod"},
    negation=r"\lnot {0}",
    choice="",
)


# Frames of mistakes ---------------------------------------------------------------------------------------------------------------------


def lines_changed(change: Callable[[str, Random], str | None], which: str = "draw") -> Mistake:
    """Change one line, all that can be changed, or either by chance."""

    def mistake(text: str, random: Random) -> str | None:
        lines = text.splitlines()
        new: dict[int, str] = {}
        for place, line in enumerate(lines):
            try:
                changed = change(line, random)
            except CannotBeWrittenError:
                continue
            if changed is not None and changed != line:
                new[place] = changed
        if not new:
            return None
        one = which == "one" or (which == "draw" and random.random() < 0.4)
        if one:
            chosen = random.choice(sorted(new))
            new = {chosen: new[chosen]}
        return "\n".join(new.get(place, line) for place, line in enumerate(lines)) + "\n"

    return mistake


def asserted(write: Write, which: str = "draw") -> Mistake:
    """Change assertions, given their formula."""

    def change(line: str, random: Random) -> str | None:
        node = formula(line)
        return None if node is None else write(node, random)

    return lines_changed(change, which)


def forms(*shapes: str, write: Callable[[Node], str] = prefix, which: str = "draw", compound: bool = False) -> Mistake:
    """Write an assertion in one form of several, which is drawn once for each program; `§` is a running number."""

    def mistake(text: str, random: Random) -> str | None:
        shape, count = random.choice(shapes), [0]

        def one(node: Node, _: Random) -> str | None:
            if compound and isinstance(node, str):
                return None
            count[0] += 1
            return shape.replace("§", str(count[0])).replace("<<>>", write(node))

        return asserted(one, which)(text, random)

    return mistake


def whole(text: str, write: Callable[[Node], str], shape: str) -> list[str] | None:
    """Write all assertions, or none."""
    try:
        return [
            shape.replace("<<>>", write(read(line)[1])) for line in text.splitlines() if line.startswith("(assert ")
        ]
    except CannotBeWrittenError:
        return None


def drawn(*mistakes: Mistake) -> Mistake:
    """Make one of several mistakes; another where it does not apply."""

    def mistake(text: str, random: Random) -> str | None:
        for one in random.sample(mistakes, len(mistakes)):
            new = one(text, random)
            if new is not None and new.split() != text.split():
                return new
        return None

    return mistake


def both(*mistakes: Mistake) -> Mistake:
    """Make all of the mistakes."""

    def mistake(text: str, random: Random) -> str | None:
        new: str | None = text
        for one in mistakes:
            new = one(new, random) if new is not None else None
        return new

    return mistake


def nodes(change: Callable[[Node], Node | None], which: str = "draw") -> Mistake:
    """Change forms within formulas; nodes that are strings are written as they are."""

    def write(node: Node, _: Random) -> str | None:
        new = mapped(node, change)
        return None if new == node else f"(assert {prefix(new)})"

    return asserted(write, which)


def pattern(old: str, *new: str, count: int = 0) -> Mistake:
    """Replace a pattern by one of several texts."""

    def mistake(text: str, random: Random) -> str | None:
        changed = re.sub(old, random.choice(new), text, count=count, flags=re.MULTILINE)
        return None if changed == text else changed

    return mistake


def framed(*frames: str) -> Mistake:
    """Put a program in one of several frames, whose place is `<<>>`."""
    return lambda text, random: random.choice(frames).replace("<<>>", text.strip())


def numbered(*shapes: str) -> Mistake:
    """Put a form round each line; `§` is its number."""

    def mistake(text: str, random: Random) -> str:
        shape = random.choice(shapes)
        return (
            "\n".join(
                shape.replace("§", str(place)).replace("<<>>", line)
                for place, line in enumerate(text.split("\n")[:-1], 1)
                if line
            )
            + "\n"
        )

    return mistake


def heads(*choices: dict[str, str]) -> Mistake:
    """Write operators by other names, those of `distinct` only where there are two arguments."""

    def mistake(text: str, random: Random) -> str | None:
        names = random.choice(choices)

        def write(node: Node, _: Random) -> str | None:
            def change(inner: Node) -> Node | None:
                if isinstance(inner, list) and isinstance(inner[0], str) and inner[0] in names:
                    if inner[0] == "distinct" and len(inner) > 3 and names["distinct"].lower() != "distinct":
                        return None
                    if inner[0] == "-" and len(inner) == 2:
                        return None
                    return [names[inner[0]], *inner[1:]]
                return None

            new = mapped(node, change)
            return None if new == node else f"(assert {prefix(new)})"

        return asserted(write, "all")(text, random)

    return mistake


# Formulas -------------------------------------------------------------------------------------------------------------------------------

infix = drawn(
    forms("(assert (<<>>))", write=SMT, compound=True),
    forms("(assert (<<>>))", write=PYTHON, compound=True),
    forms("(assert (<<>>))", write=C, compound=True),
    forms("(assert <<>>)", write=SMT, compound=True),
)


def _outer(node: Node, _: Random) -> str | None:
    """`((+ a b) = 16)`."""
    if isinstance(node, str) or node[0] not in (*COMPARISONS, "and", "or", "=>", "xor") or len(node) < 3:
        return None
    if len(node) > 3 and node[0] not in ("and", "or", "<=", "<"):
        return None
    sign = {"distinct": "!="}.get(node[0], node[0])
    return f"(assert ({f' {sign} '.join(map(prefix, node[1:]))}))"


def _sum_between(node: Node) -> Node | None:
    if isinstance(node, list) and node[0] in ("+", "-", "*") and len(node) > 2:
        return f"({f' {node[0]} '.join(map(prefix, node[1:]))})"
    return None


def _glued(node: Node) -> Node | None:
    """`10*tens+ones`."""
    if (
        isinstance(node, list)
        and node[0] in ("+", "*")
        and all(isinstance(item, str) and "(" not in item for item in node[1:])
    ):
        if node[0] == "*" and any("+" in item for item in node[1:]):
            return None
        return str(node[0]).join(node[1:])
    return None


def _call(node: Node) -> str:
    if isinstance(node, str):
        return node
    if not isinstance(node[0], str) or node[0] in ("let", "forall", "exists"):
        raise CannotBeWrittenError
    return f"{node[0]}({', '.join(map(_call, node[1:]))})"


def _commas(node: Node) -> str:
    if any(
        isinstance(item, list) and (not isinstance(item[0], str) or item[0] in ("let", "forall", "exists"))
        for item in walk(node)
    ):
        raise CannotBeWrittenError
    return prefix(node, between=", ")


def _sum_equals(node: Node, _: Random) -> str | None:
    """`(+ tens ones = 16)`."""
    if isinstance(node, list) and node[0] in ("=", "<=", ">=", "<", ">") and len(node) == 3:
        left, right = node[1:]
        if isinstance(left, list) and left[0] in ("+", "*") and isinstance(right, str):
            return f"(assert ({left[0]} {' '.join(map(prefix, left[1:]))} {node[0]} {right}))"
    return None


def _no_inner(node: Node, _: Random) -> str | None:
    if isinstance(node, list) and node[0] in (*COMPARISONS, *LOGIC):
        return f"(assert {prefix(node)[1:-1]})"
    return None


def _no_inner_infix(node: Node, random: Random) -> str | None:
    text = _outer(node, random)
    return None if text is None else text.replace("(assert (", "(assert ", 1)[:-1]


def _range(*shapes: str) -> Mistake:
    """Write `(<= 1 x 9)` otherwise; `{3}` is the number behind the last."""

    def mistake(text: str, random: Random) -> str | None:
        shape = random.choice(shapes)

        def write(node: Node, _: Random) -> str | None:
            if (
                isinstance(node, list)
                and node[0] == "<="
                and len(node) == 4
                and number(node[1])
                and number(node[3])
                and isinstance(node[2], str)
            ):
                return shape.format(node[2], node[1], node[3], int(node[3]) + 1)
            return None

        return asserted(write, "all")(text, random)

    return mistake


def _different(*shapes: str) -> Mistake:
    def mistake(text: str, random: Random) -> str | None:
        shape = random.choice(shapes)

        def write(node: Node, _: Random) -> str | None:
            if isinstance(node, list) and node[0] == "distinct" and len(node) > 3:
                names = list(map(prefix, node[1:]))
                return f"(assert {shape.format(' '.join(names), ', '.join(names))})"
            return None

        return asserted(write, "all")(text, random)

    return mistake


def _choice(*shapes: str) -> Mistake:
    def mistake(text: str, random: Random) -> str | None:
        shape = random.choice(shapes)

        def change(node: Node) -> Node | None:
            if isinstance(node, list) and node[0] == "ite" and len(node) == 4:
                return shape.format(*map(prefix, node[1:]))
            return None

        return nodes(change, "all")(text, random)

    return mistake


def _minus(*shapes: str) -> Mistake:
    def mistake(text: str, random: Random) -> str | None:
        shape = random.choice(shapes)
        return nodes(
            lambda node: (
                shape.format(node[1])
                if isinstance(node, list) and node[0] == "-" and len(node) == 2 and number(node[1])
                else None
            ),
            "all",
        )(text, random)

    return mistake


def _truth(yes: str, no: str) -> Mistake:
    """Compare Boolean constants with a truth value in another spelling."""

    def mistake(text: str, random: Random) -> str | None:
        names = {name for name, sort in declared(text).items() if sort == "Bool"}

        def change(node: Node) -> Node | None:
            if not isinstance(node, list):
                return None
            if node[0] == "not" and isinstance(node[1], str) and node[1] in names:
                return no.format(node[1])
            if node[0] in ("and", "or", "=>"):
                new = [
                    node[0],
                    *(yes.format(item) if isinstance(item, str) and item in names else item for item in node[1:]),
                ]
                return None if new == node else new
            if node[0] == "ite" and isinstance(node[1], str) and node[1] in names:
                return ["ite", yes.format(node[1]), *node[2:]]
            return None

        return nodes(change, "all")(text, random)

    return mistake


_UNICODE = {"<=": "≤", ">=": "≥", "distinct": "≠", "and": "∧", "or": "∨", "not": "¬", "=>": "⇒", "*": "×"}

# Brackets -------------------------------------------------------------------------------------------------------------------------------


def _one_place(node: Node) -> bool:
    """Whether the last bracket can have stood at the end only."""
    depth = 0
    while isinstance(node, list):
        depth += 1
        if (depth > 1 and len(node) > 3 and node[0] != "ite") or not isinstance(node[0], str):
            return False
        if node[0] in ("let", "forall", "exists"):
            return False
        if depth == 1 and len(node) > 3 and isinstance(node[-1], list):
            return False
        node = node[-1]
    return True


def _too_few(line: str, _: Random) -> str | None:
    if line.startswith("(declare-const"):
        return line[:-1]
    node = formula(line)
    return line[:-1] if node is not None and _one_place(node) else None


def _named_in_brackets(text: str, random: Random) -> str | None:
    names = set(declared(text))

    def change(node: Node) -> Node | None:
        if isinstance(node, list) and node[0] in (*COMPARISONS, "+", "-", "*"):
            new = [
                node[0],
                *(
                    f"({item})"
                    if isinstance(item, str) and (item in names or (number(item) and random.random() < 0.5))
                    else item
                    for item in node[1:]
                ),
            ]
            return None if new == node else new
        return None

    return nodes(change)(text, random)


# Declarations ---------------------------------------------------------------------------------------------------------------------------

CONSTANT = r"^\(declare-const (\S+) (\S+)\)$"
declaring = pattern(
    CONSTANT,
    r"(declare-const \2 \1)",
    r"(declare-const (\1 \2))",
    r"(declare-fun \1 \2)",
    r"(declare-const \1 () \2)",
    r"(define-fun \1 () \2)",
    r"(declare-fun \1 () -> \2)",
    r'(declare-const "\1" \2)',
    r"(declare-const \1 (\2))",
    r"(declare-const \1 as \2)",
    r"(declare-var \2 \1)",
    r"(declare-const \1, \2)",
    r"(declare-const '\1 \2)",
)


def _several(*shapes: str) -> Mistake:
    """Declare constants of one sort that follow each other together."""

    def mistake(text: str, random: Random) -> str | None:
        shape, lines, found = random.choice(shapes), [], False
        group: list[str] = []
        sort = ""

        def flush() -> None:
            nonlocal group, found
            if len(group) > 1:
                found = True
                pairs = " ".join(f"({name} {sort})" for name in group)
                flat = " ".join(f"{name} {sort}" for name in group)
                lines.append(shape.format(" ".join(group), ", ".join(group), sort, pairs, flat))
            elif group:
                lines.append(f"(declare-const {group[0]} {sort})")
            group = []

        for line in text.splitlines():
            match = re.match(CONSTANT, line)
            if match and (not group or sort == match[2]):
                sort = match[2]
                group.append(match[1])
                continue
            flush()
            if match:
                group, sort = [match[1]], match[2]
            else:
                lines.append(line)
        flush()
        return "\n".join(lines) + "\n" if found else None

    return mistake


def _sorts(*words: tuple[str, str, str]) -> Mistake:
    def mistake(text: str, random: Random) -> str | None:
        names = dict(zip(("Int", "Bool", "Real"), random.choice(words), strict=True))
        new = re.sub(
            CONSTANT,
            lambda match: f"(declare-const {match[1]} {names.get(match[2], match[2])})",
            text,
            flags=re.MULTILINE,
        )
        return None if new == text else new

    return mistake


def _twice(text: str, random: Random) -> str | None:
    lines = text.splitlines()
    found = [line for line in lines if re.match(CONSTANT, line)]
    if not found:
        return None
    asserts = [place for place, line in enumerate(lines) if line.startswith("(assert")]
    again = random.choice([found, [random.choice(found)], found[-1:]])
    if random.random() < 0.4:
        again = [re.sub(CONSTANT, r"(declare-fun \1 () \2)", line) for line in again]
    place = random.choice([asserts[0], asserts[len(asserts) // 2], asserts[-1] + 1])
    return "\n".join(lines[:place] + again + lines[place:]) + "\n"


def _whole_numbers(text: str) -> set[str]:
    """Constants of whole numbers whose sort every reader sees in their use."""
    sorts = declared(text)
    if not plain(text) or "Real" in sorts.values() or re.search(r"\d\.\d|forall|exists|let", text):
        return set()
    seen = set()
    for line in text.splitlines():
        for node in walk(formula(line) or ""):
            if isinstance(node, list) and node[0] in ("+", "-", "*", "mod", "<", ">", "<=", ">="):
                seen |= {item for item in node[1:] if isinstance(item, str) and sorts.get(item) == "Int"}
            if (
                isinstance(node, list)
                and node[0] == "="
                and any(isinstance(item, list) and item[0] in ARITHMETIC for item in node[1:])
            ):
                seen |= {item for item in node[1:] if isinstance(item, str) and sorts.get(item) == "Int"}
    return seen


def _undeclared(text: str, random: Random) -> str | None:
    seen = sorted(_whole_numbers(text))
    if not seen:
        return None
    gone = {random.choice(seen)} if random.random() < 0.6 else set(seen)
    return (
        "\n".join(line for line in text.splitlines() if not ((match := re.match(CONSTANT, line)) and match[1] in gone))
        + "\n"
    )


def _late(text: str, random: Random) -> str | None:
    """Declare a constant, or all, behind the assertions that use it."""
    lines = text.splitlines()
    found = [line for line in lines if re.match(CONSTANT, line)]
    if not found:
        return None
    moved = found if random.random() < 0.5 else [found[-1]]
    rest = [line for line in lines if line not in moved]
    place = rest.index("(check-sat)")
    return "\n".join(rest[:place] + moved + rest[place:]) + "\n"


def _enumeration(text: str, random: Random) -> str | None:
    match = re.search(r"(?m)^\(declare-datatypes \(\((\w+) 0\)\) \(\((.*)\)\)\)$", text)
    if not match:
        return None
    names = re.findall(r"\((\w+)\)", match[2])
    shape = random.choice(
        [
            "(declare-datatype {0} ({1}))",
            "(declare-datatypes (({0} 0)) (({1})))",
            "(declare-datatypes (({0} 0)) ({3}))",
            "(declare-enum {0} ({1}))",
            "(declare-datatype {0} = {4})",
            "(declare-datatypes ({0}) (({3})))",
            "enum {0} {{ {2} }}",
            "(define-sort {0} (enum {1}))",
            "(declare-sort {0} ({1}))",
        ]
    )
    new = shape.format(
        match[1], " ".join(names), ", ".join(names), " ".join(f"({name})" for name in names), " | ".join(names)
    )
    return text[: match.start()] + new + text[match.end() :]


# Commands -------------------------------------------------------------------------------------------------------------------------------


def _upper(text: str, random: Random) -> str:
    style = random.choice([str.upper, str.capitalize])
    commands = re.sub(r"(?m)^\(([a-z-]+)", lambda match: "(" + "-".join(map(style, match[1].split("-"))), text)
    return re.sub(r"\((and|or|not|distinct|ite|xor)(?= )", lambda match: "(" + style(match[1]), commands)


def _misspelt(text: str, random: Random) -> str | None:
    slips = [
        (r"^\(assert ", "(asert "),
        (r"^\(assert ", "(asssert "),
        (r"^\(assert ", "(assret "),
        (r"^\(declare-const ", "(delcare-const "),
        (r"^\(declare-const ", "(declare-cosnt "),
        (r"^\(declare-const ", "(declare_const "),
        (r"^\(declare-const ", "(declareConst "),
        (r"^\(declare-const ", "(declare const "),
        (r"^\(declare-const ", "(declare-constant "),
        (r"\(distinct ", "(distict "),
        (r"^\(check-sat\)", "(chekc-sat)"),
    ]
    new = text
    for old, typo in random.sample(slips, 3):
        new = re.sub(old, typo, new, count=random.choice([0, 1]), flags=re.MULTILINE)
    return None if new == text else new


_endings = drawn(
    pattern(
        r"^\(check-sat\)$",
        "(check_sat)",
        "(checksat)",
        "check-sat",
        "(check-sat);",
        "(check-sat.)",
        "(checkSat)",
        "(check-sat)()",
        "(check sat)",
    ),
    pattern(
        r"^\(get-value \((\w+)\)\)$",
        r"(get-value \1)",
        r"(get-values (\1))",
        r"(get_value (\1))",
        r"(get-value [\1])",
        r"(get-value (\1)",
        r"(get-value '(\1))",
        r"(print \1)",
        r"(get-model \1)",
    ),
)
_logic = pattern(
    r"^\(set-logic (\S+)\)$",
    r'(set-logic "\1")',
    r"(set_logic \1)",
    r"(set-logic :\1)",
    r"(setlogic \1)",
    r"(set-logic '\1)",
    r"set-logic \1",
    r"(logic \1)",
    r"(set-option :logic \1)",
)


def _answer(*shapes: str) -> Mistake:
    """Define the answer that is declared already."""

    def mistake(text: str, random: Random) -> str | None:
        shape, sort = random.choice(shapes), declared(text).get("answer")
        if sort is None:
            return None

        def write(node: Node, _: Random) -> str | None:
            if isinstance(node, list) and node[:2] == ["=", "answer"] and len(node) == 3:
                return shape.format(prefix(node[2]), sort)
            return None

        return asserted(write, "all")(text, random)

    return mistake


def _spelt(text: str, random: Random) -> str | None:
    """Write one use of a name in another case, in the other number, or with another sign between its words."""
    words = {word.lower() for word in vocabulary(text)}
    uses = []
    for match in re.finditer(r"(?<=[ (])[A-Za-z_]\w*(?=[ )])", text):
        name = match[0]
        if (
            name not in declared(text)
            or len(name) < 4
            or not text[text.rfind("\n", 0, match.start()) + 1 :].startswith("(assert")
        ):
            continue
        new = (
            [name.capitalize(), name.upper()]
            if sum(word == name.lower() for word in map(str.lower, vocabulary(text))) == 1
            else []
        )
        new += [name[:-1] if name.endswith("s") else name + "s"]
        if "_" in name:
            new += [
                name.replace("_", "-"),
                re.sub(r"_(\w)", lambda found: found[1].upper(), name),
                name.replace("_", ""),
            ]
        uses += [(match, one) for one in new if one.lower() not in words - {name.lower()} and one != name]
    if not uses:
        return None
    match, put = random.choice(uses)
    return text[: match.start()] + put + text[match.end() :]


# The text round the commands ------------------------------------------------------------------------------------------------------------

_OPENINGS = (
    "Sure! Here is the SMT-LIB2 program for this problem:",
    "To solve this problem, we first translate it into SMT-LIB.",
    "Here's the encoding (in SMT-LIB 2.6):",
    "Let me work through this step by step.",
)
_VARIABLES = (
    "First, we declare the variables:",
    "Let's define the unknowns.",
    "Variables",
    "Step 1 - Declarations",
    "We need one constant for each unknown (see above):",
)
_CONSTRAINTS = (
    "Now we add the constraints from the problem:",
    "The constraints are as follows.",
    "Constraints:",
    "Next, encode each clue:",
    "And the clues, one by one:",
)
_CHECKS = ("Finally, check satisfiability and get the answer:", "Now solve it.", "Check:", "Then we ask the solver.")
_CLOSINGS = (
    "I hope this helps! Let me know if you have any questions.",
    "This program can be run with Z3.",
    "The solver will then print the answer.",
    "Done!",
)


def _prose(text: str, random: Random) -> str:
    lines: list[str] = [random.choice(_OPENINGS), ""]
    seen: set[str] = set()
    for line in text.splitlines():
        for start, sentences in (("(declare-const", _VARIABLES), ("(assert", _CONSTRAINTS), ("(check-sat", _CHECKS)):
            if line.startswith(start) and start not in seen:
                seen.add(start)
                lines += ["", random.choice(sentences)]
        lines.append(line)
    return "\n".join([*lines, "", random.choice(_CLOSINGS)]) + "\n"


_NOTES = (
    "first clue",
    "given in the text",
    "from the problem",
    "the next condition",
    "clue 2",
    "see the statement",
    "a fact",
    "condition 3",
)


def _behind(*shapes: str) -> Mistake:
    """Write a remark behind some assertions."""

    def mistake(text: str, random: Random) -> str | None:
        shape = random.choice(shapes)
        lines = [
            line + shape.format(random.choice(_NOTES)) if line.startswith("(assert") and random.random() < 0.7 else line
            for line in text.splitlines()
        ]
        return "\n".join(lines) + "\n"

    return mistake


def _comments(text: str, random: Random) -> str:
    """Comments as another language has them, in lines of their own and behind commands."""
    shape = random.choice(
        ["// {}", "# {}", "-- {}", "% {}", "/* {} */", "(* {} *)", "<!-- {} -->", "// {}", "# {}", '""" {} """']
    )
    lines, seen = [], set()
    for line in text.splitlines():
        start = line.split()[0]
        if start in ("(declare-const", "(assert", "(check-sat)") and start not in seen:
            seen.add(start)
            lines.append(
                shape.format(
                    {
                        "(declare-const": "Declare variables",
                        "(assert": "Constraints",
                        "(check-sat)": "Check satisfiability",
                    }[start]
                )
            )
        behind = line.startswith("(assert") and random.random() < 0.4
        lines.append(f"{line} {shape.format(random.choice(_NOTES))}" if behind else line)
    return "\n".join(lines) + "\n"


def _wrapped_comment(text: str, random: Random) -> str:
    comments = [
        "; The constants stand for the unknown quantities that are described in the\nstatement of the problem",
        "; Each of these lines translates one sentence of the\ntext, in the order in which they were given",
        "; What the question asks for is computed here so that it can be\nprinted at the end",
    ]
    lines, count = [], 0
    for line in text.splitlines():
        if line.startswith("(assert") and count < 2 and random.random() < 0.6:
            lines.append(comments[count])
            count += 1
        lines.append(line)
    return "\n".join([comments[0] if not count else "", *lines]).strip() + "\n"


def _backslashes(text: str, random: Random) -> str:
    sign = random.choice([" \\\n    ", " \\\n", " ↵\n  ", " _\n    "])
    return re.sub(r"(?m)^(\(assert .{8,}?) (?=\S+)", lambda match: match[1] + sign, text)


def _sections(text: str, random: Random) -> str:
    """Parts of the program in blocks of their own under headings, or as points with code."""
    parts: dict[str, list[str]] = {"Logic": [], "Declarations": [], "Constraints": [], "Query": []}
    for line in text.splitlines():
        kind = (
            "Logic"
            if line.startswith("(set")
            else "Declarations"
            if line.startswith("(declare")
            else "Constraints"
            if line.startswith("(assert")
            else "Query"
        )
        parts[kind].append(line)
    style = random.choice(["blocks", "points", "table", "bold"])
    if style == "blocks":
        return "\n\n".join(
            f"### {place}. {name}\n```smt2\n" + "\n".join(lines) + "\n```"
            for place, (name, lines) in enumerate(parts.items(), 1)
            if lines
        )
    if style == "table":
        rows = [
            f"| {place} | `{line}` | {name.lower()} |"
            for name, lines in parts.items()
            for place, line in enumerate(lines, 1)
        ]
        return "| # | Command | Kind |\n|---|---|---|\n" + "\n".join(rows)
    if style == "points":
        return "\n".join(
            f"\n**{name}**\n" + "\n".join(f"- `{line}`" for line in lines) for name, lines in parts.items()
        )
    return "\n".join(
        f"- **{name} {place}:** {line}" for name, lines in parts.items() for place, line in enumerate(lines, 1)
    )


def _quoted(text: str, random: Random) -> str:
    lines = text.strip().splitlines()
    style = random.randrange(5)
    if style == 0:
        return "from z3 import *\n\nsmt = '''\n" + text + "'''\n\ns = Solver()\ns.from_string(smt)\nprint(s.check())\n"
    if style == 1:
        return 'code = ""\n' + "\n".join(f'code += "{line}\\n"' for line in lines) + "\nprint(code)\n"
    if style == 2:
        return "program = (\n" + "\n".join(f'    "{line}\\n"' for line in lines) + "\n)\n"
    if style == 3:
        return "\n".join(f"echo '{line}' >> problem.smt2" for line in lines) + "\nz3 problem.smt2\n"
    return "cat > problem.smt2 << EOF\n" + text + "EOF\nz3 problem.smt2\n"


def _markup(text: str, random: Random) -> str | None:
    new = html.escape(text, quote=False)
    style = random.randrange(3)
    if style == 0:
        return "<pre><code>" + new + "</code></pre>"
    if style == 1:
        return new.replace("\n", "<br>\n")
    return "".join(f"<p>{line}</p>\n" for line in new.splitlines()).replace(" ", "&nbsp;")


def _cut(text: str, random: Random) -> str:
    """The text ends within the last commands, which hold no constraint."""
    if "(get-value (" in text:
        return text[: text.index("(get-value (")] + random.choice(
            ["(get-val", "(get-value (ans", "(get-", "(get-value (answer"]
        )
    return text[: text.index("(check-sat)")] + random.choice(
        ["(check-sat)\n(get-mo", "(check-s", "(check-sat", "(check-sat)\n(ex"]
    )


def _whole_twice(text: str, random: Random) -> str:
    between = random.choice(
        ["\n\nFinal program:\n\n", "\nSo the complete SMT-LIB code is:\n", "\n```\n\n```smt2\n", "\n\nFinal answer:\n"]
    )
    return (
        ("```smt2\n" if "```" in between else "")
        + text.strip()
        + between
        + text.strip()
        + ("\n```\n" if "```" in between else "\n")
    )


def _json_parts(text: str, random: Random) -> str | None:
    if not plain(text):
        return None
    write = random.choice(list[Callable[[Node], str]]([prefix, SMT]))
    rows = whole(text, write, "<<>>")
    if rows is None:
        return None
    logic = next(iter(re.findall(r"set-logic (\S+?)\)", text)))
    sorts = declared(text)
    if random.random() < 0.5:
        return json.dumps({"logic": logic, "variables": sorts, "constraints": rows}, indent=random.choice([2, None]))
    commands = [line for line in text.splitlines() if line.startswith("(assert")]
    return json.dumps(
        {
            "logic": logic,
            "declarations": [f"(declare-const {name} {sort})" for name, sort in sorts.items()],
            "assertions": commands,
            "commands": ["(check-sat)"],
        },
        indent=2,
    )


def _json_text(text: str, random: Random) -> str:
    key = random.choice(["smtlib", "program", "code", "answer"])
    return random.choice(["```json\n<<>>\n```", "<<>>", "[<<>>]"]).replace(
        "<<>>", json.dumps({"reasoning": "Each sentence becomes one assertion.", key: text})
    )


# Python ---------------------------------------------------------------------------------------------------------------------------------


def _python_declarations(text: str, random: Random) -> str:
    sorts = declared(text)
    if random.random() < 0.5:
        return "\n".join(f"{name} = {sort}('{name}')" for name, sort in sorts.items())
    rows = []
    for sort in dict.fromkeys(sorts.values()):
        names = [name for name, one in sorts.items() if one == sort]
        rows.append(
            f"{', '.join(names)} = {sort}s('{' '.join(names)}')"
            if len(names) > 1
            else f"{names[0]} = {sort}('{names[0]}')"
        )
    return "\n".join(rows)


def _script(text: str, random: Random) -> str | None:
    rows = whole(text, Z3PY, "<<>>") if plain(text) else None
    if rows is None:
        return None
    head = "from z3 import *\n\n" + _python_declarations(text, random) + "\n\n"
    style = random.randrange(3)
    if style == 0:
        body = "s = Solver()\n" + "\n".join(f"s.add({row})" for row in rows)
    elif style == 1:
        body = "s = Solver()\ns.add(\n" + ",\n".join(f"    {row}" for row in rows) + "\n)"
    else:
        body = (
            "constraints = [\n"
            + "".join(f"    {row},\n" for row in rows)
            + "]\nsolver = Solver()\nsolver.add(constraints)"
        )
    solver = "solver" if style == 2 else "s"
    end = (
        f"\n\nif {solver}.check() == sat:\n    print({solver}.model())\n"
        if random.random() < 0.5
        else f"\n\nprint({solver}.check())\n"
    )
    return head + body + end


def _half_script(text: str, random: Random) -> str | None:
    """SMT-LIB with pieces of Python: either the declarations or the assertions."""
    if not plain(text):
        return None
    if random.random() < 0.4:
        return re.sub(CONSTANT, r"\1 = \2('\1')", text, flags=re.MULTILINE)
    shape, write = random.choice(
        list[tuple[str, Callable[[Node], str]]](
            [
                ("s.add(<<>>)", Z3PY),
                ("(assert <<>>)", Z3PY),
                ("assert <<>>", PYTHON),
                ("(s.add <<>>)", prefix),
                ("solver.add(<<>>)", SMT),
                ("s.add(<<>>)", prefix),
            ]
        )
    )
    return forms(shape, write=write, which="all")(text, random)


def _for_all(*shapes: str) -> Mistake:
    """State the range that several names share once."""

    def mistake(text: str, random: Random) -> str | None:
        found = re.findall(r"(?m)^\(assert \(<= (\d+) (\w+) (\d+)\)\)$", text)
        if len(found) < 2 or len({(low, high) for low, _, high in found}) != 1:
            return None
        names = [name for _, name, _ in found]
        new = random.choice(shapes).format(" ".join(names), ", ".join(names), found[0][0], found[0][2])
        lines, done = [], False
        for line in text.splitlines():
            if re.match(r"\(assert \(<= \d+ \w+ \d+\)\)$", line):
                lines += [] if done else [new]
                done = True
            else:
                lines.append(line)
        return "\n".join(lines) + "\n"

    return mistake


# Rare -----------------------------------------------------------------------------------------------------------------------------------


def _minizinc(text: str, _: Random) -> str | None:
    rows = whole(text, MINIZINC, "constraint <<>>;") if plain(text) else None
    if rows is None:
        return None
    kinds = {"Int": "int", "Bool": "bool", "Real": "float"}
    head = [f"var {kinds[sort]}: {name};" for name, sort in declared(text).items()]
    return (
        "\n".join(
            [*(['include "globals.mzn";'] if "alldifferent" in "".join(rows) else []), *head, *rows, "solve satisfy;"]
        )
        + "\n"
    )


def _yaml(text: str, random: Random) -> str | None:
    rows = whole(text, random.choice(list[Callable[[Node], str]]([prefix, SMT])), "  - <<>>") if plain(text) else None
    if rows is None:
        return None
    if any(row.startswith("  - !") for row in rows):
        return None
    logic = next(iter(re.findall(r"set-logic (\S+?)\)", text)))
    return (
        f"logic: {logic}\nvariables:\n"
        + "".join(f"  {name}: {sort}\n" for name, sort in declared(text).items())
        + "constraints:\n"
        + "\n".join(rows)
        + "\n"
    )


def _lean(text: str, random: Random) -> str | None:
    rows = whole(text, LEAN, "<<>>") if plain(text) else None
    if rows is None or any("distinct" in row for row in rows):
        return None
    kinds = {"Int": "ℤ", "Bool": "Prop", "Real": "ℝ"}
    head = [f"variable ({name} : {kinds[sort]})" for name, sort in declared(text).items()]
    shape = random.choice(["axiom h{0} : {1}", "variable (h{0} : {1})", "(h{0} : {1})"])
    return "\n".join([*head, *(shape.format(place, row) for place, row in enumerate(rows, 1))]) + "\n"


def _haskell(text: str, _: Random) -> str | None:
    rows = whole(text, HASKELL, "  constrain $ <<>>") if plain(text) else None
    if rows is None:
        return None
    kinds = {"Int": "sInteger", "Bool": "sBool", "Real": "sReal"}
    head = [f'  {name} <- {kinds[sort]} "{name}"' for name, sort in declared(text).items()]
    return "\n".join(["import Data.SBV", "", "main = print =<< sat (do", *head, *rows, "  )"]) + "\n"


_declarative = drawn(
    forms("<<>>,", write=PROLOG, which="all", compound=True),
    forms("/\\ <<>>", write=replace(TLA, different="Cardinality({{{}}})"), which="all", compound=True),
    forms("fact { <<>> }", "fact c§ { <<>> }", write=replace(SMT, different="disj[{}]"), which="all", compound=True),
)


def _tla_ok(text: str, random: Random) -> str | None:
    new = _declarative(text, random)
    return None if new is None or "Cardinality" in new else new


def _latex_names(mistake: Mistake) -> Mistake:
    def escaped(text: str, random: Random) -> str | None:
        new = mistake(text, random)
        return (
            None
            if new is None
            else re.sub(r"(?m)^(?!\((?:declare|set|check|get)).*$", lambda match: match[0].replace("_", r"\_"), new)
        )

    return escaped


def _diff(text: str, random: Random) -> str:
    lines = text.strip().splitlines()
    new = []
    changed = random.random() < 0.4
    places = [place for place, line in enumerate(lines) if line.startswith("(assert") and re.search(r"\d", line)]
    chosen = random.choice(places) if places and changed else -1
    for place, line in enumerate(lines):
        if place == chosen:
            old = re.sub(r"\d+(?!.*\d)", lambda match: str(int(match[0]) + 1), line, count=1)
            new += ["-" + old, "+" + line]
        else:
            new.append((" " if chosen >= 0 else "+") + line)
    count = len(lines)
    head = (
        f"--- a/problem.smt2\n+++ b/problem.smt2\n@@ -1,{count} +1,{count} @@\n"
        if chosen >= 0
        else f"--- /dev/null\n+++ b/problem.smt2\n@@ -0,0 +1,{count} @@\n"
    )
    return head + "\n".join(new) + "\n"


def _translated(text: str, random: Random) -> str | None:
    words = random.choice(
        [
            {
                "assert": "behaupte",
                "and": "und",
                "or": "oder",
                "not": "nicht",
                "Int": "Ganzzahl",
                "Bool": "Wahrheitswert",
                "distinct": "verschieden",
            },
            {
                "assert": "afirmar",
                "and": "y",
                "or": "o",
                "not": "no",
                "Int": "Entero",
                "Bool": "Booleano",
                "distinct": "distintos",
            },
            {
                "assert": "affirmer",
                "and": "et",
                "or": "ou",
                "not": "non",
                "Int": "Entier",
                "Bool": "Booléen",
                "distinct": "distincts",
            },
            {
                "assert": "afirmar",
                "and": "e",
                "or": "ou",
                "not": "não",
                "Int": "Inteiro",
                "Bool": "Booleano",
                "distinct": "distintos",
            },
        ]
    )
    if set(words.values()) & vocabulary(text):
        return None
    keys = [key for key in words if key != "assert"] + (["assert"] if random.random() < 0.5 else [])
    new = re.sub(
        rf"(?<=\()({'|'.join(key for key in keys if key not in ('Int', 'Bool'))})(?= )",
        lambda match: words[match[1]],
        text,
    )
    return re.sub(r"(?m) (Int|Bool)\)$", lambda match: f" {words[match[1]]})", new)


def _slips_of_scan(text: str, random: Random) -> str | None:
    """Letters for digits, and operators that fell apart."""
    if {"l", "O", "I"} & vocabulary(text):
        return None
    change = random.choice(
        [
            (r"(?<= )1(?=[ )])", "l"),
            (r"(?<= )0(?=[ )])", "O"),
            (r"(?<=[ ]1)0(?=[ )])", "O"),
            (r"\(([<>]) ?= ", r"(\1 = "),
            (r"\(=> ", "(= > "),
            (r"^\(assert ", "(assert. "),
            (r"^\((?=assert|declare)", "{"),
        ]
    )
    lines = [
        re.sub(*change, line) if line.startswith(("(assert", "(declare-const")) else line for line in text.splitlines()
    ]
    new = "\n".join(lines) + "\n"
    return None if new == text else new


def _wide(text: str, random: Random) -> str:
    table: dict[str, str] = random.choice(
        [
            {"(": "（", ")": "）"},
            {"(": "（", ")": "）", "=": "＝", "<": "＜", ">": "＞", "+": "＋"},
            {"(": "⟨", ")": "⟩"},
            {" ": "\u3000", "(": "（", ")": "）"},
        ]
    )
    return "".join(table.get(sign, sign) for sign in text)


def _postfix(node: Node) -> str:
    if isinstance(node, str):
        return node
    if not isinstance(node[0], str) or node[0] not in (*COMPARISONS, *ARITHMETIC, *LOGIC):
        raise CannotBeWrittenError
    return f"({' '.join(map(_postfix, node[1:]))} {node[0]})"


def _transcript(text: str, random: Random) -> str:
    prompt, reply = random.choice(
        [("z3> ", ""), ("> ", "success"), ("cvc5> ", ""), ("smt> ", "success"), ("In [#]: ", "")]
    )
    lines = ["$ z3 -in"] if prompt.startswith(("z3", ">")) else []
    for place, line in enumerate(text.strip().splitlines(), 1):
        lines.append(prompt.replace("#", str(place)) + line)
        if line == "(check-sat)":
            lines.append("sat")
        elif reply and not line.startswith("(get"):
            lines.append(reply)
    return "\n".join(lines) + "\n"


fewer = lines_changed(_too_few, "one")
commented = _comments
sorts = _sorts(
    ("Integer", "Boolean", "Real"),
    ("int", "bool", "real"),
    ("INT", "BOOL", "REAL"),
    ("integer", "boolean", "float"),
    ("Ints", "Bools", "Reals"),
    ("IntSort", "BoolSort", "RealSort"),
    ("Int()", "Bool()", "Real()"),
    (":Int", ":Bool", ":Real"),
)
signs_of_programs = heads(
    {"and": "&&", "or": "||", "not": "!", "=": "==", "distinct": "!=", "mod": "%", "=>": "->"},
    {"=": "==", "distinct": "!=", "=>": "implies", "mod": "%"},
    {"distinct": "/=", "=>": "->", "and": "&", "or": "|", "not": "~"},
    {"distinct": "<>", "=": "==", "=>": "==>", "not": "!"},
    {
        "and": "And",
        "or": "Or",
        "not": "Not",
        "=>": "Implies",
        "distinct": "Distinct",
        "ite": "If",
        "xor": "Xor",
        "=": "==",
    },
    {"distinct": "not=", "=": "==", "and": "&&"},
)
spelt_out = heads(
    {"<": "lt", ">": "gt", "<=": "le", ">=": "ge", "=": "eq", "distinct": "ne", "=>": "implies"},
    {
        "<": "less-than",
        ">": "greater-than",
        "<=": "less-than-or-equal",
        ">=": "greater-than-or-equal",
        "=": "equals",
        "distinct": "not-equal",
    },
    {"<": "lt", ">": "gt", "<=": "lte", ">=": "gte", "=": "equal", "+": "plus", "-": "minus", "*": "times"},
    {
        "<": "less_than",
        ">": "greater_than",
        "<=": "less_than_or_equal_to",
        ">=": "greater_than_or_equal_to",
        "=": "is_equal",
        "+": "add",
        "-": "sub",
        "*": "mul",
        "mod": "modulo",
    },
    {"+": "sum", "*": "product", "=": "equals", "=>": "implies", "mod": "modulo"},
)
unicode = drawn(
    heads(_UNICODE),
    forms("(assert (<<>>))", "(assert <<>>)", write=SIGNS, compound=True, which="all"),
    heads({"<=": "≤", ">=": "≥", "distinct": "≠"}),
    heads(_UNICODE | {"=>": "→", "not": "~"}),
)
without_assert = forms(
    "<<>>",
    "(constraint <<>>)",
    "(require <<>>)",
    "(assume <<>>)",
    "assert <<>>",
    "assert(<<>>)",
    "(add <<>>)",
    "(assert-that <<>>)",
    "(assert: <<>>)",
    "(ensure <<>>)",
    "(fact <<>>)",
    "constraint <<>>",
    compound=True,
)
labels = drawn(
    numbered("§. <<>>", "§) <<>>", "Step §: <<>>", "[§] <<>>", "  § | <<>>", "§: <<>>", "L§  <<>>"),
    forms(
        "Clue §: (assert <<>>)",
        "c§: (assert <<>>)",
        "constraint_§ := (assert <<>>)",
        "(§) (assert <<>>)",
        "- (assert <<>>)",
        "Constraint §. (assert <<>>)",
        "* Condition § -> (assert <<>>)",
    ),
)

MISTAKES: dict[str, Mistake] = {
    # The common ones of formulas.
    "formula: between the arguments": infix,
    "formula: between and before": drawn(asserted(_outer), nodes(_sum_between)),
    "formula: calls and commas": drawn(
        forms("(assert <<>>)", write=_call, compound=True),
        forms("(assert <<>>)", write=_commas, compound=True),
        forms("assert(<<>>)", write=_call, compound=True),
    ),
    "formula: glued sums": drawn(nodes(_glued), asserted(_sum_equals)),
    "formula: signs of programming languages": signs_of_programs,
    "formula: operators in words": spelt_out,
    "formula: no brackets behind assert": drawn(asserted(_no_inner), asserted(_no_inner_infix)),
    "formula: ranges": _range(
        "(assert (<= {1} {0} <= {2}))",
        "(assert ({1} <= {0} <= {2}))",
        "(assert (<= {1} {0}) (<= {0} {2}))",
        "(assert ({0} >= {1} and {0} <= {2}))",
        "(assert ({0} in {1}..{2}))",
        "(assert (in {0} range({1}, {3})))",
        "(assert {1} <= {0} and {0} <= {2})",
        "(assert (and (>= {0} {1}) ({0} <= {2})))",
        "(assert ({0} >= {1}) and ({0} <= {2}))",
    ),
    "formula: all different": _different(
        "(alldifferent {0})",
        "(all_different [{1}])",
        "(distinct [{1}])",
        "(distinct ({0}))",
        "(distinct (list {0}))",
        "(all-different {0})",
        "AllDifferent({1})",
        "Distinct([{1}])",
        "(distinct '({0}))",
        "(alldiff {{{1}}})",
        "(pairwise-distinct {0})",
    ),
    "formula: if and else": _choice(
        "(if {0} then {1} else {2})",
        "(if {0} {1} else {2})",
        "({0} ? {1} : {2})",
        "({1} if {0} else {2})",
        "(cond ({0} {1}) (else {2}))",
        "If({0}, {1}, {2})",
        "(ite {0} then {1} else {2})",
        "(ite ({0}) ({1}) ({2}))",
        "(if {0} then {1}, else {2})",
        "(? {0} {1} {2})",
    ),
    "formula: negative numbers": _minus("-{0}", "(-{0})", "−{0}", "(neg {0})", "(0 - {0})", "(− {0})"),
    "formula: truth values": drawn(
        _truth("(= {0} True)", "(= {0} False)"),
        _truth("(== {0} true)", "(== {0} false)"),
        _truth("(is-true {0})", "(is-false {0})"),
        _truth("({0} = true)", "({0} = false)"),
        _truth("(= {0} TRUE)", "(= {0} FALSE)"),
    ),
    "formula: mathematical signs": unicode,
    "formula: a range for each of several": _for_all(
        "(assert (forall (v in [{1}]) (<= {2} v {3})))",
        "(for-each v ({0}) (assert (<= {2} v {3})))",
        "for v in [{1}]: s.add(And(v >= {2}, v <= {3}))",
        "(foreach (v ({0})) (assert (<= {2} v {3})))",
        "for v in ({1}):\n    (assert (<= {2} v {3}))",
        "(assert (<= {2} [{1}] {3}))",
    ),
    # The common ones of brackets.
    "brackets: one missing": fewer,
    "brackets: one too many": lines_changed(lambda line, _: line + ")" if line.startswith("(assert") else None),
    "brackets: doubled": drawn(
        forms("(assert (<<>>))", compound=True), _named_in_brackets, forms("((assert <<>>))", compound=True)
    ),
    # The common ones of declarations.
    "declared: wrong order or brackets": declaring,
    "declared: several in one": _several(
        "(declare-const {0} {2})",
        "(declare-consts ({0}) {2})",
        "(declare-const ({0}) {2})",
        "(declare-const {4})",
        "(declare-fun ({0}) () {2})",
        "(declare-const {1} {2})",
        "(declare-consts ({3}))",
        "(declare-const {1}: {2})",
    ),
    "declared: sort by another name": sorts,
    "declared: twice": _twice,
    "declared: not at all or too late": drawn(_undeclared, _undeclared, _late),
    "declared: enumeration": _enumeration,
    # The common ones of commands.
    "command: assert missing or by another name": without_assert,
    "command: misspelt or in capitals": drawn(_misspelt, _misspelt, _upper),
    "command: ending or logic": drawn(_endings, _endings, _logic),
    "command: name of an assertion": forms(
        "(assert <<>> :named c§)",
        "(assert (! <<>> :name c§))",
        "(assert (<<>> :named c§))",
        "(assert c§ <<>>)",
        '(assert "clue §" <<>>)',
        "(assert :named c§ <<>>)",
        "(assert-named c§ <<>>)",
        "(assert (! <<>> named c§))",
        "(assert <<>> ! :named c§)",
        "(assert (named c§ <<>>))",
        compound=True,
    ),
    "command: the answer defined": _answer(
        "(define-fun answer () {1} {0})",
        "(define answer {0})",
        "(define-const answer {1} {0})",
        "(assert (answer = {0}))",
        "(assert answer {0})",
        "answer := {0}",
        "(let answer {0})",
        "(set answer {0})",
        "(assert (:= answer {0}))",
    ),
    "name: case, number or hyphen": _spelt,
    # The common ones of text.
    "text: prose between the commands": _prose,
    "text: numbers and labels": labels,
    "text: remarks behind a command": _behind(
        "  - {0}", " <- {0}", "  ({0})", " ← {0}", " [{0}]", "   {0}", ", {0}", "  … {0}"
    ),
    "text: comments of other languages": commented,
    "text: wrapped lines": drawn(_wrapped_comment, _wrapped_comment, _backslashes),
    "text: Markdown": _sections,
    "text: marks of chat templates": framed(
        "<think>\nThe problem asks for a few unknowns. I declare them, then I state each clue.\n</think>\n\n<answer>\n<<>>\n</answer>",
        "<|im_start|>assistant\n<<>>\n<|im_end|>",
        "[/INST] <<>> </s>",
        "<<>><|endoftext|>",
        "<smt2>\n<<>>\n</smt2>\n\n**Answer:** see the solver's output.",
        "<|assistant|>\n```smt\n<<>>\n```<|eot_id|>",
    ),
    "text: JSON": drawn(_json_parts, _json_parts, _json_text),
    "text: strings of a program": _quoted,
    "text: HTML": _markup,
    "text: ends early": _cut,
    "text: the same program twice": _whole_twice,
    # The common ones of Python.
    "Python: a script": _script,
    "Python: pieces": _half_script,
    # frequent: two at once
    "two: infix, no assert": both(
        sorts, forms("<<>>", "assert <<>>", "(<<>>)", write=PYTHON, which="all", compound=True)
    ),
    "two: a bracket and prose": both(fewer, _prose),
    # rare
    "rare: MiniZinc": _minizinc,
    "rare: YAML": _yaml,
    "rare: LaTeX": _latex_names(
        drawn(
            heads(LATEX),
            forms("$<<>>$", "\\item $<<>>$", "$$<<>>$$", write=LATEX_INFIX, which="all", compound=True),
            forms("\\texttt{(assert <<>>)} \\\\"),
        )
    ),
    "rare: difference of two files": _diff,
    "rare: Lean or Haskell": drawn(_lean, _haskell),
    "rare: Prolog, TLA+ or Alloy": _tla_ok,
    "rare: translated words": _translated,
    "rare: slips of a scan": _slips_of_scan,
    "rare: wide signs": _wide,
    "rare: behind the arguments": forms("(assert <<>>)", write=_postfix, compound=True),
    "rare: transcript": _transcript,
}


# Traps ----------------------------------------------------------------------------------------------------------------------------------


def one_line(*shapes: str) -> Mistake:
    """Write one assertion in another form."""
    return forms(*shapes, which="one", compound=True)


def _other(line: str, random: Random) -> str | None:
    """Return an assertion that differs in its content."""
    ends = [
        (r"\(<= ", "(< "),
        (r"\(>= ", "(> "),
        (r"\(< ", "(<= "),
        (r"\(> ", "(>= "),
        (r"\(and ", "(or "),
        (r"\(or ", "(and "),
    ]
    if re.search(r" \d+\)", line) and random.random() < 0.6:
        last = list(re.finditer(r" (\d+)\)", line))[-1]
        return f"{line[: last.start()]} {int(last[1]) + random.choice([1, 2, 10])}){line[last.end() :]}"
    for old, new in random.sample(ends, len(ends)):
        if re.search(old, line):
            return re.sub(old, new, line, count=1)
    return None


def _versions(*shapes: str) -> Mistake:
    """Give a line twice with different content."""

    def change(line: str, random: Random) -> str | None:
        other = _other(line, random) if line.startswith("(assert") else None
        if other is None:
            return None
        a, b = random.sample([line, other], 2)
        return random.choice(shapes).format(a, b)

    return lines_changed(change, "one")


def _two_programs(text: str, random: Random) -> str | None:
    places = [
        (place, other)
        for place, line in enumerate(text.splitlines())
        if line.startswith("(assert") and (other := _other(line, random))
    ]
    if not places:
        return None
    place, other = random.choice(places)
    lines = text.strip().splitlines()
    second = "\n".join([*lines[:place], other, *lines[place + 1 :]])
    first = "\n".join(lines)
    return random.choice(
        [
            "Version A:\n{0}\n\nVersion B:\n{1}\n",
            "```smt2\n{0}\n```\n\nor\n\n```smt2\n{1}\n```\n",
            "Attempt 1\n{0}\n\nAttempt 2\n{1}\n\nI am not sure which one is right.\n",
        ]
    ).format(*random.sample([first, second], 2))


def _values(*shapes: str) -> Mistake:
    """Give an operator or a number twice."""

    def write(node: Node, random: Random) -> str | None:
        if (
            isinstance(node, list)
            and node[0] in ("<", "<=", ">", ">=", "=")
            and len(node) >= 3
            and isinstance(node[-1], str)
            and number(node[-1])
            and "." not in node[-1]
        ):
            first = int(node[-1])
            value = random.choice(shapes).format(first, first + random.choice([1, 10]))
            return f"(assert {prefix([*node[:-1], value])})"
        return None

    return asserted(write, "one")


def _operators(node: Node, random: Random) -> str | None:
    if isinstance(node, list) and node[0] in ("<", "<=", ">", ">="):
        sign = node[0][0]
        return f"(assert ({random.choice([f'{sign}/{sign}=', f'{sign}|{sign}=', f'{sign} or {sign}=', f'{sign}(=)', f'{sign}[=]', f'[{sign}, {sign}=]'])} {' '.join(map(prefix, node[1:]))}))"
    return None


def _two_sorts(text: str, random: Random) -> str | None:
    """Declare the numbers as whole and as real; their use says nothing of it."""
    if not plain(text) or "mod" in text or "div" in text or re.search(r"\d\.\d|ite|let|forall", text):
        return None
    found = [name for name, sort in declared(text).items() if sort == "Int"]
    if not found:
        return None
    blocks = [
        "\n".join(f"(declare-const {name} {sort})" for name in found) for sort in random.sample(["Int", "Real"], 2)
    ]
    rest = [line for line in text.splitlines() if not re.match(CONSTANT, line) or not line.endswith(" Int)")]
    return "\n".join(["(set-logic ALL)", *blocks, *(line for line in rest if not line.startswith("(set-logic"))]) + "\n"


_swallowed = one_line(
    "(assert ; it is given that not <<>>)",
    "(assert ; whether or not <<>>)",
    "(assert (not ; as in the text <<>>)",
    "(assert (or ; one of these, maybe not <<>>))",
    "(assert ; the negation of (not <<>>))",
)


def _loose(*shapes: str) -> Mistake:
    """Join three formulas by connectives whose order of binding nobody knows."""

    def mistake(text: str, random: Random) -> str | None:
        lines = text.splitlines()
        places = [place for place, line in enumerate(lines) if line.startswith("(assert (")]
        if len(places) < 3:
            return None
        chosen = sorted(random.sample(places, 3))
        a, b, c = (prefix(read(lines[place])[1]) for place in chosen)
        lines[chosen[0]] = random.choice(shapes).format(a, b, c)
        return "\n".join(line for place, line in enumerate(lines) if place not in chosen[1:]) + "\n"

    return mistake


def _units(node: Node, random: Random) -> str | None:
    if (
        isinstance(node, list)
        and node[0] in ("=", "<=", ">=", "<", ">")
        and len(node) == 3
        and number(node[-1])
        and float(node[-1])
        and not number(node[1])
    ):
        value = node[-1]
        new = random.choice(
            [
                f"{value}%",
                f"~{value}",
                f"{value}m",
                f"{value}h 30min",
                f"≈{value}",
                f"{value}±2",
                f"{value}ish",
                f"{value}:30",
                f"{value}+",
            ]
        )
        return f"(assert {prefix([*node[:-1], new])})"
    return None


def _unclear_range(text: str, random: Random) -> str | None:
    shapes = [
        "(assert ({0} until {2}))",
        "(assert ({0} from {1} till {2}))",
        "(assert (range {0} {1} {2}))",
        "(assert ({0} in {1}:{2}))",
        "(assert (between {0} {1} {2} exclusive?))",
        "(assert (in {0} [{1}, {2}]))",
        "(assert ({0} is about {1} to {2}))",
        "(assert (strictly-or-weakly-between {0} {1} {2}))",
        "(assert ({0} below {2} or so))",
    ]
    return _range(*shapes)(text, random)


def _lost_within(text: str, random: Random) -> str | None:
    """Lose the bracket behind an inner form, so that what follows it may belong to either."""

    def write(node: Node, _: Random) -> str | None:
        if not isinstance(node, list) or node[0] not in (
            "and",
            "or",
            "xor",
            "distinct",
            "=",
            "<=",
            ">=",
            "<",
            ">",
            "+",
        ):
            return None
        found = []
        for outer in walk(node):
            if isinstance(outer, list) and outer[0] in ("and", "or", "+", "*", "distinct"):
                for place in range(2, len(outer) - 1):
                    inner = outer[place]
                    if isinstance(inner, list) and inner[0] in ("and", "or", "+", "*") and inner[0] != outer[0]:
                        found.append((outer, place))
        if not found:
            return None
        outer, place = random.choice(found)
        rest = prefix(outer)
        head = prefix(outer[: place + 1])[:-1]  # without the bracket of the outer form
        tail = " ".join(map(prefix, outer[place + 1 :]))
        broken = f"{head[:-1]} {tail})"  # nor that of the inner one
        return f"(assert {prefix(node).replace(rest, broken, 1)})"

    return asserted(write, "one")(text, random)


def _pronoun(text: str, random: Random) -> str | None:
    names = declared(text)
    if len(names) < 3:
        return None
    words = [
        word for word in ("it", "other", "this", "they", "that_one", "X", "former") if word not in vocabulary(text)
    ]

    def write(node: Node, _: Random) -> str | None:
        used = {item for item in walk(node) if isinstance(item, str) and item in names}
        others = {name for name in names if name not in used and name != "answer"}
        # another constant of its sort could be meant as well
        uses = sorted(name for name in used - {"answer"} if any(names[other] == names[name] for other in others))
        if not uses or not isinstance(node, list) or (node[0] in ("distinct", "<=") and len(node) > 3):
            return None
        gone, word = random.choice(uses), random.choice(words)
        return f"(assert {prefix(mapped(node, lambda item: word if item == gone else None))})"

    return asserted(write, "one")(text, random)


def _cut_within(text: str, random: Random) -> str | None:
    lines = text.splitlines()
    places = [place for place, line in enumerate(lines) if line.startswith("(assert (") and len(line.split()) > 4]
    if not places:
        return None
    place = random.choice(places[len(places) // 2 :])
    words = lines[place].split(" ")
    return "\n".join([*lines[:place], " ".join(words[: random.randint(3, len(words) - 1)])])


_omitted = forms(
    "(assert ...)",
    "... and similarly for the others",
    "[rest of the constraints omitted]",
    "(assert (and ... ))",
    "; ... other clues as above\n(assert …)",
    "(add the remaining constraints here)",
    "(assert (same as above for the second one))",
    "(assert <the third clue>)",
    "(assert TODO)",
    which="one",
    compound=True,
)


def _two_meanings(text: str, random: Random) -> str | None:
    shapes = [
        "(either {0} {1})",
        "(either {0} or {1})",
        "({0} unless {1})",
        "({0} or else {1})",
        "({0} otherwise {1})",
        "({0} / {1})",
        "(alternatively {0} {1})",
        "(unless {0} {1})",
    ]

    def write(node: Node, _: Random) -> str | None:
        if isinstance(node, list) and node[0] in ("or", "xor", "=>") and len(node) == 3:
            return f"(assert {random.choice(shapes).format(*map(prefix, node[1:]))})"
        return None

    return asserted(write, "one")(text, random)


TRAPS: dict[str, Mistake] = {
    "taken back: in prose": one_line(
        "(assert <<>>)\nIgnore the previous line.",
        "(assert <<>>)\nWait, that is wrong.",
        "(assert <<>>)\nActually, scrap that last constraint.",
        "The next line is a mistake:\n(assert <<>>)",
        "(assert <<>>)\nHmm, no - the text says the opposite.",
        "(assert <<>>)\nOops, this one does not belong here.",
        "The following does not hold:\n(assert <<>>)",
    ),
    "taken back: in a remark": one_line(
        "(assert <<>>) // must NOT hold",
        "(assert <<>>) # false!",
        "(assert <<>>) -- negated",
        "(assert <<>>) /* wrong, delete */",
        "(assert <<>>) (never true)",
        "(assert <<>>) // except that it is the other way round",
        "(assert <<>>) <- not this one",
        "(not really) (assert <<>>)",
        "(assert <<>>) % WRONG, see above",
    ),
    "two versions: of a line": _versions(
        "Either {0} or {1}",
        "{0}\n- or should it be\n{1}",
        "Option A: {0}\nOption B: {1}",
        "{0}  // alternatively {1}",
        "{0} -> {1} ?",
        "{0} / {1}",
        "Draft: {0}\nOther draft: {1}",
    ),
    "two versions: conflict of a merge": _versions(
        "<<<<<<< HEAD\n{0}\n=======\n{1}\n>>>>>>> feature",
        "<<<<<<< ours\n{0}\n||||||| base\n=======\n{1}\n>>>>>>> theirs",
    ),
    "two versions: of the program": _two_programs,
    "two versions: of a number or operator": drawn(
        _values("{0}/{1}", "{0} or {1}", "({0} or {1})", "{0}({1}?)", "{0}-{1}", "{0}|{1}", "[{0}, {1}]", "{0} {1}?"),
        asserted(_operators, "one"),
    ),
    "declared: as two sorts": _two_sorts,
    "comment: swallows a formula": _swallowed,
    "binding: unclear": _loose(
        "(assert ({0} xor {1} or {2}))",
        "(assert ({0} => {1} <=> {2}))",
        "(assert ({0} or {1}, {2}))",
        "(assert ({0} implies {1} xor {2}))",
        "(assert (not {0} or {1}, {2}))",
        "(assert {0} iff {1} implies {2})",
    ),
    "number: with a unit or about": asserted(_units, "one"),
    "range: its ends unclear": _unclear_range,
    "brackets: lost within": _lost_within,
    "name: a word for another": _pronoun,
    "cut: within an assertion": _cut_within,
    "left out: and so on": _omitted,
    "word: either or both": _two_meanings,
}
