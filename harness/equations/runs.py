"""Runs of tokens between two links that form expressions, with a doubt where the boundaries are uncertain."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.equations.tokens import ENDS, MOST_WORDS, OPERATORS, STARTS, Token, TokenKind, determines
from harness.text.lexicon import english
from harness.text.units import singular_unit, sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LISTS = english("equations")

MOST_WORDS_AFTER = 10
MOST_PREFIXES = 8
LETTER = "an unknown letter"
WORDS = "words"
MIXED = "a quantity in two units"
SIGNS = "two signs"
TIGHT = "a letter that may be a unit"
RATIO = "a ratio or a time"
REMARK = "a remark or a factor"
# `5 m` is a length, `5m` as well or five times m.
_UNIT_LETTERS = frozenset("amgLlkKhscdi")
# Before a sign, `19 green and pink hats + 24`, they may go on or begin anew; a hyphen may be a minus.
_BINDING = frozenset({"and", "or", "-"})
_NO_UNIT = _LISTS.words("no_unit")
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
    depth: int = 0

    @property
    def complete(self) -> bool:
        """Tell whether it ends with an operand."""
        return bool(self.tokens) and self.tokens[-1].kind in {*ENDS, TokenKind.OPAQUE}

    def append(self, token: Token) -> None:
        """Add a token that is no word; the words between a sign and its number belong to the number."""
        start = token.start
        if self.pending and token.kind is TokenKind.NUMBER:
            start = self.pending[0].start
        self.tokens.append(token)
        self.outer.append((start, token.end))
        self.pending = []
        if token.kind is TokenKind.LPAR:
            self.depth += 1
        elif token.kind is TokenKind.RPAR:
            self.depth -= 1
        elif token.kind is TokenKind.OPAQUE:
            self.doubt = RATIO

    def cut(self, start: int, end: int) -> TokenRun:
        """Return the run with the tokens from `start` to `end` only."""
        return TokenRun(self.tokens[start:end], self.outer[start:end], self.lead, self.pending, self.doubt)

    def replaced(self, start: int, end: int, tokens: Sequence[Token], outer: Sequence[tuple[int, int]]) -> TokenRun:
        """Return the run with other tokens and their spans in the place of those from `start` to `end`."""
        return TokenRun(
            [*self.tokens[:start], *tokens, *self.tokens[end:]],
            [*self.outer[:start], *outer, *self.outer[end:]],
            self.lead,
            self.pending,
            self.doubt,
        )


def runs(region: Sequence[Token]) -> list[TokenRun]:
    """Return the runs of a region in order; the last may be empty, with the words before the next link as its lead."""
    ended: list[TokenRun] = []
    current = TokenRun()
    for place, token in enumerate(region):
        following = region[place + 1] if place + 1 < len(region) else None
        if not _take(current, token, following):
            mixed = _is_mixed(current, token, following)
            if current.tokens:
                current.doubt = current.doubt or (MIXED if mixed else "")
                ended.append(current)
            current = _next(current, token)
            current.doubt = current.doubt or (MIXED if mixed else "")
    return [*ended, current]


def _is_mixed(last: TokenRun, token: Token, following: Token | None) -> bool:
    """Tell whether a run ends with the larger part of a quantity in two units, `2 hours 30 minutes`, `3 h 15 min`."""
    if not last.complete or len(last.pending) != 1 or token.kind is not TokenKind.NUMBER or following is None:
        return False
    larger, smaller = (sizes(singular_unit(word.text)) for word in (last.pending[0], following))
    letter = bool(larger) and len(following.text) == 1 and following.text.isalpha()
    return following.kind is TokenKind.WORD and (letter or bool(larger.keys() & smaller.keys()))


def _next(last: TokenRun, token: Token) -> TokenRun:
    """Return the run that begins where a token could not be taken."""
    if token.kind in _OPERANDS:
        following = TokenRun(lead=last.pending, doubt=WORDS if _belongs(last) else "")
        following.append(token)
        return following
    if token.kind is TokenKind.WORD:
        return TokenRun(lead=[*last.pending, token])
    if token.kind in OPERATORS:
        return TokenRun(doubt=last.doubt or SIGNS)
    if token.kind is TokenKind.BREAK:
        return TokenRun()
    return TokenRun(doubt=last.doubt or ("" if last.complete else WORDS))


def _belongs(last: TokenRun) -> bool:
    """Tell whether the number after a run goes with it: `40 pieces of $1`, `(1/2) 18`, `add 20 + 10 to the 29`."""
    words = [word.text for word in last.pending]
    if not last.tokens or not words:
        return bool(last.tokens)
    if words[-1] == "of":
        return len(words) <= 2
    return not {"to", "from"}.isdisjoint(words[-2:]) and any(token.kind in OPERATORS for token in last.tokens)


def _take(run: TokenRun, token: Token, following: Token | None) -> bool:
    """Add a token to a run; `False` where the run cannot go on with it."""
    kind = token.kind
    if kind is TokenKind.WORD:
        return _word(run, token)
    if kind in _OPERANDS:
        return _operand(run, token)
    if kind is TokenKind.RPAR:
        if not run.depth or not run.complete:
            return False
        if _is_lone(run.tokens):
            # The number of a line or an equation, `(1) + (2)`, or a loss, `5 - 8 = (3)`.
            run.doubt = run.doubt or REMARK
        run.append(token)
        return True
    if kind not in OPERATORS:
        return False
    if run.complete:
        # `150 minutes / 5 minutes/100 meters`: the bar of a rate.
        rate = kind is TokenKind.OVER and not token.spaced and any(other.kind is kind for other in run.tokens)
        if (rate and run.pending) or any(word.text in _BINDING for word in run.pending):
            run.doubt = run.doubt or WORDS
        run.append(token)
        return True
    signed = kind in {TokenKind.MINUS, TokenKind.PLUS} and following is not None and following.kind in STARTS
    if run.tokens:
        if signed and kind is TokenKind.MINUS and not run.pending:
            run.append(token)
            return True
        return False
    if run.doubt:
        return False
    apart = following is not None and following.spaced
    if token.start == 0 and (apart or kind is TokenKind.TIMES):
        # A bullet.
        return True
    if run.lead or not signed or apart or kind is TokenKind.PLUS:
        # `19 + 2 = 21, + 14 = 35` goes on from what stands before the sign.
        run.doubt = SIGNS
    if signed:
        run.append(token)
    return True


def _is_lone(tokens: Sequence[Token]) -> bool:
    """Tell whether the last two of several tokens open a group with a whole number that is not the factor of a product without a sign."""
    if tokens[-2].text not in {"(", "["} or not isinstance(tokens[-1].value, int):
        return False
    return len(tokens) == 2 or (tokens[-3].kind in OPERATORS and bool(tokens[-3].text))


def _operand(run: TokenRun, token: Token) -> bool:
    if run.complete:
        if token.kind is TokenKind.OPAQUE and not run.pending:
            run.doubt = RATIO
        second_part = token.text == "{" and run.tokens[-1].text == "}"
        mixed = token.kind is TokenKind.FRACTION and run.tokens[-1].kind is TokenKind.NUMBER
        if not second_part and (not mixed or run.pending):
            if token.kind is not TokenKind.LPAR or run.pending:
                return False
            if token.spaced or token.text == "[":
                # A remark, `$50 - 20% ($10)`, or a factor.
                run.doubt = run.doubt or REMARK
            run.append(Token(TokenKind.TIMES, token.start, token.start, ""))
    run.append(token)
    return True


def _word(run: TokenRun, token: Token) -> bool:
    if not run.tokens:
        run.lead.append(token)
        return True
    run.pending.append(token)
    if any(character.isdigit() or character == "_" for character in token.text):
        # `because20` hides a number, `x_1` is an unknown.
        run.doubt = run.doubt or WORDS
    if len(token.text) == 1 and token.text.isalpha():
        _letter(run, token)
    elif len(token.text) == 2 and token.text.islower() and run.complete and not token.spaced and not run.pending[1:]:
        # `3ab`
        run.doubt = run.doubt or ("" if sizes(singular_unit(token.text)) else TIGHT)
    if not run.complete:
        if not determines(token.text):
            run.doubt = run.doubt or WORDS
        return len(run.pending) <= MOST_WORDS
    last = run.tokens[-1]
    first = len(run.pending) == 1
    if last.kind is TokenKind.NUMBER and first and not last.unit:
        # In `1/2 dozen`, the unit is that of the fraction.
        place = -3 if _is_proper_fraction(run.tokens[-3:]) else -1
        run.tokens[place] = run.tokens[place]._replace(unit=singular_unit(token.text))
    ended = not first and run.outer[-1][1] < run.pending[-2].end
    if token.text not in _NO_UNIT and not ended and len(run.pending) <= MOST_WORDS:
        run.outer[-1] = (run.outer[-1][0], token.end)
    return len(run.pending) <= MOST_WORDS_AFTER


def _is_proper_fraction(tokens: Sequence[Token]) -> bool:
    """Tell whether three tokens are a fraction without spaces that is less than one."""
    if tuple(token.kind for token in tokens) != (TokenKind.NUMBER, TokenKind.OVER, TokenKind.NUMBER):
        return False
    tight = not tokens[1].spaced and not tokens[2].spaced
    return tight and not tokens[0].unit and (tokens[0].value or 0) < (tokens[2].value or 0)


def _letter(run: TokenRun, token: Token) -> None:
    """Take a single letter for an unknown, but for units right after a number, and for the article."""
    if token.text == "a" and token.spaced:
        return
    first = run.complete and len(run.pending) == 1 and run.tokens[-1].kind is TokenKind.NUMBER
    if not first or token.text not in _UNIT_LETTERS:
        run.doubt = LETTER
    elif not token.spaced:
        run.doubt = run.doubt or TIGHT


def before_link(run: TokenRun) -> TokenRun | None:
    """Return what of the last run of a region is the left side of the link after it."""
    if not run.complete:
        return None
    if not run.depth:
        if run.lead and run.tokens[0].kind is TokenKind.LPAR and run.tokens[0].start == run.lead[-1].end:
            # `f(2 + 2)`
            run.doubt = run.doubt or WORDS
        return run
    opened = _unclosed(run)
    if opened and run.tokens[opened - 1].kind in OPERATORS and run.tokens[opened - 1].text:
        run.doubt = run.doubt or WORDS
    return run.cut(opened + 1, len(run.tokens)) if opened + 1 < len(run.tokens) else None


def after_link(run: TokenRun) -> TokenRun | None:
    """Return what of the first run of a region is the right side of the link before it."""
    end = len(run.tokens)
    if run.depth:
        end = _unclosed(run, first=True)
    while end and run.tokens[end - 1].kind not in {*ENDS, TokenKind.OPAQUE}:
        end -= 1
        run.doubt = run.doubt or SIGNS
    return run if end == len(run.tokens) else run.cut(0, end) if end else None


def _unclosed(run: TokenRun, *, first: bool = False) -> int:
    """Return the place of the first or last parenthesis that nothing closes."""
    opened: list[int] = []
    for place, token in enumerate(run.tokens):
        if token.kind is TokenKind.LPAR:
            opened.append(place)
        elif token.kind is TokenKind.RPAR and opened:
            opened.pop()
    return opened[0 if first else -1]


def prefixes(run: TokenRun) -> list[TokenRun]:
    """Return the run up to each of its first eight signs outside parentheses, the longest first, without the whole."""
    shorter: list[TokenRun] = []
    depth = 0
    for place, token in enumerate(run.tokens):
        depth += (token.kind is TokenKind.LPAR) - (token.kind is TokenKind.RPAR)
        if not depth and token.kind in OPERATORS and place and run.tokens[place - 1].kind in ENDS:
            shorter.append(run.cut(0, place))
            if len(shorter) == MOST_PREFIXES:
                break
    return shorter[::-1]


def other_readings(run: TokenRun) -> Iterator[TokenRun]:
    """Yield what may be meant by a run that is not read so: without a label before it, `half of` all that follows, or `3-1/2` as a mixed number."""
    tokens, outer = run.tokens, run.outer
    for place in range(1, len(tokens) - 1):
        if tokens[place].text == "of":
            left, right = Token(TokenKind.LPAR, place, place, ""), Token(TokenKind.RPAR, place, place, "")
            yield run.replaced(
                place + 1, len(tokens), [left, *tokens[place + 1 :], right], [(0, 0), *outer[place + 1 :], (0, 0)]
            )
            break
    if len(tokens) > 4 and tokens[0].kind is TokenKind.NUMBER and not tokens[0].unit and tokens[2].spaced:
        # `1 - 3 + 4 = 7`, `1/ 3 + 4 = 7`, `**1** 3 + 4 = 7`
        dash = tokens[1].kind is TokenKind.MINUS and tokens[1].spaced
        if dash or tokens[1].text == "**" or (tokens[1].kind is TokenKind.OVER and not tokens[1].spaced):
            yield run.cut(2, len(tokens))
    for place in range(len(tokens) - 4):
        whole, *_, top, _bar, bottom = parts = tokens[place : place + 5]
        if tuple(token.kind for token in parts) == _MIXED_NUMBER and bottom.value:
            value = (whole.value or 0) + Fraction(top.value or 0) / bottom.value
            span = (outer[place][0], outer[place + 4][1])
            if not any(token.spaced for token in parts[1:]):
                yield run.replaced(place, place + 5, [whole._replace(end=bottom.end, value=value)], [span])


_MIXED_NUMBER = (TokenKind.NUMBER, TokenKind.MINUS, TokenKind.NUMBER, TokenKind.OVER, TokenKind.NUMBER)


def with_tight_fractions(run: TokenRun) -> TokenRun | None:
    """Return the run with `1/2` after another division, `10 / 1/2`, in parentheses; `None` where there is none."""
    for place in range(1, len(run.tokens) - 2):
        before, top, sign, bottom = run.tokens[place - 1 : place + 3]
        kinds = (top.kind, sign.kind, bottom.kind)
        if before.kind in {TokenKind.OVER, TokenKind.POWER} and kinds == _MIXED_NUMBER[2:]:
            if (sign.spaced or bottom.spaced) and (top.value or 0) >= (bottom.value or 0):
                continue
            start, end = (top.start, top.start), (bottom.end, bottom.end)
            left, right = Token(TokenKind.LPAR, *start, ""), Token(TokenKind.RPAR, *end, "")
            spans = [start, *run.outer[place : place + 3], end]
            return run.replaced(place, place + 3, [left, top, sign, bottom, right], spans)
    return None
