"""Disambiguation of tokens by their neighbours: signs or words, and tokens that belong together."""

from __future__ import annotations

from fractions import Fraction

from harness.equations.lexer import BEING, SIGNS, lex
from harness.equations.tokens import ENDS, MOST_WORDS, OPERATORS, STARTS, Token, TokenKind, determines
from harness.text.numbers import whole_as_int
from harness.text.units import UNIT_WORDS, singular_unit, sizes


def tokenise(text: str) -> list[Token]:
    """Return the tokens of a line in order, white space and remarks in parentheses left out."""
    return _joined(_settled(_without_remarks(lex(text))))


def _settled(tokens: list[Token]) -> list[Token]:
    """Decide by their neighbours which letters, words and asterisks are signs."""
    settled: list[Token] = []
    last = len(tokens) - 1
    emphasised = False
    for place, token in enumerate(tokens):
        kind = token.kind
        if (kind is TokenKind.WORD and token.text not in _SIGN_WORDS) or (kind is TokenKind.NUMBER and not token.soft):
            settled.append(token)
            continue
        before = settled[-1] if settled else None
        following = tokens[place + 1] if place < last else None
        decided = _decided(token, before, following)
        if kind is TokenKind.COLON and _is_ratio(token, settled, following):
            decided = TokenKind.OPAQUE
        elif kind is TokenKind.WORD and _is_sign(token, before, settled, tokens, place):
            decided = SIGNS[token.text]
        elif kind is TokenKind.OVER and following is not None and following.kind is TokenKind.WORD:
            # `$5/hour` and `miles / hour` name units; `60 / the 2 hours` divides.
            divides = following.spaced and _operand_follows(tokens, place + 1)
            decided = kind if divides else TokenKind.WORD
        if token.text == "**" and kind is TokenKind.POWER:
            # `**1** 3 + 4 = 7`: what an emphasis opens, the next asterisks without a space before them close.
            decided = None if emphasised and not token.spaced else decided
            emphasised = decided is None and not emphasised
        if decided is None:
            continue
        settled.append(token if decided is kind else token._replace(kind=decided))
        if decided is TokenKind.POWER and token.text in _SQUARES:
            settled.append(Token(TokenKind.NUMBER, token.end, token.end, "", _SQUARES[token.text]))
    return settled


def _decided(token: Token, before: Token | None, following: Token | None) -> TokenKind | None:
    """Return the kind of a token between its neighbours, `None` to leave it out."""
    kind = token.kind
    ends = before is not None and before.kind in ENDS
    next_kind = None if following is None else following.kind
    if kind is TokenKind.POWER:
        # `**5 + 6 = 11**` is emphasis; between two operands, the sign is a power.
        return kind if token.text != "**" or (ends and next_kind in STARTS) else None
    if kind is TokenKind.VERB:
        speaks = token.text in BEING or next_kind in STARTS or (following is not None and determines(following.text))
        return kind if speaks else TokenKind.WORD
    if kind is TokenKind.MINUS:
        return TokenKind.WORD if following is not None and _is_hyphen(token, before, following) else kind
    if kind is TokenKind.TIMES and token.text in {"x", "X", "@"}:
        return kind if ends or (before is not None and before.kind is TokenKind.WORD) else TokenKind.WORD
    if kind is TokenKind.ROOT:
        return kind if next_kind in {TokenKind.LPAR, TokenKind.NUMBER} else TokenKind.WORD
    if kind is TokenKind.LINK and next_kind is TokenKind.LINK:
        # `20 + 5 = <<20+5=25>>=25`
        return None
    if kind is TokenKind.BREAK and token.text == "." and before is not None:
        # The point of an abbreviation: `3 lb. = 48 oz.`, `5 ft. 6 in.`
        shortened = before.text in _SHORTENED and next_kind is TokenKind.NUMBER
        return None if next_kind in _GOING_ON or shortened else kind
    if token.soft and before is not None and before.text in _ORDINAL and next_kind not in OPERATORS:
        return TokenKind.WORD
    return kind


_SIGN_WORDS = frozenset({"times", "of", "plus", "minus", "x", "X"})
_SHORTENED = frozenset({"ft", "lb", "lbs", "hr", "hrs", "min", "oz", "yd", "gal"})
_GOING_ON = frozenset({TokenKind.LINK, TokenKind.OVER, TokenKind.PLUS})
# `the first four months` counts nothing.
_ORDINAL = frozenset({"first", "last", "next", "other", "final", "these", "those"})
_SQUARES = {"²": 2, "³": 3}


