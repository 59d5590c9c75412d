"""The sides of equations: runs of tokens between two links that form expressions, with a doubt where their boundaries are uncertain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from harness.text.lexicon import english
from harness.text.tokens import ENDS, MOST_WORDS, OPERATORS, STARTS, Token, TokenKind, determines
from harness.text.units import singular_unit, sizes

MOST_WORDS_AFTER = 10
MOST_PREFIXES = 8
LETTER = "an unknown letter"
WORDS = "words"
MIXED = "a quantity in two parts"
SIGNS = "two signs"
TIGHT = "a letter that may be a unit"
RATIO = "a ratio or a time"
REMARK = "a remark or a factor"
_LISTS = english("equations")
# `5 m` is a length, `5m` as well or five times m.
_UNIT_LETTERS = frozenset("amgLlkKhscdi")
# Before a sign, `19 green and pink hats + 24`, they may go on or begin anew; a hyphen may be a minus.
_BINDING = _LISTS.words("binding")
_NO_UNIT = _LISTS.words("no_unit")
_TIGHT_OVER = [(TokenKind.OVER, False), (TokenKind.NUMBER, False)]
_OPERANDS = frozenset({*STARTS, TokenKind.OPAQUE})


@dataclass(slots=True)
class TokenRun:
    """Tokens that go on as an expression does; `outer` are their spans with the words of their units.

    `lead` are the words right before it, `pending` those since the last token, and `doubt` says why it may be no
    expression of its own.
    """

    tokens: list[Token] = field(default_factory=list)
    outer: list[tuple[int, int]] = field(default_factory=list)
    lead: list[Token] = field(default_factory=list)
    pending: list[Token] = field(default_factory=list)
    doubt: str = ""
    opened: list[int] = field(default_factory=list)
    """The places of the parentheses that nothing closes."""

    @property
    def complete(self) -> bool:
        """Tell whether it ends with an operand."""
        return bool(self.tokens) and self.tokens[-1].kind in {*ENDS, TokenKind.OPAQUE}

    def doubted(self, reason: str) -> None:
        """Keep the first reason why it may be no expression of its own."""
        self.doubt = self.doubt or reason

    def append(self, token: Token) -> bool:
        """Add a token that is no word; the words between a sign and its number belong to the number."""
        start = self.pending[0].start if self.pending and token.kind is TokenKind.NUMBER else token.start
        if token.kind is TokenKind.LPAR:
            self.opened.append(len(self.tokens))
        elif token.kind is TokenKind.RPAR:
            self.opened.pop()
        elif token.kind is TokenKind.OPAQUE:
            self.doubt = RATIO
        self.tokens.append(token)
        self.outer.append((start, token.end))
        self.pending = []
        return True

    def cut(self, start: int, end: int) -> TokenRun | None:
        """Return the run with the tokens from `start` to `end` only, `None` where there are none."""
        if start >= end:
            return None
        return TokenRun(self.tokens[start:end], self.outer[start:end], self.lead, self.pending, self.doubt)

    def after_added_word(self) -> TokenRun | None:
        """Return what follows its last `plus` or `minus` in words that words of a unit stand before."""
        for place in range(len(self.tokens) - 1, -1, -1):
            token = self.tokens[place]
            unit = self.outer[place - 1][1] > self.tokens[place - 1].end
            if unit and token.kind in {TokenKind.PLUS, TokenKind.MINUS} and token.text.isalpha():
                return self.cut(place + 1, len(self.tokens))
        return None

    def take(self, token: Token, following: Token | None) -> bool:
        """Add a token; `False` where the run cannot go on with it."""
        if token.kind is TokenKind.WORD:
            return self._take_word(token)
        if token.kind in _OPERANDS:
            return self._take_operand(token)
        if token.kind is TokenKind.RPAR:
            if not self.opened or not self.complete:
                return False
            if self._is_lone():
                # The number of a line or an equation, `(1) + (2)`, or a loss, `5 - 8 = (3)`.
                self.doubted(REMARK)
            return self.append(token)
        return token.kind in OPERATORS and self._take_sign(token, following)

    def _is_lone(self) -> bool:
        """Tell whether the last token is a whole number in parentheses that is not the factor of a product without a sign."""
        before = self.tokens[-3] if self.tokens[2:] else None
        opens = self.tokens[-2].text in {"(", "["} and isinstance(self.tokens[-1].value, int)
        return opens and (before is None or (before.kind in OPERATORS and bool(before.text)))

    def _take_sign(self, token: Token, following: Token | None) -> bool:
        signed = token.kind in {TokenKind.MINUS, TokenKind.PLUS} and following is not None and following.kind in STARTS
        if self.complete:
            # `150 minutes / 5 minutes/100 meters`: the bar of a rate.
            rate = token.kind is TokenKind.OVER and not token.spaced and self.pending
            binds = any(word.text in _BINDING for word in self.pending)
            if binds or (rate and any(other.kind is token.kind for other in self.tokens)):
                self.doubted(WORDS)
            return self.append(token)
        if self.tokens:
            return signed and token.kind is TokenKind.MINUS and not self.pending and self.append(token)
        apart = following is not None and following.spaced
        if self.doubt or (token.start == 0 and (apart or token.kind is TokenKind.TIMES)):
            # A bullet.
            return not self.doubt
        if self.lead or not signed or apart or token.kind is TokenKind.PLUS:
            # `19 + 2 = 21, + 14 = 35` goes on from what stands before the sign.
            self.doubt = SIGNS
        return not signed or self.append(token)

    def _take_operand(self, token: Token) -> bool:
        if self.complete:
            if token.kind is TokenKind.OPAQUE and not self.pending:
                self.doubt = RATIO
            last = self.tokens[-1]
            mixed = token.kind is TokenKind.FRACTION and last.kind is TokenKind.NUMBER and not self.pending
            if not mixed and not (token.text == "{" and last.text == "}"):
                if token.kind is not TokenKind.LPAR or self.pending:
                    return False
                if token.spaced or token.text == "[":
                    # A remark, `$50 - 20% ($10)`, or a factor.
                    self.doubted(REMARK)
                self.append(Token(TokenKind.TIMES, token.start, token.start, ""))
        return self.append(token)

    def _take_word(self, token: Token) -> bool:
        if not self.tokens:
            self.lead.append(token)
            return True
        first = not self.pending
        self.pending.append(token)
        if any(character.isdigit() or character == "_" for character in token.text):
            # `because20` hides a number, `x_1` is an unknown.
            self.doubted(WORDS)
        glued = first and self.complete and not token.spaced
        if len(token.text) == 1 and token.text.isalpha() and not (token.text == "a" and token.spaced):
            unit = first and self.tokens[-1].kind is TokenKind.NUMBER and token.text in _UNIT_LETTERS
            self.doubt = LETTER if not unit else self.doubt or (TIGHT if glued else "")
        elif glued and len(token.text) == 2 and token.text.islower() and not sizes(singular_unit(token.text)):
            # `3ab`
            self.doubted(TIGHT)
        if not self.complete:
            if not determines(token.text):
                self.doubted(WORDS)
            return len(self.pending) <= MOST_WORDS
        if first and self.tokens[-1].kind is TokenKind.NUMBER and not self.tokens[-1].unit:
            # In `1/2 dozen`, the unit is that of the fraction.
            fraction = [(part.kind, part.spaced) for part in self.tokens[-2:]] == _TIGHT_OVER and len(self.tokens) > 2
            place = -3 if fraction and not self.tokens[-3].unit and self.tokens[-3].kind is TokenKind.NUMBER else -1
            self.tokens[place] = self.tokens[place]._replace(unit=singular_unit(token.text))
        ended = not first and self.outer[-1][1] < self.pending[-2].end
        if token.text not in _NO_UNIT and not ended and len(self.pending) <= MOST_WORDS:
            self.outer[-1] = (self.outer[-1][0], token.end)
        return len(self.pending) <= MOST_WORDS_AFTER

    def after(self, token: Token) -> TokenRun:
        """Return the run that begins where a token could not be taken."""
        if token.kind in _OPERANDS:
            following = TokenRun(lead=self.pending, doubt=WORDS if self._goes_with_next() else "")
            following.append(token)
            return following
        if token.kind is TokenKind.WORD:
            return TokenRun(lead=[*self.pending, token])
        if token.kind is TokenKind.BREAK:
            return TokenRun()
        return TokenRun(doubt=self.doubt or (SIGNS if token.kind in OPERATORS else "" if self.complete else WORDS))

    def _goes_with_next(self) -> bool:
        """Tell whether the number after it goes with it: `40 pieces of $1`, `(1/2) 18`, `add 20 + 10 to the 29`."""
        words = [word.text for word in self.pending]
        if not self.tokens or not words:
            return bool(self.tokens)
        added = not {"to", "from"}.isdisjoint(words[-2:]) and any(token.kind in OPERATORS for token in self.tokens)
        return len(words) <= 2 if words[-1] == "of" else added

    def before_link(self) -> TokenRun | None:
        """Return what of the last run of a region is the left side of the link after it."""
        if not self.complete:
            return None
        if not self.opened:
            if self.lead and self.tokens[0].kind is TokenKind.LPAR and self.tokens[0].start == self.lead[-1].end:
                # `f(2 + 2)`
                self.doubted(WORDS)
            return self
        opened = self.opened[-1]
        if opened and self.tokens[opened - 1].kind in OPERATORS and self.tokens[opened - 1].text:
            self.doubted(WORDS)
        return self.cut(opened + 1, len(self.tokens))

    def after_link(self) -> TokenRun | None:
        """Return what of the first run of a region is the right side of the link before it."""
        end = self.opened[0] if self.opened else len(self.tokens)
        while end and self.tokens[end - 1].kind not in {*ENDS, TokenKind.OPAQUE}:
            end -= 1
            self.doubted(SIGNS)
        return self.cut(0, end)

    def prefixes(self) -> Iterator[TokenRun]:
        """Yield the run, and the run up to each of its first eight signs outside parentheses, the longest first."""
        yield self
        places, depth = list[int](), 0
        for place, token in enumerate(self.tokens):
            depth += (token.kind is TokenKind.LPAR) - (token.kind is TokenKind.RPAR)
            if not depth and token.kind in OPERATORS and place and self.tokens[place - 1].kind in ENDS:
                places.append(place)
                if len(places) == MOST_PREFIXES:
                    break
        yield from (run for place in reversed(places) if (run := self.cut(0, place)) is not None)


def runs(region: Sequence[Token]) -> list[TokenRun]:
    """Return the runs of a region in order; the last may be empty, with the words before the next link as its lead."""
    ended: list[TokenRun] = []
    current = TokenRun()
    for token, following in zip_longest(region, region[1:]):
        if not current.take(token, following):
            mixed = MIXED if _is_mixed(current, token, following) else ""
            if current.tokens:
                current.doubted(mixed)
                ended.append(current)
            current = current.after(token)
            current.doubted(mixed)
    return [*ended, current]


def _is_mixed(last: TokenRun, token: Token, following: Token | None) -> bool:
    """Tell whether a run ends with the larger part of a quantity in two units, `2 hours 30 minutes`, `3 h 15 min`, or before its fraction, `2 6/4`."""
    if not last.complete or len(last.pending) > 1 or token.kind is not TokenKind.NUMBER or following is None:
        return False
    if not last.pending:
        return following.kind is TokenKind.OVER and not following.spaced and isinstance(last.tokens[-1].value, int)
    larger, smaller = (sizes(singular_unit(word.text)) for word in (last.pending[0], following))
    letter = bool(larger) and len(following.text) == 1 and following.text.isalpha()
    return following.kind is TokenKind.WORD and (letter or bool(larger.keys() & smaller.keys()))
