"""The tolerant reader of terms: S-expressions, infix operators, calls of Python and signs of LaTeX, in any mixture."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from generators.constraints.repair.spellings import CLOSENESS, COMPARISON, SIGN, SIGNS, SUM, function, operator
from harness.smtlib.parser import DEEPEST, atom_kind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup

MOST_LEVELS = 240
"""Levels of reading; a pair of parentheses takes two or three."""
_CLOSING = {"(": ")", "[": "]"}
_LEXEME = re.compile(
    r"""(?P<blank>\s+|;[^\n]*)
      | (?P<bracket>[()\[\]])
      | (?P<comma>,)
      | (?P<double>\|\|)
      | (?P<name>\|[^|\\\n]+\|)
      | (?P<word>[A-Za-z0-9~!@$%^&*_\-+=<>.?/]+)
      | (?P<sign>\\[A-Za-z]+|.)""",
    re.VERBOSE,
)
_WITHIN_WORD = re.compile(
    rf"(?P<number>\d+(?:\.\d+)?(?![\w.]))|(?P<name>[A-Za-z_][\w.]*(?:-[A-Za-z_][\w.]*)*)|(?P<sign>{'|'.join(map(re.escape, SIGNS))})"
)
_JOINING = frozenset({"and", "or", "+", "*"})
_BINDERS = frozenset({"forall", "exists", "let"})
_UNORDERED = ({"xor", "=>", "<=>"}, {"and", "or", "xor"})
"""Connectives that languages bind in different order; `&` and `|` bind in Python more closely than comparisons."""
_OF_LISTS = _JOINING | {"distinct", "="}
"""Functions whose arguments may be a list."""


class UnreadableError(Exception):
    """A text is not one term that can only be read in one way; the message says where it fails."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its text, its kind (`bracket`, `comma`, `number`, `name`, `operator`, `end`), and whether it touches the one before."""

    text: str
    kind: str
    touching: bool = False


_END = Token("", "end")


@dataclass(frozen=True, slots=True)
class TermReading:
    """A term as it was read, and why it could be read in another way; no `doubts` where it could not."""

    node: Node
    doubts: tuple[str, ...]


def read_term(text: str, known: Collection[str]) -> TermReading:
    """Read a text as one term of SMT-LIB2, to its last character; `known` are the declared names, which are never operators.

    A text that is not one term, is nested too deeply, or may be grouped in more than one way is an `UnreadableError`.
    """
    found = list(tokens(text, known))
    for left, sign, right in zip(found, found[1:], [*found[2:], _END], strict=False):
        if sign.touching and sign.kind == "comma" and left.kind == right.kind == "number" and right.touching:
            raise UnreadableError(f"{left.text},{right.text}, which may be one number or two")
        if sign.text == "%" and left.kind == "number" and (right.kind == "operator" or not right.touching):
            raise UnreadableError(f"{left.text}%, which may be a percentage")
    reader = _TermReader(found, known)
    node = reader.expression(0)
    if reader.peek().kind != "end":
        raise UnreadableError(f"{reader.peek().text!r} after a term")
    return TermReading(node, tuple(dict.fromkeys(reader.doubts)))


def tokens(text: str, known: Collection[str]) -> Iterator[Token]:
    """Yield the tokens of a text, a run of signs and letters that is not a known name split at its signs, or raise an `UnreadableError`."""
    touching = False
    for match in _LEXEME.finditer(text):
        kind, lexeme = match.lastgroup or "", match[0]
        if kind == "word" and lexeme not in known and operator(lexeme) is None:
            yield from _word_tokens(lexeme, known, touching=touching)
        elif kind == "sign" and operator(lexeme) is None:
            raise UnreadableError(f"{lexeme!r}")
        elif kind != "blank":
            yield Token(lexeme, _kind(lexeme, known) if kind in {"word", "sign", "double"} else kind, touching)
        touching = kind != "blank"


def _word_tokens(run: str, known: Collection[str], *, touching: bool) -> Iterator[Token]:
    if "<-" in run and "<->" not in run:
        raise UnreadableError("`<-`, an arrow or a comparison with a negative number")
    place = 0
    while place < len(run):
        match = _WITHIN_WORD.match(run, place)
        if match is None:
            raise UnreadableError(f"{run!r}")
        place, word = match.end(), match[0]
        pieces = re.split("(-)", word) if match.lastgroup == "name" and word not in known else [word]
        # `a-b` is a difference where `a` and `b` are declared.
        for piece in pieces if all(piece in known for piece in pieces[::2]) else [word]:
            yield Token(piece, "number" if match.lastgroup == "number" else _kind(piece, known), touching)
            touching = True


def _kind(text: str, known: Collection[str]) -> str:
    if text in known:
        return "name"
    return "number" if text[0].isdigit() else "operator" if operator(text) is not None else "name"


