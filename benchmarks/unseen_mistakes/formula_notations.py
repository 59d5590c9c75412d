"""Formulas of SMT-LIB2 written in the notation of another language, for mistakes that mix the two."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, NodeGroup
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from harness.smtlib.s_expressions import Node

    Mistake = Callable[[str, Random], str | None]
    Writing = Callable[[Node, Random], str]

SIGNS = {"and": "and", "or": "or", "=>": "=>", "xor": "xor", "=": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">="} | {
    "+": "+",
    "-": "-",
    "*": "*",
    "distinct": "!=",
    "mod": "mod",
}
CALLS = {"and": "And", "or": "Or", "=>": "Implies", "xor": "Xor", "not": "Not", "ite": "If", "distinct": "Distinct"}
_CHAINED = {"=", "<", ">", "<=", ">="}
ASSERTION = r"(?m)^\(assert (.*)\)$"
CONSTANT = r"(?m)^\(declare-const (\S+) (\S+)\)$"
"""An assertion and a declaration on lines of their own."""


class CannotBeWrittenError(Exception):
    """The notation has no form for a node."""


@dataclass(frozen=True)
class Notation:
    """How a language writes formulas: `signs` between operands, `calls` before them in brackets, and forms with named places.

    A sign or call that is missing makes the formula one that cannot be written. `chains` says that `a < b < c` is a formula.
    """

    signs: Mapping[str, str] = field(default_factory=lambda: SIGNS)
    calls: Mapping[str, str] = field(default_factory=dict)
    negation: str = "not {a}"
    choice: str = "if {c} then {a} else {b}"
    different: str = ""
    call: str = "{f}({args})"
    binding: str = ""
    every: str = ""
    chains: bool = True

    def write(self, node: Node, *, top: bool = True) -> str:
        """Write a formula, the inner ones in brackets; raise `CannotBeWrittenError` where the notation has no form for it."""
        if isinstance(node, Atom):
            return node.text
        if not isinstance(node.items[0], Atom):
            raise CannotBeWrittenError(write_node(node))
        head, arguments = node.head, node.arguments
        if head in {"let", "forall"}:
            return self._bound(head, arguments)
        args = [self.write(argument, top=False) for argument in arguments]
        bare = [self.write(argument) for argument in arguments]
        if head in self.calls:
            return f"{self.calls[head]}({', '.join(bare)})"
        if head == "distinct" and len(args) > 2:
            if not self.different:
                raise CannotBeWrittenError(head)
            return self.different.format(args=", ".join(bare))
        text = self._operation(head, args, bare)
        return text if top or head not in SIGNS.keys() | {"not", "ite"} or text.startswith("-") else f"({text})"

    def _operation(self, head: str, args: list[str], bare: list[str]) -> str:
        if head == "not":
            return self.negation.format(a=args[0])
        if head == "ite":
            return self.choice.format(c=args[0], a=args[1], b=args[2])
        if head == "-" and len(args) == 1:
            return f"-{args[0]}"
        if head in SIGNS:
            if head not in self.signs:
                raise CannotBeWrittenError(head)
            sign = f" {self.signs[head]} "
            if head in _CHAINED and len(args) > 2 and not self.chains:
                pairs = [f"({a}{sign}{b})" for a, b in pairwise(args)]
                return f" {self.signs['and']} ".join(pairs) if "and" in self.signs else f"And({', '.join(pairs)})"
            return sign.join(args)
        if not re.fullmatch(r"[A-Za-z_]\w*", head):
            raise CannotBeWrittenError(head)
        return self.call.format(f=head, args=", ".join(bare))

    def _bound(self, head: str, arguments: tuple[Node, ...]) -> str:
        form = self.binding if head == "let" else self.every
        names = arguments[0]
        if not form or not isinstance(names, NodeGroup) or len(names.items) != 1:
            raise CannotBeWrittenError(head)
        bound = names.items[0]
        if not isinstance(bound, NodeGroup):
            raise CannotBeWrittenError(head)
        name, value = bound.items
        return form.format(v=write_node(name), s=self.write(value), a=self.write(arguments[1], top=False))

    def with_signs(self, **signs: str) -> Notation:
        """Return the notation with other signs, named by words (`equal`, `less_equal` …)."""
        named = {"equal": "=", "less_equal": "<=", "greater_equal": ">=", "implies": "=>", "different": "distinct"}
        return replace(self, signs={**self.signs, **{named.get(name, name): sign for name, sign in signs.items()}})


def rewritten(name: str, form: Writing, *, single: bool = False) -> Mistake:
    """Return the mistake that writes each command of a name (or `one`, drawn by chance) as `form` does; it may give up."""

    def change(text: str, random: Random) -> str | None:
        script = read_script(text)
        places = [number for number, command in enumerate(script.commands) if command.head == name]
        if not places:
            return None
        chosen = {random.choice(places)} if single else set(places)
        try:
            lines = [
                form(command, random) if number in chosen else write_node(command)
                for number, command in enumerate(script.commands)
            ]
        except CannotBeWrittenError:
            return None
        return "".join(f"{line}\n" for line in lines)

    return change


def asserted(write: Callable[[Node, Random], str], *, single: bool = False) -> Mistake:
    """Return the mistake that writes the formula of each assertion (or of `one`) in another way."""

    def form(command: Node, random: Random) -> str:
        if not isinstance(command, NodeGroup) or len(command.items) != 2:
            raise CannotBeWrittenError(write_node(command))
        return write(command.items[1], random)

    return rewritten("assert", form, single=single)


def formulas(notation: Notation, frames: tuple[str, ...] = ("(assert {})",), *, single: bool = False) -> Mistake:
    """Return the mistake that writes formulas in a notation, within one of the frames, the same in the whole program."""

    def change(text: str, random: Random) -> str | None:
        frame = random.choice(frames)
        return asserted(lambda node, _: frame.format(notation.write(node)), single=single)(text, random)

    return change


def replaced(change: Callable[[Node], str | None], *, single: bool = False) -> Mistake:
    """Return the mistake that writes certain nodes of formulas (or `one`) in another way; `None` leaves a node as it is."""

    def mistake(text: str, random: Random) -> str | None:
        script = read_script(text)
        spots = [
            node for command in script.commands if command.head == "assert" for node in _inner(command) if change(node)
        ]
        if not spots:
            return None
        chosen = [random.choice(spots)] if single else spots

        def write(node: Node) -> str:
            if any(node is spot for spot in chosen):
                new = change(node)
                if new is not None:
                    return new
            if isinstance(node, Atom):
                return node.text
            return f"({' '.join(write(item) for item in node.items)})"

        return "".join(f"{write(command)}\n" for command in script.commands)

    return mistake


def _inner(node: Node) -> list[Node]:
    if isinstance(node, Atom):
        return [node]
    return [node, *(deeper for item in node.items for deeper in _inner(item))]


def operations(head: str, form: Callable[[list[str]], str | None], *, single: bool = False) -> Mistake:
    """Return the mistake that writes the operations of a name in another way, from their operands as text."""

    def change(node: Node) -> str | None:
        if not isinstance(node, NodeGroup) or node.head != head:
            return None
        return form([write_node(item) for item in node.arguments])

    return replaced(change, single=single)


def written_as(heads: Sequence[str], *forms: str, count: int = 0, single: bool = False) -> Mistake:
    """Return the mistake that writes operations of certain names by one of some forms of `str.format`.

    `{0}` … are the operands, `{all}` all of them, `{most}` all but the last, `{commas}` and `{signs}` all with commas or the name between them, `{head}` the name. With
    `count`, only operations of so many operands are written so, else those of two and more.
    """

    def change(text: str, random: Random) -> str | None:
        form = random.choice(forms)

        def write(node: Node) -> str | None:
            if not isinstance(node, NodeGroup) or node.head not in heads:
                return None
            args = [write_node(item) for item in node.arguments]
            if len(args) != count if count else len(args) < 2:
                return None
            return form.format(
                *args,
                all=" ".join(args),
                most=" ".join(args[:-1]),
                commas=", ".join(args),
                signs=f" {node.head} ".join(args),
                head=node.head,
            )

        return replaced(write, single=single)(text, random)

    return change


def drawn(*mistakes: Mistake) -> Mistake:
    """Return the mistake that is one of several, drawn for each program."""
    return lambda text, random: random.choice(mistakes)(text, random)


def template(*frames: str) -> Mistake:
    """Return the mistake that puts the whole program into one of several frames, whose place is `<<>>`."""
    return lambda text, random: random.choice(frames).replace("<<>>", text.rstrip("\n"))


def each_line(*forms: str) -> Mistake:
    """Return the mistake that writes each line as one of several forms does, the same in the whole program.

    `{0}` is the line, `{1}` its number from one.
    """

    def change(text: str, random: Random) -> str:
        form = random.choice(forms)
        return "".join(f"{form.format(line, number)}\n" for number, line in enumerate(text.splitlines(), 1))

    return change


def pattern(name: str, *forms: str, single: bool = False) -> Mistake:
    """Return the mistake that writes commands of a name by forms of `str.format`: `{0}` … are its parts, `{n}` its number."""

    def change(text: str, random: Random) -> str | None:
        form, number = random.choice(forms), iter(range(1, 1000))

        def write(command: Node, _: Random) -> str:
            if not isinstance(command, NodeGroup):
                raise CannotBeWrittenError(name)
            parts = [write_node(item) for item in command.arguments]
            try:
                return form.format(*parts, n=next(number), bare=parts[-1][1:-1] if parts[-1][:1] == "(" else parts[-1])
            except IndexError:
                raise CannotBeWrittenError(name) from None

        return rewritten(name, write, single=single)(text, random)

    return change


def together(*mistakes: Mistake) -> Mistake:
    """Return the mistake that makes several, one after the other, where each leaves the next a readable program or text."""

    def change(text: str, random: Random) -> str | None:
        for mistake in mistakes:
            new = mistake(text, random)
            if new is None:
                return None
            text = new
        return text

    return change


def regular(find: str, put: str, *, single: bool = False) -> Mistake:
    """Return the mistake that replaces what a regular expression finds (or `one` of its places)."""

    def change(text: str, random: Random) -> str | None:
        matches = list(re.finditer(find, text))
        if not matches:
            return None
        if not single:
            return re.sub(find, put, text)
        match = random.choice(matches)
        return text[: match.start()] + match.expand(put) + text[match.end() :]

    return change
