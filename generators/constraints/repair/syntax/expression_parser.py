"""The parser of terms that mix SMT-LIB2 with infix operators, calls, lists and words.

It has more than 400 lines because the readers of one grammar call each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from generators.constraints.repair.syntax.operator_spellings import (
    COMPARISON,
    EQUIVALENCE,
    INFIX,
    NEGATION,
    POWER,
    REVERSED,
    SIGN,
    is_reversed,
    operator,
)
from generators.constraints.repair.syntax.tokens import Token, UnreadableError, tokens
from harness.smtlib.parser import DEEPEST, atom_kind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ARGUMENTS = dict.fromkeys(("not", "and", "or", "xor", "=>", "=", "distinct"), COMPARISON)
_ARGUMENTS |= dict.fromkeys(("<", "<=", ">", ">=", "+", "-", "*", "/", "div", "mod"), COMPARISON + 1)
_JOINING = frozenset({"and", "or", "+", "*"})
_SUMS = frozenset({"+", "-", "*"})
_CHAINS = frozenset({"<", "<=", ">", ">="})
_LISTS = frozenset({"list", "vector", "array", "tuple"})
_BINDERS = {"forall", "exists", "let"}
LARGEST_POWER = 4
LARGEST_PRODUCT = 256
"""Atoms of a power that is written out: of a power of a power there are as many as their product."""


def read_term(text: str, known: Collection[str], *, prefix: bool = True) -> Node:
    """Read a text as one term of SMT-LIB2; `known` are the names it may hold.

    Without `prefix` no parenthesis applies what comes first after it, as in Python.

    Raises:
        UnreadableError: it is none, is nested too deeply, or could be read in several ways.
    """
    parser = ExpressionParser(list(tokens(text, known)), known, prefix=prefix)
    node = parser.choice()
    parser.end()
    return node


def _ends(tokens: Sequence[Token]) -> dict[int, int]:
    """Return where each bracket that opens is closed, by any closing bracket; of those that are not closed nothing."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token.text in _CLOSING:
            opened.append(place)
        elif token.text in _CLOSING.values() and opened:
            ends[opened.pop()] = place
    return ends