@dataclass(slots=True)
class _TermReader:
    """Reads tokens by how closely operators bind; without going back, so that the time is linear in the tokens of each level."""

    tokens: list[Token]
    known: Collection[str]
    place: int = 0
    depth: int = 0
    within_application: bool = False
    doubts: list[str] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        opened: list[int] = []
        for place, token in enumerate(self.tokens):
            if token.text in _CLOSING and token.kind == "bracket":
                opened.append(place)
            elif token.kind == "bracket" and opened:
                self.ends[opened.pop()] = place

    def peek(self, ahead: int = 0) -> Token:
        place = self.place + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else _END

    def take(self) -> Token:
        token = self.peek()
        self.place += 1
        return token

    def expect(self, text: str) -> None:
        """Go on where this token is the next; anything else is unreadable."""
        if self.take().text != text:
            raise UnreadableError(f"no {text!r} where it should be")

    def function(self) -> str | None:
        """Return the function that the token here stands for, if it is an operator."""
        return function(self.peek().text) if self.peek().kind == "operator" else None

    def infix(self, place: int) -> str | None:
        """Return the operator at a place that may stand between two arguments."""
        token = self.tokens[place] if place < len(self.tokens) else _END
        name = operator(token.text) if token.kind == "operator" else None
        if name is None or name not in CLOSENESS or (self.within_application and self._is_sign(place)):
            return None
        return name

    def _is_sign(self, place: int) -> bool:
        """Tell whether the plus or minus at a place belongs to what follows it: a blank is before it, and none after it."""
        following = self.tokens[place + 1] if place + 1 < len(self.tokens) else _END
        signed = operator(self.tokens[place].text) in {"+", "-"}
        return signed and not self.tokens[place].touching and following.touching

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_LEVELS:
            raise UnreadableError(f"more than {MOST_LEVELS} levels")

    def expression(self, least: int) -> Node:
        """Read a term and the operators after it that bind at least so closely."""
        self._deeper()
        left, nested, joined = self.operand(), 0, set[str]()
        while (name := self.infix(self.place)) is not None and (bound := CLOSENESS[name]) >= least:
            if bound == COMPARISON:
                left = self.comparison(left)
                continue
            self.take()
            start = self.place
            right = self.expression(bound if name == "=>" else bound + 1)
            if bound < COMPARISON:
                alone = self.ends.get(start) == self.place - 1
                joined |= {name} if alone or _head(right) in {"=", "not", ""} else {name, _head(right)}
                if any(len(joined & names) > 1 for names in _UNORDERED):
                    self.doubts.append("connectives of several kinds stand side by side without parentheses")
            left = _joined_term("=" if name == "<=>" else name, left, right)
            nested += 1
            if self.depth + nested > DEEPEST and _head(left) not in _JOINING:
                raise UnreadableError(f"more than {DEEPEST} levels")
        self.depth -= 1
        return left

    def comparison(self, left: Node) -> Node:
        """Read `a < b <= c`: one comparison where all signs are alike, else one for each pair."""
        terms, names = [left], []
        while (name := self.infix(self.place)) is not None and CLOSENESS[name] == COMPARISON:
            names.append(name)
            self.take()
            start = self.place
            terms.append(self.expression(SUM))
            if name == "=" and _head(terms[-1]) == "mod" and self.tokens[start].text not in {"(", "mod"}:
                self.doubts.append("`mod` after an equality may say that two numbers are congruent")
        if len(names) > 1 and "distinct" in names:
            raise UnreadableError("a chain with an inequality")
        if len(names) > 1 and "=" in names:
            self.doubts.append("a chain of equalities may compare a truth value")
        if len(set(names)) == 1:
            return _group(names[0], *terms)
        return _group("and", *(_group(name, *terms[place : place + 2]) for place, name in enumerate(names)))

    def operand(self) -> Node:
        token, name = self.peek(), self.function()
        if token.kind == "bracket":
            return self.bracketed()
        if token.kind == "number":
            return _name_atom(self.take().text)
        called = self.peek(1).kind == "bracket" and self.peek(1).text == "(" and self.peek(1).touching
        if token.kind == "name" or (called and name is not None and token.text[0].isalpha()):
            self.take()
            return self.call(name or token.text) if called else _name_atom(token.text)
        if name not in {"not", "-"}:
            raise UnreadableError(f"{token.text or 'the end'!r} where a term should be")
        self.take()
        return _group(name, self.expression(COMPARISON if name == "not" else SIGN))

    def _places_within(self, start: int) -> Iterator[int]:
        """Yield the places of what a bracket holds, of inner brackets the opening one alone."""
        end, place = self.ends.get(start, len(self.tokens)), start + 1
        while place < end:
            yield place
            place = self.ends.get(place, place) + 1

    def call(self, name: str) -> Node:
        """Read the arguments of `And(a, b)`, or of `And([a, b])` where they may be a list."""
        if name in _BINDERS:
            raise UnreadableError(f"{name!r} as a call")
        self._deeper()
        closing = [_CLOSING[self.take().text]]
        if self.peek().text == "[" and name in _OF_LISTS:
            closing.insert(0, _CLOSING[self.take().text])
        within, self.within_application = self.within_application, False
        arguments: list[Node] = []
        while self.peek().text != closing[0]:
            arguments.append(self.expression(0))
            if self.peek().text != closing[0] and self.take().kind != "comma":
                raise UnreadableError("no comma between arguments")
        for bracket in closing:
            self.expect(bracket)
        self.within_application = within
        self.depth -= 1
        return _group(name, *arguments) if arguments else _name_atom(name)

    def bracketed(self) -> Node:
        """Read what begins with a bracket: an application of SMT-LIB2, or a term in parentheses."""
        start = self.place
        if self.peek().text != "(" or start not in self.ends:
            raise UnreadableError(f"{self.peek().text!r} where a term should be")
        self._deeper()
        self.take()
        within, self.within_application = self.within_application, False
        if self._applies(list(self._places_within(start))):
            node = self.application()
        else:
            inside = [self.tokens[place] for place in self._places_within(start)]
            if [token.text for token in inside][::2] == ["-", "-"]:
                self.doubts.append("`- a - b` may also be `(- a (- b))`")
            if len(inside) == 1 and inside[0].kind == "name":
                self.doubts.append(f"`({inside[0].text})` may lack a function")
            node = self.expression(0)
            self.expect(")")
        self.within_application = within
        self.depth -= 1
        return node

    def _applies(self, inside: list[int]) -> bool:
        """Tell whether the first of these places is a function before its arguments."""
        if not inside:
            raise UnreadableError("empty parentheses")
        first, following = (self.tokens[place] for place in (inside[0], inside[min(1, len(inside) - 1)]))
        if first.kind not in {"operator", "name"} or len(inside) == 1:
            return False
        if following.text == "(" and following.touching:
            # `(And(a, b))` and `(f(x) > 3)` hold a call; `(not(> a b))` applies the function itself.
            goes_on = len(inside) > 2 and self.infix(inside[2]) is not None
            commas = any(self.tokens[place].kind == "comma" for place in self._places_within(inside[1]))
            if goes_on or commas or (len(inside) == 2 and first.kind == "name"):
                return False
        if first.kind == "name":
            return self.infix(inside[1]) is None
        if function(first.text) == "-":
            return not any(self.infix(place) is not None and not self._is_sign(place) for place in inside[2:])
        return function(first.text) is not None

    def application(self) -> Node:
        """Read a function and its arguments up to the closing parenthesis."""
        token, name = self.peek(), self.function() or self.peek().text
        self.take()
        if token.text in {"_", "as"}:
            raise UnreadableError(f"{token.text!r}, an identifier of its own form")
        if name in _BINDERS and token.kind == "operator":
            return self.binder(name)
        self.within_application = True
        items = self._arguments(name)
        if name in _JOINING and len(items) == 1 and _head(items[0]) == name:
            return items[0]
        if name in {"and", "or", "xor"} and len(items) == 1:
            self.doubts.append(f"`{name}` has one argument")
        return _group(name, *items)

    def _arguments(self, name: str) -> list[Node]:
        """Read arguments; `(< a + b c)` compares a sum, and what binds less closely than a comparison needs parentheses."""
        bound = CLOSENESS.get(name)
        least = bound + 1 if bound is not None and bound >= COMPARISON else COMPARISON
        items = list[Node]()
        while self.peek().text != ")":
            start = self.place
            items.append(self.expression(least))
            # One word, one term in brackets, or one call such as `f(x)`; what is read further is an argument of several words.
            called = self.tokens[start].kind != "bracket" and self.peek(start + 1 - self.place).touching
            ended = self.ends.get(start + called, start) + 1
            if self.place != ended and not (self._is_sign(start) and len(items) == 2 and self.peek().text == ")"):
                self.doubts.append("an argument of several words has no parentheses")
            if self.peek().kind == "comma":
                self.take()
        self.take()
        return items

    def binder(self, name: str) -> Node:
        """Read the variables of a quantifier or of a `let`, and the term in which they are bound."""
        pairs = list[Node]()
        self.expect("(")
        while self.peek().text != ")":
            self.expect("(")
            variable = self.take()
            if variable.kind != "name":
                raise UnreadableError(f"{variable.text!r} where a variable should be")
            pairs.append(_group(variable.text, self.expression(0)))
            self.expect(")")
        self.take()
        body = self.expression(0)
        self.expect(")")
        return _group(name, NodeGroup(tuple(pairs)), body)


def _name_atom(text: str) -> Atom:
    return Atom(text, AtomKind.QUOTED if text[0] == "|" and len(text) > 2 else atom_kind(text))


def _group(name: str, *items: Node) -> NodeGroup:
    return NodeGroup((_name_atom(name), *items))


def _head(node: Node) -> str:
    return node.head if isinstance(node, NodeGroup) else ""


def _joined_term(name: str, left: Node, right: Node) -> Node:
    """Join two terms; `a and b and c` is one conjunction."""
    if name in _JOINING and isinstance(left, NodeGroup) and left.head == name:
        return NodeGroup((*left.items, right))
    return _group(name, left, right)
