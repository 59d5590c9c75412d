"""Runs of tokens between two links that form expressions, with a doubt where the boundaries are uncertain."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.equations.tokens import ENDS, MOST_WORDS, OPERATORS, STARTS, Token, TokenKind, determines
from harness.text.lexicon import word_lists
from harness.text.units import singular_unit, sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

_LISTS = word_lists(__file__)

_WORD = re.compile(r"[a-z]+")
MOST_WORDS_AFTER = 10
MOST_NAMES = 60
MOST_PREFIXES = 8
LETTER = "an unknown letter"
WORDS = "words"
REMARK = "a remark"
SIGNS = "two signs"
GOES_ON = "a sign that goes on from what stands before it"
FUNCTION = "a function"
MIXED = "a quantity in two units"
TIGHT = "a letter that may be a unit"
RATIO = "a ratio or a time"
# `5 m` is a length, `5m` as well or five times m.
_UNIT_LETTERS = frozenset("amgLlkKhscdi")
# They end what stands before them.
_CONJUNCTIONS = _LISTS.words("conjunctions")
# Before a sign, `19 green and pink hats + 24`, they may go on or begin anew; a hyphen may be a minus.
_BINDING = frozenset({"and", "or", "-"})
# `Step 2 - 1`, `day 1 * 2`: the number is a name.
_LABELS = _LISTS.words("labels")
# Next to a number, they make it another one.
_CHANGING = frozenset({"twice", "double", "half", "triple", "thrice"})
_POWERS = frozenset({"squared", "cubed", "factorial", "tens", "ones", "hundreds", "thousands", "choose", "mod"})
# Alone, they may be unknowns.
_SHORT = {"h": "hour", "d": "day"}
_BULLETS = frozenset("*·∙⋅•")
_WHICH = frozenset({"first", "second", "other", "each"})
_NO_UNIT = _LISTS.words("no_unit")
_OPERANDS = frozenset({*STARTS, TokenKind.OPAQUE})


@dataclass(slots=True)
class TokenRun:
    """Tokens that go on as an expression does; `outer` are their spans with the words of their units.

    `lead` are the words right before it, `pending` those since the last token, and `doubt` says why it may be no
    expression of its own. `closed` tells that a parenthesis which nothing opened stands right before it.
    """

    tokens: list[Token] = field(default_factory=list)
    outer: list[tuple[int, int]] = field(default_factory=list)
    lead: list[Token] = field(default_factory=list)
    pending: list[Token] = field(default_factory=list)
    doubt: str = ""
    depth: int = 0
    closed: bool = False

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


def runs(region: Sequence[Token]) -> list[TokenRun]:
    """Return the runs of a region in order; the last may be empty, with the words before the next link as its lead."""
    ended: list[TokenRun] = []
    current = TokenRun()
    for place, token in enumerate(region):
        following = region[place + 1] if place + 1 < len(region) else None
        if _goes_on(current, token, following, first=not place, alone=not ended):
            current.doubt = current.doubt or GOES_ON
        if not _take(current, token, following):
            if current.tokens:
                ended.append(current)
            mixed = _is_mixed(current, token, following)
            current.doubt = current.doubt or (MIXED if mixed else "")
            current = _next(current, token)
            current.doubt = current.doubt or (MIXED if mixed else "")
    return [*ended, current]


def _goes_on(run: TokenRun, token: Token, following: Token | None, *, first: bool, alone: bool) -> bool:
    """Tell whether a sign begins a run and works on what stands before it: `19 + 2 = 21, + 14 = 35`, `; ÷ 5 = 3`, `? - 8 = 4`.

    `first` in its region, the sign follows a link or begins the line, where `-`, `*` and dots may be bullets and a minus belongs to its
    number. A minus next to its number does so after words and stops, too, where the run is `alone`.
    """
    if run.tokens or run.lead or token.kind not in OPERATORS:
        return False
    if token.kind is TokenKind.MINUS:
        tight = following is not None and not following.spaced
        return not (first or (tight and token.spaced and alone))
    if first and token.kind is TokenKind.PLUS:
        return token.start == 0
    return token.start > 0 or token.text not in _BULLETS


def _next(last: TokenRun, token: Token) -> TokenRun:
    """Return the run that begins where a token could not be taken."""
    if token.kind in _OPERANDS:
        following = TokenRun(lead=last.pending, doubt=WORDS if _belongs(last, token) else "")
        following.append(token)
        return following
    if token.kind is TokenKind.WORD:
        return TokenRun(lead=[*last.pending, token])
    if token.kind in OPERATORS:
        if last.tokens:
            letter = last.doubt == LETTER or (last.pending and len(last.pending[-1].text) == 1)
            return TokenRun(doubt=LETTER if letter else SIGNS)
        return TokenRun(doubt=last.doubt or (LETTER if last.lead and len(last.lead[-1].text) == 1 else WORDS))
    if token.kind is TokenKind.BREAK:
        return TokenRun()
    # A parenthesis that nothing opened: what follows may go on with what stands in it.
    return TokenRun(doubt=last.doubt or ("" if last.complete else WORDS), closed=True)


def _belongs(last: TokenRun, number: Token) -> bool:
    """Tell whether the number after a run goes with it: `40 pieces of $1`, `(1/2) 18`, `add 20 + 10 to the 29`."""
    words = [word.text for word in last.pending]
    if not last.tokens or not words:
        return bool(last.tokens)
    if words[-1] == "of":
        return len(words) <= 2
    if _is_bound(words if len(words) > 1 else [], number):
        return True
    return not {"to", "from"}.isdisjoint(words[-2:]) and any(token.kind in OPERATORS for token in last.tokens)


def _is_mixed(last: TokenRun, number: Token, following: Token | None) -> bool:
    """Tell whether a number is the smaller part of a quantity in two units, `2 h 30 min`."""
    if number.kind is not TokenKind.NUMBER or not last.tokens or len(last.pending) != 1 or following is None:
        return False
    large, small = (_SHORT.get(word, singular_unit(word)) for word in (last.pending[0].text, following.text))
    return last.tokens[-1].kind is TokenKind.NUMBER and any(
        sizes(small)[dimension][0] < size[0] for dimension, size in sizes(large).items() if dimension in sizes(small)
    )


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
        run.append(token)
        return True
    if kind not in OPERATORS:
        return False
    if run.complete:
        if (
            kind is TokenKind.OVER
            and run.pending
            and not token.spaced
            and any(token.kind is TokenKind.OVER for token in run.tokens)
        ):
            # The bar of a rate: `150 minutes / 5 minutes/100 meters`.
            run.doubt = run.doubt or WORDS
        if any(word.text in _BINDING for word in run.pending):
            run.doubt = run.doubt or WORDS
        run.append(token)
        return True
    if run.closed and not run.tokens and not run.lead:
        run.doubt = run.doubt or WORDS
        return False
    signed = kind in {TokenKind.MINUS, TokenKind.PLUS} and following is not None and following.kind in STARTS
    if run.tokens:
        if signed and kind is TokenKind.MINUS and not run.pending:
            run.append(token)
            return True
        return False
    tight = signed and token.spaced and following is not None and not following.spaced
    if run.doubt or (run.lead and not tight):
        return False
    if run.lead:
        run.doubt = WORDS
    # A sign at the start of a line, with a space after it, is a bullet.
    if signed and not (token.start == 0 and following is not None and following.spaced):
        run.append(token)
    return True


def _operand(run: TokenRun, token: Token) -> bool:
    if not run.tokens and _is_bound([word.text for word in run.lead], token):
        run.doubt = run.doubt or WORDS
    if run.complete:
        if token.kind is TokenKind.OPAQUE and not run.pending:
            run.doubt = RATIO
        second_part = token.text == "{" and run.tokens[-1].text == "}"
        if not second_part:
            if token.kind is not TokenKind.LPAR or run.pending:
                return False
            if token.spaced and run.tokens[-1].kind is TokenKind.NUMBER:
                run.doubt = run.doubt or REMARK
            run.append(Token(TokenKind.TIMES, token.start, token.start, ""))
    run.append(token)
    return True


def _is_bound(lead: Sequence[str], token: Token) -> bool:
    """Tell whether the words before a number change it, `twice 5`, or make it the name of a day or a step."""
    if not lead:
        return False
    nearest = lead[-2:] if determines(lead[-1]) else lead[-1:]
    if not _CHANGING.isdisjoint(nearest):
        return len(lead) < 2 or lead[-2] not in _WHICH
    number = token.kind is TokenKind.NUMBER and not token.unit and isinstance(token.value, int)
    return lead[-1] in _LABELS and number and (token.value or 0) <= MOST_NAMES


def _word(run: TokenRun, token: Token) -> bool:
    if not run.tokens:
        run.lead.append(token)
        if token.text in _CONJUNCTIONS:
            run.doubt = ""
        return True
    if token.text in _CONJUNCTIONS:
        return False
    run.pending.append(token)
    if any(map(str.isdigit, token.text)):
        # `because20` hides a number.
        run.doubt = run.doubt or WORDS
    if len(token.text) == 1 and token.text.isalpha():
        _letter(run, token)
    elif token.text in _POWERS and len(run.pending) == 1:
        run.doubt = WORDS
    if not run.complete:
        if not determines(token.text):
            run.doubt = run.doubt or WORDS
        return len(run.pending) <= MOST_WORDS
    last = run.tokens[-1]
    first = len(run.pending) == 1
    if last.kind is TokenKind.NUMBER and first and not last.unit:
        run.tokens[-1] = last._replace(unit=singular_unit(token.text))
    ended = not first and run.outer[-1][1] < run.pending[-2].end
    if token.text not in _NO_UNIT and not ended and len(run.pending) <= MOST_WORDS:
        run.outer[-1] = (run.outer[-1][0], token.end)
    return len(run.pending) <= MOST_WORDS_AFTER


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
    if run.lead and any(map(str.isdigit, run.lead[-1].text)):
        run.doubt = run.doubt or WORDS
    if not run.depth:
        if run.lead and run.tokens[0].kind is TokenKind.LPAR and run.tokens[0].start == run.lead[-1].end:
            run.doubt = run.doubt or FUNCTION
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
    if not run.complete and run.pending:
        run.doubt = run.doubt or WORDS
    while end and run.tokens[end - 1].kind not in {*ENDS, TokenKind.OPAQUE}:
        end -= 1
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


def with_tight_fractions(run: TokenRun) -> TokenRun | None:
    """Return the run with `1/2` after another division, `10 / 1/2`, in parentheses; `None` where there is none."""
    tokens, outer = run.tokens, run.outer
    for place in range(1, len(tokens) - 2):
        top, sign, bottom = tokens[place : place + 3]
        if (
            tokens[place - 1].kind in {TokenKind.OVER, TokenKind.POWER}
            and (top.kind, sign.kind, bottom.kind) == (TokenKind.NUMBER, TokenKind.OVER, TokenKind.NUMBER)
            and (not (sign.spaced or bottom.spaced) or (top.value or 0) < (bottom.value or 0))
        ):
            left = Token(TokenKind.LPAR, top.start, top.start, "")
            right = Token(TokenKind.RPAR, bottom.end, bottom.end, "")
            spans = [(top.start, top.start), *outer[place : place + 3], (bottom.end, bottom.end)]
            return TokenRun(
                [*tokens[:place], left, top, sign, bottom, right, *tokens[place + 3 :]],
                [*outer[:place], *spans, *outer[place + 3 :]],
                run.lead,
                run.pending,
                run.doubt,
            )
    return None


def after_of(run: TokenRun) -> TokenRun | None:
    """Return what follows `10% of the` in `10% of the $400 + $1580`, `None` where the run begins with no share."""
    if len(run.tokens) > 3 and run.tokens[1].text == "of" and run.tokens[1].kind is TokenKind.TIMES:
        return run.cut(2, len(run.tokens))
    return None