class ExpressionParser:
    """Reads tokens by how closely operators bind."""

    def __init__(self, tokens: Sequence[Token], known: Collection[str], *, prefix: bool = True) -> None:
        self.tokens = tokens
        self.prefix = prefix
        self.known = known
        self.place = 0
        self.depth = 0
        self.ends = _ends(tokens)

    def peek(self, ahead: int = 0) -> Token:
        """Return the token here, or a number of tokens further; of kind `end` after the last."""
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else Token("", "end")

    def take(self) -> Token:
        """Return the token here and go on."""
        token = self.peek()
        self.place += 1
        return token

    def end(self) -> None:
        """Raise unless everything was read."""
        if self.place < len(self.tokens):
            raise UnreadableError(f"{self.peek().text!r} behind a term")

    def infix(self, ahead: int = 0) -> tuple[str, int] | None:
        """Return the operator that stands here between arguments, and how closely it binds."""
        token = self.peek(ahead)
        if token.kind != "name" or token.text in self.known or token.text in {"!", "~", "not", "Not"}:
            return None
        if token.text[0].isalpha() and self._called(ahead):
            return None
        if token.text in {"<=>", "<->", "iff", "Iff"}:
            return "=", EQUIVALENCE
        if token.text in {"**", "^"}:
            return "^", POWER
        if token.text == ":=":
            return INFIX["="]
        if is_reversed(token.text):
            return REVERSED, INFIX["=>"][1]
        name = operator(token.text)
        return INFIX.get(name) if name else None

    def _called(self, ahead: int = 0) -> bool:
        """Tell whether a word is the function of a call such as `Or(a, b)`, and does not stand between two terms."""
        following = self.peek(ahead + 1)
        if following.text != "(" or not following.touching:
            return False
        depth = 0
        for further in range(ahead + 1, len(self.tokens) - self.place):
            token = self.peek(further)
            depth += (token.text in _CLOSING) - (token.text in _CLOSING.values())
            if depth == 0 or (token.kind == "comma" and depth == 1):
                return depth == 1 or self.peek(ahead).text[0].isupper()
        return False

    def expression(self, least: int) -> Node:
        """Read operators that bind at least so closely."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise UnreadableError(f"more than {DEEPEST} levels")
        left, nested = self.operand(), 0
        while (infix := self.infix()) and infix[1] >= least:
            name, closeness = infix
            if closeness == COMPARISON:
                left = self.comparison(left)
                continue
            self.take()
            # An implication is read from the right, all else from the left.
            right = self.expression(closeness if name == "=>" else closeness + 1)
            whole = _power(left, right) if name == "^" else _joined(name, left, right)
            nested += isinstance(whole, NodeGroup) and any(item is left for item in whole.items)
            if self.depth + nested > DEEPEST:
                raise UnreadableError(f"more than {DEEPEST} levels")
            left = whole
        self.depth -= 1
        return left

    def comparison(self, left: Node) -> Node:
        """Read `a < b <= c`: one comparison where all are alike, else one for each pair."""
        terms, names, spelt = [left], [], False
        while (infix := self.infix()) and infix[1] == COMPARISON:
            spelt = self.take().text[:1].isalpha() or spelt
            names.append(infix[0])
            terms.append(self.expression(COMPARISON + 1))
        if len(names) > 1 and "distinct" in names:
            raise UnreadableError("a chain with `distinct`")
        if len(names) > 1 and spelt:
            raise UnreadableError("a chain of words")  # `x is 3 more than y` compares x with y + 3
        if len(set(names)) == 1:
            return _group(names[0], *terms)
        return _group("and", *(_group(name, *terms[place : place + 2]) for place, name in enumerate(names)))

    def operand(self) -> Node:
        """Read a term without operators after it."""
        token = self.peek()
        name = operator(token.text) if token.kind == "name" and token.text not in self.known else None
        if token.kind == "bracket":
            return self.bracketed()
        if token.kind in {"number", "keyword"}:
            self.take()
            return Atom(token.text, atom_kind(token.text))
        if token.kind == "string":
            raise UnreadableError(token.text)
        if token.kind != "name":
            raise UnreadableError(f"{token.text or 'the end'!r} instead of a term")
        following = self.peek(1)
        if token.text not in self.known and token.text.lower() in {"if", "let"} and not self._called():
            return self.conditional() if token.text.lower() == "if" else self.bound("let")
        if (name in {"forall", "exists"} or (token.text == "!" and following.text == "[")) and not self._called():
            return self.bound(name if name in {"forall", "exists"} else "forall")
        if name == "not" and following.text == "(" and self.prefix:
            self.take()
            return _group("not", self.expression(NEGATION))
        if (
            (following.text == "(" or (following.text == "[" and (name is not None or token.text in self.known)))
            and following.touching
            and (name is None or token.text[0].isalpha() or token.text[0] == "$")
        ):
            self.take()
            return self.call(name or token.text)
        if name == "not":
            self.take()
            return _group("not", self.expression(NEGATION))
        if token.text == "-":
            self.take()
            return _group("-", self.expression(SIGN))
        if name is not None and token.text not in {"true", "false"}:
            raise UnreadableError(f"{token.text!r} instead of a term")
        self.take()
        return _named(token.text)

    def call(self, name: str) -> Node:
        """Read the arguments of `And(a, b)`; lists and generators among them are opened."""
        closing = _CLOSING[self.take().text]
        arguments: list[Node] = []
        while self.peek().text != closing:
            if self.peek().text == "[":
                arguments.extend(self.listed())
            else:
                arguments.append(self.expression(0))
            if self.peek().kind == "comma":
                self.take()
            elif self.peek().text != closing:
                raise UnreadableError(f"{self.peek().text or 'the end'!r} among the arguments of {name}")
        self.take()
        return _group(name, *arguments) if arguments else _named(name)

    def _lists_arguments(self) -> bool:
        """Tell whether what stands here is `(a, b)` and nothing is after it, as in `(= (a, b))`."""
        end = self.ends.get(self.place)
        if end is None or self.peek(end + 1 - self.place).text != ")":
            return False
        return any(self.tokens[place].kind == "comma" for place in self._within(self.place, end))

    def _within(self, start: int, end: int) -> Iterator[int]:
        """Yield the places between two brackets, of inner brackets the first one alone."""
        place = start + 1
        while place < end:
            yield place
            place = self.ends.get(place, place) + 1

    def _applied_behind(self) -> bool:
        """Tell whether the parenthesis ends with an operator, as in `(a b >)`, and none stands between its terms."""
        end = self.ends.get(self.place - 1)
        if end is None or end - self.place <= 2:
            return False
        last = self.tokens[end - 1]
        if last.kind != "name" or last.text in self.known or operator(last.text) is None:
            return False
        return not any(
            self.tokens[place].kind == "name"
            and self.tokens[place + 1].text != ")"
            and self.infix(place - self.place) is not None
            for place in self._within(self.place - 1, end)
        )

    def applied_behind(self) -> Node:
        """Read `(a b >)`, an operator after its arguments."""
        items: list[Node] = []
        while operator(self.peek().text) is None or self.peek().text in self.known or self.peek(1).text != ")":
            items.append(self.expression(POWER + 1))
            if self.peek().kind == "end":
                raise UnreadableError("no operator behind its arguments")
        name = operator(self.take().text) or ""
        self.take()
        return _group(name, *items)

    def listed(self) -> list[Node]:
        """Read `[a, b]`, or `(a, b)`."""
        closing = _CLOSING[self.take().text]
        items: list[Node] = []
        while self.peek().text != closing:
            items.append(self.expression(0))
            if self.peek().kind == "comma":
                self.take()
            elif self.peek().kind == "end" or self.peek().text in {*_CLOSING.values()} - {closing}:
                raise UnreadableError(f"{self.peek().text or 'the end'!r} in a list")
        self.take()
        return items

    def bracketed(self) -> Node:
        """Read a text that begins with a parenthesis: an application of SMT-LIB, or a term in parentheses."""
        before, opening = self.peek(-1) if self.place else None, self.take()
        if opening.text not in _CLOSING:
            raise UnreadableError(f"{opening.text!r} instead of a term")
        if before is not None and before.kind == "number" and opening.text == "[" and opening.touching:
            raise UnreadableError("a bracket at a number")  # `3[1]` has a footnote
        self.depth += 1
        if self.depth > DEEPEST:
            raise UnreadableError(f"more than {DEEPEST} levels")
        before_all = self.peek().text in self.known or operator(self.peek().text) is None
        if opening.text == "(" and self.prefix and before_all and self._applied_behind():
            node = self.applied_behind()
        elif opening.text == "(" and self.prefix and self.prefixed():
            node = self.application()
        else:
            node = self.parenthesized(_CLOSING[opening.text])
        self.depth -= 1
        return node

    def prefixed(self) -> bool:
        """Tell whether a function comes first."""
        token, following = self.peek(), self.peek(1)
        if token.kind == "keyword" or token.text == "" or self._goes_on_with_words():
            return False
        if token.kind == "name" and token.text not in self.known and operator(token.text) is not None:
            called = following.text == "(" and following.touching and token.text[0].isalpha()
            return not (called and self._call_goes_on())
        if token.kind != "name" or following.text == ")" or following.kind == "comma":
            return False
        if following.text.lower() == "if" and following.text not in self.known:
            return False  # `(a if c else b)`
        called = following.text == "(" and following.touching
        return self.infix(1) is None and not (called and self._call_goes_on())

    def _goes_on_with_words(self) -> bool:
        """Tell whether this is `if … then …`, or `let x = …`, which no parenthesis applies."""
        token = self.peek()
        if token.text in self.known or token.text.lower() not in {"if", "let", "forall", "exists"}:
            return False
        if token.text.lower() != "if":
            return self.peek(1).kind == "name" and self.peek(2).text.lower() in {":=", "=", ":", "in"}
        depth = 0
        for ahead in range(1, len(self.tokens) - self.place):
            further = self.peek(ahead)
            depth += (further.text in _CLOSING) - (further.text in _CLOSING.values())
            if depth < 0 or (depth == 0 and further.text.lower() == "then"):
                return depth == 0
        return False

    def _call_goes_on(self) -> bool:
        """Tell whether after `name(…)` an operator follows, or there is a comma inside, so that it is a call."""
        depth = 0
        for ahead in range(1, len(self.tokens) - self.place):
            token = self.peek(ahead)
            depth += (token.text in _CLOSING) - (token.text in _CLOSING.values())
            if depth == 0 and token.text in _CLOSING.values():
                return self.infix(ahead + 1) is not None
            if token.kind == "comma" and depth == 1:
                return True
        return False

    def application(self) -> Node:
        """Read a function and its arguments up to the closing parenthesis."""
        head = self.take()
        name = head.text if head.text in self.known else operator(head.text) or head.text
        if name in _BINDERS:
            return self.binder(name, in_turn=head.text == "let*")
        if head.text == "!" and any(token.kind == "keyword" for token in self.tokens[self.place :]):
            return self.annotated()
        if head.text == "cond" and "cond" not in self.known:
            return self.clauses()
        if name == "-" and self.infix_after_operand():
            self.place -= 1
            return self.parenthesized()
        items: list[Node] = []
        while self.peek().text != ")":
            if not items and (self.peek().text == "[" or self._lists_arguments()):
                items.extend(self.listed())
                continue
            # `(and a < b c)` holds comparisons, `(< a + b c)` sums; what binds less closely is no argument of these.
            items.append(self.expression(_ARGUMENTS.get(name, 0)))
            if self.peek().kind == "comma":
                self.take()
            elif name == "ite" and len(items) == 1 and self.peek().text == "?":
                self.take()
                items.append(self.choice())
                if self.take().text != ":":
                    raise UnreadableError("no colon behind a question mark")
                items.append(self.choice())
            elif (following := self.infix()) is not None:
                # `(and a and b)` says its operator twice.
                if following[1] == COMPARISON and name in _SUMS and len(items) > 1:
                    return self._compared(_group(name, *items))
                glued = name in _CHAINS and self.peek().touching
                if following[0] != name or name not in _JOINING | _CHAINS or glued:
                    raise UnreadableError(f"{following[0]!r} behind an argument of {name!r}")
                self.take()
        self.take()
        return NodeGroup((_named(name), *self._opened(name, items)))

    def _compared(self, left: Node) -> Node:
        """Read the rest of `(+ a b = 2)`, which compares the sum."""
        node = self.comparison(left)
        if self.take().text != ")":
            raise UnreadableError("more than a comparison behind a sum")
        return node

    def _opened(self, name: str, items: list[Node]) -> Sequence[Node]:
        """Return arguments without the list that holds them, and without the same operator once more, as in `(+ a + b)`."""
        only = items[0] if len(items) == 1 else None
        if not isinstance(only, NodeGroup) or name not in _JOINING | {"distinct", "="}:
            return items
        listed = only.head in _LISTS and only.head not in self.known
        return only.arguments if listed or (only.head == name and name in _JOINING) else items

    def annotated(self) -> Node:
        """Read what stands after the `!` of an annotation."""
        items: list[Node] = [self.expression(0)]
        while self.peek().text != ")":
            items.append(self.operand())
        self.take()
        return NodeGroup((_named("!"), *items))

    def infix_after_operand(self) -> bool:
        """Tell whether `(- a + b)` goes on with an operator, so that the minus is a sign."""
        place = self.place
        try:
            self.expression(SIGN)
            return self.infix() is not None
        except UnreadableError:
            return False
        finally:
            self.place = place

    def binder(self, name: str, *, in_turn: bool) -> Node:
        """Read the variables of a quantifier or of a `let`, and their scope; `in_turn` each in the scope of those before it."""
        if self.take().text != "(":
            raise UnreadableError(f"no variables behind {name}")
        bound: list[NodeGroup] = []
        known = self.known
        # `(let (t 3) …)` has one variable, without parentheses of its own.
        alone = self.peek().kind == "name"
        while self.peek().text != ")":
            if not alone and self.take().text != "(":
                raise UnreadableError(f"variables of {name} without parentheses")
            variable = self.take()
            self.word(":", ":=", "=")
            bound.append(NodeGroup((_named(variable.text), self.expression(0))))
            if in_turn or alone:
                self.known = {*self.known, variable.text}
            if not alone and self.take().text != ")":
                raise UnreadableError(f"more than one sort or term for {variable.text!r}")
            if alone and name == "let" and self.peek().text != ")":
                raise UnreadableError(f"more than one term for {variable.text!r}")
        self.take()
        self.known = {*known, *(pair.items[0].name for pair in bound if isinstance(pair.items[0], Atom))}
        if not self.word(".", ":", "in") and self.peek().kind == "comma":
            self.take()
        body = self.expression(0)
        self.known = known
        if self.take().text != ")":
            raise UnreadableError(f"more than one term under {name}")
        if in_turn:
            for pair in reversed(bound):
                body = NodeGroup((_named(name), NodeGroup((pair,)), body))
            return body
        return NodeGroup((_named(name), NodeGroup(tuple(bound)), body))

    def choice(self) -> Node:
        """Read a term, or a choice as `c ? a : b`, `a if c else b` or `c => a else b`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise UnreadableError(f"more than {DEEPEST} levels")
        node = self._choice()
        self.depth -= 1
        return node

    def _choice(self) -> Node:
        node = self.expression(0)
        if self.word("if"):
            condition = self.expression(0)
            return _group("ite", condition, node, self.choice()) if self.word("else") else _group("=>", condition, node)
        if isinstance(node, NodeGroup) and node.head == "=>" and len(node.items) == 3 and self.word("else"):
            return _group("ite", *node.items[1:], self.choice())
        if self.peek().text != "?":
            return node
        self.take()
        first = self.choice()
        if self.take().text != ":":
            raise UnreadableError("no colon behind a question mark")
        return _group("ite", node, first, self.choice())

    def parenthesized(self, closing: str = ")") -> Node:
        """Read a term up to the closing parenthesis."""
        node = self.choice()
        if self.take().text != closing:
            raise UnreadableError("more than one term in parentheses")
        return node

    def word(self, *words: str) -> bool:
        """Take one of some words, written in small or capital letters, if it is next; tell whether it was."""
        found = self.peek().text.lower() in words and self.peek().text not in self.known
        self.place += found
        return found

    def conditional(self) -> Node:
        """Read `if c then a else b`, with or without `endif`; without `else` it is an implication."""
        self.take()
        condition = self.expression(0)
        if not self.word("then"):
            raise UnreadableError("no `then`")
        first = self.choice()
        node = _group("ite", condition, first, self.choice()) if self.word("else") else _group("=>", condition, first)
        self.word("endif", "fi")
        return node

    def bound(self, name: str) -> Node:
        """Read `let x = a in b`, `forall x : Int, b` and `![X: $int] : b`."""
        self.take()
        closing = _CLOSING[self.take().text] if self.peek().text in {"[", "("} else ""
        variable = self.take()
        if variable.kind != "name":
            raise UnreadableError(f"{variable.text!r} instead of a variable")
        parted = self.word(":", ":=", "=", "in", "∈")
        value = self.expression(0)
        if closing and self.take().text != closing:
            raise UnreadableError("more than one variable")
        if not self.word(".", ":", "in", "|") and self.peek().kind != "comma" and not (closing and parted):
            raise UnreadableError(f"nothing between the variable of {name} and what it is bound in")
        if self.peek().kind == "comma":
            self.take()
        known, self.known = self.known, {*self.known, variable.text}
        body = self.choice()
        self.known = known
        pair = NodeGroup((_named(variable.text), value))
        return NodeGroup((_named(name), NodeGroup((pair,)), body))

    def clauses(self) -> Node:
        """Read the clauses of `(cond (c a) (else b))`."""
        rows: list[tuple[Node, Node]] = []
        while self.peek().text == "(":
            self.take()
            last = self.word("else", "otherwise", "true", "t")
            condition = _named("true") if last else self.expression(0)
            rows.append((condition, self.expression(0)))
            if self.take().text != ")" or (last and self.peek().text != ")"):
                raise UnreadableError("a clause of another shape")
        if self.take().text != ")" or len(rows) < 2 or rows[-1][0] != _named("true"):
            raise UnreadableError("no last clause")
        node = rows[-1][1]
        for condition, value in reversed(rows[:-1]):
            node = _group("ite", condition, value, node)
        return node