def _is_sign(token: Token, before: Token | None, settled: list[Token], tokens: list[Token], place: int) -> bool:
    """Tell whether `times`, `of`, `plus`, `minus` or `x` is a sign between two operands."""
    if before is None or before.kind not in {*ENDS, TokenKind.WORD}:
        return False
    if token.text == "of":
        return _is_share(before, settled) and _operand_follows(tokens, place + 1)
    return _operand_follows(tokens, place + 1)


def _is_ratio(colon: Token, settled: list[Token], following: Token | None) -> bool:
    """Tell whether a colon stands between two terms of a ratio, `2 : 3 = 4 : 6`, and the first is no name as in `Step 2 : 3 + 4`."""
    if not colon.spaced or not settled or settled[-1].kind is not TokenKind.NUMBER:
        return False
    named = len(settled) > 1 and settled[-2].kind is TokenKind.WORD
    return not named and following is not None and following.kind is TokenKind.NUMBER


def _is_share(before: Token, settled: list[Token]) -> bool:
    """Tell whether the number before `of` is a percentage, a fraction or a decimal."""
    if before.kind is not TokenKind.NUMBER:
        return before.kind is TokenKind.RPAR
    divided = len(settled) > 1 and settled[-2].kind is TokenKind.OVER
    return before.percent or divided or isinstance(before.value, Fraction)


def _operand_follows(tokens: list[Token], place: int) -> bool:
    """Tell whether the next operand belongs to the sign before `place`: `of the remaining 40`, not `of it because 40`."""
    for token in tokens[place : place + MOST_WORDS]:
        if token.kind is not TokenKind.WORD:
            return token.kind in STARTS
        if not determines(token.text):
            return False
    return False


def _is_hyphen(token: Token, before: Token | None, following: Token) -> bool:
    """Tell whether a hyphen is part of the word after it, `5-day`, not a minus sign."""
    if before is None or token.spaced or following.spaced:
        return False
    return following.kind is TokenKind.WORD and len(following.text) > 1


def _without_remarks(tokens: list[Token]) -> list[Token]:
    """Leave out parentheses after a number or a word that hold words and no sign: `1600 (total) - 700`."""
    opened: int | None = None
    remarks: list[tuple[int, int]] = []
    for place, token in enumerate(tokens):
        if token.kind is TokenKind.LPAR:
            opened = place
        elif token.kind is TokenKind.RPAR and opened is not None:
            follows = opened > 0 and tokens[opened].spaced and tokens[opened - 1].kind in {*ENDS, TokenKind.WORD}
            if follows and _is_remark(tokens[opened + 1 : place]):
                remarks.append((opened, place + 1))
            opened = None
    for start, end in reversed(remarks):
        del tokens[start:end]
    return tokens


def _is_remark(inside: list[Token]) -> bool:
    if not inside:
        return False
    first = inside[0]
    return first.kind is TokenKind.WORD and len(first.text) > 1 and all(token.kind in _REMARKED for token in inside)


_REMARKED = frozenset({TokenKind.WORD, TokenKind.NUMBER, TokenKind.VERB, TokenKind.COLON, TokenKind.BREAK})


def _joined(tokens: list[Token]) -> list[Token]:
    """Read `1 hour and 30 minutes` as one number of hours, followed by the unchanged word of its unit."""
    if UNIT_WORDS.isdisjoint([token.text for token in tokens]):
        return tokens
    joined: list[Token] = []
    for token in tokens:
        joined.append(token)
        if token.kind is TokenKind.WORD and len(joined) > 3 and joined[-2].kind is TokenKind.NUMBER:
            _join(joined)
    return joined


def _join(tokens: list[Token]) -> None:
    """Replace two numbers with units at the end of the tokens by one number, where the units belong together."""
    start = len(tokens) - 4 - (tokens[-3].text == "and")
    if start < 0 or tokens[start].kind is not TokenKind.NUMBER or tokens[start + 1].kind is not TokenKind.WORD:
        return
    large, unit, small, part = tokens[start], tokens[start + 1], tokens[-2], tokens[-1]
    share = _share_of(unit.text, part.text)
    if share is not None and large.value is not None and small.value is not None:
        value = whole_as_int(Fraction(large.value) + small.value * share)
        text = f"{large.text} {unit.text} {small.text}"
        whole = large._replace(end=small.end, text=text, value=value, soft=True, joined=True)
        tokens[start:] = [whole, unit._replace(start=part.start, end=part.end, spaced=True)]


def _share_of(large: str, small: str) -> Fraction | None:
    """Return the size of the smaller unit in larger ones, `None` where the units have no common dimension."""
    large_sizes, small_sizes = sizes(singular_unit(large)), sizes(singular_unit(small))
    for dimension in large_sizes.keys() & small_sizes.keys():
        if small_sizes[dimension][0] < large_sizes[dimension][0]:
            return Fraction(small_sizes[dimension][0]) / Fraction(large_sizes[dimension][0])
    return None
