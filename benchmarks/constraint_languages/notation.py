"""The notation of enumerations, functions, quantifiers and options: tokens, formulas and declarations."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from generators.constraints.repair.syntax.expression_parser import ExpressionParser
from generators.constraints.repair.syntax.tokens import Token, UnreadableError, lexemes
from harness.smtlib.s_expressions import Atom, Node, NodeGroup

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<blank>\s+)
      | (?P<bracket>[()\[\]{}])
      | (?P<comma>,)
      | (?P<string>"[^"\n]*"|'[^'\n]{2,}'(?!\w))
      | (?P<number>\d+(?:\.\d+)?(?![\w.]))
      | (?P<word>[A-Za-z_0-9][\w'’.-]*(?<![.-])|[A-Za-z_])
      | (?P<sign>==>|<=>|<->|->|=>|<=|>=|!=|==|//|\*\*|&&|\|\||[-+*/%<>=!&|~^:])""",
    re.VERBOSE,
)
_DECLARED = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(EnumSort|Function)\s*\((.*)\)\s*(?:#.*)?$")
_LISTED = re.compile(r'\s*("[^"]*"|\'[^\']*\'(?=\s*(?:,|$))|[^,\[\]]+)\s*(?:,|$)')


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a line; a text in quotes is a name in bars.

    Raises:
        UnreadableError: a character that is in no token.
    """
    for lexeme in lexemes(_TOKEN, text):
        if lexeme.kind == "string":
            yield Token(symbol(lexeme.text[1:-1]), "name", lexeme.touching)
        elif lexeme.kind == "word" and not re.fullmatch(r"[A-Za-z_]\w*", lexeme.text):
            yield from _hyphenated(lexeme.text, touching=lexeme.touching)
        else:
            yield Token(lexeme.text, {"word": "name", "sign": "name"}.get(lexeme.kind, lexeme.kind), lexeme.touching)


def _hyphenated(word: str, *, touching: bool) -> Iterator[Token]:
    """Yield `a-1` as a difference, any other odd word as one name."""
    difference = re.fullmatch(r"([A-Za-z_]\w*|\d+)-(\d+)", word)
    if difference is None:
        yield Token(word if re.fullmatch(r"[A-Za-z_][\w.]*", word) else symbol(word), "name", touching)
        return
    left, right = difference.groups()
    yield Token(left, "number" if left.isdigit() else "name", touching)
    yield Token("-", "name", touching=True)
    yield Token(right, "number", touching=True)


def symbol(text: str) -> str:
    """Return a name of SMT-LIB2 for any text."""
    plain = " ".join(re.sub(r"[|\\]", " ", text).split())
    return plain if re.fullmatch(r"[A-Za-z_][\w.]*", plain) and plain.isascii() else f"|{plain}|"


def read_formula(text: str, names: frozenset[str]) -> Node:
    """Read a formula; a quantifier is a group of its name, its typed variables and what it ranges over.

    Raises:
        UnreadableError: it is none.
    """
    line = list(tokens(text))
    # A variable may be called as an operator is.
    bound = {token.text for token, colon in pairwise(line) if colon.text == ":"}
    parser = _Notation(line, names | bound, prefix=False)
    node = parser.expression(0)
    parser.end()
    return node


class _Notation(ExpressionParser):
    def operand(self) -> Node:
        """Read a term; `x in [a, b]` is a choice."""
        left = super().operand()
        if self.peek().text != "in" or self.peek(1).text != "[":
            return left
        self.take()
        return NodeGroup((Atom("or"), *(NodeGroup((Atom("="), left, value)) for value in self.listed())))

    def call(self, name: str) -> Node:
        """Read the arguments of a call; `[x:sort, y:sort]` as its first makes it range over these."""
        if self.peek(1).text == "[" and self.peek(3).text == ":":
            self.take()
            bound = self.typed()
            items: list[Node] = []
            while self.peek().text != ")":
                if self.take().kind != "comma":
                    raise UnreadableError(f"{name} without a comma behind its variables")
                items.append(self.expression(0))
            self.take()
            return NodeGroup((Atom(name), bound, *items))
        return super().call(name)

    def typed(self) -> NodeGroup:
        self.take()
        bound: list[Node] = []
        while self.peek().text != "]":
            name, colon, sort = self.take(), self.take(), self.take()
            if name.kind != "name" or colon.text != ":" or sort.kind != "name":
                raise UnreadableError("variables without sorts")
            bound.append(NodeGroup((Atom(name.text), Atom(sort.text))))
            if self.peek().kind == "comma":
                self.take()
        self.take()
        return NodeGroup(tuple(bound))


def read_declaration(text: str) -> tuple[str, str, str] | None:
    """Return the name of a declaration, `EnumSort` or `Function`, and what stands in its parentheses."""
    declaration = _DECLARED.match(text)
    return (declaration.group(1), declaration.group(2), declaration.group(3)) if declaration else None


def read_names(text: str) -> list[str]:
    """Return the names of a list `[a, "b c", 3]`, each as it is written.

    Raises:
        UnreadableError: it is none.
    """
    inner = text.strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        raise UnreadableError(f"{text.strip()!r} instead of a list")
    found, place, inner = [], 0, inner[1:-1].strip()
    while place < len(inner):
        item = _LISTED.match(inner, place)
        if item is None:
            raise UnreadableError(f"{inner[place:]!r} in a list")
        found.append(item.group(1).strip().strip("\"'") if item.group(1)[0] in "\"'" else item.group(1).strip())
        place = item.end()
    return found