def _named(text: str) -> Atom:
    return Atom(text, AtomKind.QUOTED if text[0] == "|" and len(text) > 2 else atom_kind(text))


def _group(name: str, *items: Node) -> NodeGroup:
    return NodeGroup((_named(name), *items))


def _joined(name: str, left: Node, right: Node) -> Node:
    """Join two terms; `a and b and c` is one conjunction."""
    if name == REVERSED:
        return _group("=>", right, left)
    chained = name in {"and", "or", "+", "*"}
    if chained and isinstance(left, NodeGroup) and left.head == name:
        return NodeGroup((*left.items, right))
    if name == "=>" and isinstance(right, NodeGroup) and right.head == "=>":
        return _group("=>", left, right)
    return _group(name, left, right)


def _power(base: Node, exponent: Node) -> Node:
    if not isinstance(exponent, Atom) or exponent.text not in {str(power) for power in range(2, LARGEST_POWER + 1)}:
        raise UnreadableError("a power that is no small number")
    if _size(base) * int(exponent.text) > LARGEST_PRODUCT:
        raise UnreadableError(f"a power of more than {LARGEST_PRODUCT} atoms")
    return _group("*", *[base] * int(exponent.text))


def _size(node: Node) -> int:
    return sum(map(_size, node.items)) if isinstance(node, NodeGroup) else 1
