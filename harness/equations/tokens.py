"""The tokens of a solution line: where its numbers, signs, words and links stand, decided by their neighbours."""

from __future__ import annotations

import enum
import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Protocol

from harness.equations.relation_signs import LAYOUT_COMMANDS, RELATION_COMMANDS, is_operator, is_relation
from harness.text.lexicon import english
from harness.text.numbers import (
    FRACTION_GLYPHS,
    NUMERAL,
    PARTS,
    SCALES,
    TEENS,
    TENS,
    UNITS,
    read_numeral,
    read_words,
    whole_as_int,
)

if TYPE_CHECKING:
    from harness.domain import Exact


_LISTS = english("equations")


class TokenKind(enum.StrEnum):
    """What a token is; the names of signs and numbers are those of the grammar's terminals."""

    # Kinds are looked up millions of times; an enumeration hashes its names in Python.
    __hash__ = str.__hash__

    NUMBER = "NUMBER"
    PLUS = "PLUS"
    MINUS = "MINUS"
    TIMES = "TIMES"
    OVER = "OVER"
    FLOOR = "FLOOR"
    POWER = "POWER"
    LPAR = "LPAR"
    RPAR = "RPAR"
    FRACTION = "FRACTION"
    ROOT = "ROOT"
    WORD = "WORD"
    LINK = "LINK"
    VERB = "VERB"
    BREAK = "BREAK"
    OPAQUE = "OPAQUE"


class Token(NamedTuple):
    """A piece of a line; `value` is a number's, `soft` marks a number in words or in groups of digits."""

    kind: TokenKind
    start: int
    end: int
    text: str
    value: Exact | None = None
    percent: bool = False
    places: int = 0
    unit: str = ""
    spaced: bool = False
    """White space stands before it."""
    soft: bool = False
    scale: int = 1


OPERATORS = frozenset(
    {TokenKind.PLUS, TokenKind.MINUS, TokenKind.TIMES, TokenKind.OVER, TokenKind.FLOOR, TokenKind.POWER}
)
STARTS = frozenset({TokenKind.NUMBER, TokenKind.LPAR, TokenKind.FRACTION, TokenKind.ROOT})
ENDS = frozenset({TokenKind.NUMBER, TokenKind.RPAR})
MOST_WORDS = 5
"""So many words may stand between a sign and its number: `1/2 of the remaining 40 clips`."""


def determines(word: str) -> bool:
    """Tell whether a word can stand between a sign and its number without a meaning of its own: `the`, `Ann's`."""
    return word in _DETERMINERS or word.endswith(("'s", "s'", "’s", "s’"))


_DETERMINERS = _LISTS.words("determiners")


_GLYPH = f"[{''.join(FRACTION_GLYPHS)}]"
_TIMES = ("*", "×", "✕", "·", "⋅", "∙", "@", "x", "X", "times", "of", "multiplied by", "\\times", "\\cdot")
SIGNS = {
    **dict.fromkeys(("+", "plus"), TokenKind.PLUS),
    **dict.fromkeys(("-", "−", "–", "minus"), TokenKind.MINUS),
    **dict.fromkeys(_TIMES, TokenKind.TIMES),
    **dict.fromkeys(("/", "÷", "⁄", "divided by", "\\div"), TokenKind.OVER),
    **dict.fromkeys(("**", "^"), TokenKind.POWER),
    "//": TokenKind.FLOOR,
}
_LATEX_LINKS = {"\\approx": "≈", "\\simeq": "≈", "\\sim": "~"}
_LATEX_FRACTIONS = frozenset({"\\frac", "\\dfrac", "\\tfrac"})
_SMALL = {**UNITS, **TEENS, **TENS}
_SCALES = {"ten": 10, **SCALES}
_FRACTIONS = "|".join(f"{top}/{bottom}" for bottom in (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16) for top in range(1, bottom))
_SMALL_WORDS = "|".join(sorted((word for word in _SMALL if word not in {"zero", "one"}), key=len, reverse=True))
_PART_WORDS = "|".join(PARTS)
# Words first: most tokens are words, and few of those begin anything else.
_TOKEN = re.compile(
    rf"\s*+(?:(?P<word>[^\W\d_{''.join(FRACTION_GLYPHS)}²³][\w’'&]*(?:-[^\W\d_][\w’']*)*)"
    r"|(?P<digits>(?!0\d)\d{1,15}(?=\s?[-+*/=)]))"
    rf"|(?P<opaque>\d{{1,2}}\s?(?:{_LISTS.either('clock')})(?![^\W\d_])"
    r"|0(?:x[\da-f]{1,16}|b[01]{1,16})\b|\d{1,15}\.(?=\(\d{1,9}\)|\\(?:overline|bar|dot)\b)|(?<![\d.])\d{1,12}(?:(?::|\s:\s)\d{1,12}){1,3}(?!\d)|0\d{1,5}(?![\d.])|\d{1,12}(?:,(?!\d{3}(?!\d))\d{1,12})+(?!\d))"
    r"|(?P<currency>[$€£¥]\s*+)?"
    rf"(?P<number>(?P<mixed>(?<![/.\d])(?<!/\s)\d{{1,6}})\s(?:and\s(?:(?![\d/]+\s?=)|(?<=[-+*×x]\s\d\sand\s)|(?<=[-+*×x]\s\d\d\sand\s)))?(?:(?P<fraction>{_FRACTIONS})(?![.,/]?\d|\sof\b)|\((?P<enclosed>{_FRACTIONS})\))"
    rf"|(?P<whole>\d{{0,9}})\s?(?P<glyph>{_GLYPH})"
    r"|(?P<groups>\d{1,3}(?:[\u0020\u00a0\u202f]\d{3}){1,4}(?!\d|[.,]\d)|\d{1,3}(?:(?:['’]|\{,\}|\\[,;:!])\d{3}){1,4}(?!\d)(?:\.\d{1,15})?)"
    rf"|(?P<numeral>{NUMERAL})(?P<ordinal>(?:st|nd|rd|th)s?\b)?"
    r"(?:\s(?P<scale>tens|(?:hundred|thousand|million|billion)s?)\b)?)"
    r"(?P<percent>\s?\\?%|\s(?:percent|per\scent)\b)?"
    r"|(?P<compare>[<>!]=|=[<>]|[-−]>)|(?P<link>={1,3}(?:\s=)?|＝|[≈≃≅]|~=|=~)"
    r"|(?P<sign>\*\*|//|[-−–+*×✕·⋅∙@/÷⁄^])"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<stop>[.,:;?!<>≤≥≠|…—]+)"
    r"|(?P<command>\\[A-Za-z]+)|(?P<brace>\\?[{}])|(?P<escaped>\\.)"
    r"|(?P<root>√)|(?P<other>.))",
    re.IGNORECASE | re.DOTALL,
)
_SPECIAL = re.compile(
    r"(?P<times>(?<=[\d)%}\s])x(?=\s?[\d$(.\\]))|(?P<wordsign>(?:multiplied|divided)\sby\b)"
    r"|(?P<equals>equals(?:\sto)?\b|(?:(?:is|are|was|were|be)\s)?equal\sto\b)"
    rf"|(?P<part>(?:(?:one|an?|two|three|four)[\s-])?(?:{_PART_WORDS})s?(?=\sof\b))"
    rf"|(?P<cardinal>(?:{_SMALL_WORDS})(?![\w’'-]))",
    re.IGNORECASE,
)
_FIRST_WORDS = frozenset(
    {
        *_SMALL, *PARTS, *(f"{word}s" for word in PARTS), "x", "multiplied", "divided", "equals", "equal", "is",
        "are", "was", "were", "be", "a", "an",
    }
)  # fmt: skip
BEING = frozenset({"is", "are", "was", "were"})
_KINDS = {**dict.fromkeys((*BEING, "gives", "makes", "leaves", "totals"), TokenKind.VERB), "sqrt": TokenKind.ROOT}


def lex(text: str) -> list[Token]:
    """Return the tokens of a line in order, without white space; letters and words are not yet decided to be signs."""
    text = text.rstrip()
    tokens: list[Token] = []
    braces: list[bool] = []
    at = 0
    spaced = left_out = False
    while (match := _TOKEN.match(text, at)) is not None:
        name = match.lastgroup or "other"
        start, end = match.start("number" if name == "percent" else name), match.end()
        spaced = start > at or (left_out and spaced)
        left_out = False
        if name == "word":
            word = text[start:end]
            lower = word.lower()
            first = lower.partition("-")[0]
            special = _SPECIAL.match(text, start) if first in _FIRST_WORDS or first[0] == "x" else None
            if special is None:
                kind = _KINDS.get(lower, TokenKind.WORD)
                tokens.append(Token(kind, start, end, lower if end - start > 1 else word, spaced=spaced))
                at = end
                continue
            match, name, end = special, special.lastgroup or "other", special.end()
        if name == "digits":
            tokens.append(Token(TokenKind.NUMBER, start, end, text[start:end], int(text[start:end]), spaced=spaced))
        elif name == "brace":
            _brace(text, match.end() - 1, tokens, braces)
        else:
            token = _READERS[name](match, start, spaced=spaced)
            left_out = token is None
            if token is not None:
                tokens.append(token)
        at = end
    return tokens


def _brace(text: str, start: int, tokens: list[Token], braces: list[bool]) -> None:
    """Read braces as parentheses where they hold the parts of a fraction, a root or an exponent."""
    brace = text[start]
    if brace == "{":
        before = tokens[-1].kind if tokens else None
        closed = before is TokenKind.RPAR and tokens[-1].text == "}"
        groups = text[start - 1 : start] in {"", *" (+-*/=×÷"}
        braces.append(before in {TokenKind.FRACTION, TokenKind.ROOT, TokenKind.POWER} or closed or groups)
        counts = braces[-1]
    else:
        counts = bool(braces) and braces.pop()
    if counts:
        tokens.append(Token(TokenKind.LPAR if brace == "{" else TokenKind.RPAR, start, start + 1, brace))


class _Reader(Protocol):
    def __call__(self, match: re.Match[str], start: int, *, spaced: bool) -> Token | None: ...


def _of_kind(kind: TokenKind) -> _Reader:
    def read(match: re.Match[str], start: int, *, spaced: bool) -> Token:
        return Token(kind, start, match.end(), match.string[start : match.end()], spaced=spaced)

    return read


def _nothing(match: re.Match[str], start: int, *, spaced: bool) -> None:
    """Read nothing."""


def _sign(match: re.Match[str], start: int, *, spaced: bool) -> Token:
    text = match.string[start : match.end()]
    kind = SIGNS.get(text) or SIGNS[" ".join(text.lower().split())]
    return Token(kind, start, match.end(), text, spaced=spaced)


def _command(match: re.Match[str], start: int, *, spaced: bool) -> Token | None:
    name = match["command"]
    if name in SIGNS:
        return _sign(match, start, spaced=spaced)
    if name in _LATEX_LINKS:
        return Token(TokenKind.LINK, start, match.end(), _LATEX_LINKS[name], spaced=spaced)
    if name in _LATEX_FRACTIONS:
        return Token(TokenKind.FRACTION, start, match.end(), name, spaced=spaced)
    if name == "\\sqrt":
        return Token(TokenKind.ROOT, start, match.end(), name, spaced=spaced)
    if name[1:] in LAYOUT_COMMANDS:
        return None
    kind = TokenKind.BREAK if name[1:] in RELATION_COMMANDS else TokenKind.OPAQUE
    return Token(kind, start, match.end(), name, spaced=spaced)


def _other(match: re.Match[str], start: int, *, spaced: bool) -> Token | None:
    """Read a sign of mathematics that has no rule as of no known meaning; other characters say nothing."""
    character = match["other"]
    if character == "¢":
        return Token(TokenKind.WORD, start, match.end(), character, spaced=spaced)
    if is_operator(character) or character == "_":
        return Token(TokenKind.OPAQUE, start, match.end(), character, spaced=spaced)
    if is_relation(character):
        return Token(TokenKind.BREAK, start, match.end(), character, spaced=spaced)
    return None


def _words(match: re.Match[str], start: int, *, spaced: bool) -> Token:
    text = match.group().strip()
    value = read_words(text)
    kind = TokenKind.OPAQUE if value is None else TokenKind.NUMBER
    return Token(kind, start, match.end(), text, value, spaced=spaced, soft=True)


def _number(match: re.Match[str], start: int, *, spaced: bool) -> Token:
    end = match.end()
    currency = match["currency"]
    if currency and len(currency) <= len(currency.rstrip()) + 1:
        start = match.start("currency")
    text = match.string[start:end]
    if match["ordinal"] and match.string[start - 1 : start] != "/":
        return Token(TokenKind.WORD, start, end, text.lower(), spaced=spaced)
    value, places, scale = _value(match)
    if value is None:
        return Token(TokenKind.OPAQUE, start, end, text, spaced=spaced)
    percent = match["percent"] is not None
    value = whole_as_int(Fraction(value) / 100) if percent else value
    unit = "$" if currency else ""
    soft = match["groups"] is not None and any(map(str.isspace, match["groups"]))
    return Token(TokenKind.NUMBER, start, end, text, value, percent, places, unit, spaced, soft, scale)


class _NumberValue(NamedTuple):
    value: Exact | None
    places: int = 0
    scale: int = 1


def _value(match: re.Match[str]) -> _NumberValue:
    """Return the value of a number without its percent sign, its decimals, and the factor of a word such as `million`."""
    if match["mixed"] is not None:
        return _NumberValue(int(match["mixed"]) + Fraction(match["fraction"] or match["enclosed"]))
    if match["glyph"] is not None:
        return _NumberValue(int(match["whole"] or 0) + Fraction(*FRACTION_GLYPHS[match["glyph"]]))
    if match["groups"] is not None:
        whole, _, decimals = match["groups"].partition(".")
        digits = "".join(filter(str.isdigit, whole))
        return _NumberValue(whole_as_int(Fraction(f"{digits}.{decimals or 0}")), len(decimals))
    value = read_numeral(match["numeral"])
    if value is None:
        return _NumberValue(None)
    places = len(match["numeral"].partition(".")[2])
    scale = _SCALES[match["scale"].lower().removesuffix("s")] if match["scale"] else 1
    return _NumberValue(whole_as_int(value) * scale, places, scale)


_READERS: dict[str, _Reader] = {
    "opaque": _of_kind(TokenKind.OPAQUE),
    "number": _number,
    "percent": _number,
    "compare": _of_kind(TokenKind.BREAK),
    "link": _of_kind(TokenKind.LINK),
    "equals": _of_kind(TokenKind.LINK),
    "command": _command,
    "escaped": _nothing,
    "sign": _sign,
    "wordsign": _sign,
    "times": _sign,
    "open": _of_kind(TokenKind.LPAR),
    "close": _of_kind(TokenKind.RPAR),
    "root": _of_kind(TokenKind.ROOT),
    "part": _words,
    "cardinal": _words,
    "stop": _of_kind(TokenKind.BREAK),
    "other": _other,
}


def tokenise(text: str) -> list[Token]:
    """Return the tokens of a line in order, white space left out."""
    return _settled(lex(text))


def _settled(tokens: list[Token]) -> list[Token]:
    """Decide by their neighbours which letters, words and asterisks are signs."""
    settled: list[Token] = []
    last = len(tokens) - 1
    for place, token in enumerate(tokens):
        kind = token.kind
        if (kind is TokenKind.WORD and token.text not in _SIGN_WORDS) or (kind is TokenKind.NUMBER and not token.soft):
            settled.append(token)
            continue
        before = settled[-1] if settled else None
        following = tokens[place + 1] if place < last else None
        decided = _decided(token, before, following)
        if kind is TokenKind.WORD and _is_sign(token, before, settled, tokens, place):
            decided = SIGNS[token.text]
        elif kind is TokenKind.OVER and following is not None and following.kind is TokenKind.WORD:
            # `$5/hour` and `miles / hour` name units; `60 / the 2 hours` divides.
            divides = following.spaced and _operand_follows(tokens, place + 1)
            decided = kind if divides else TokenKind.WORD
        if decided is None:
            continue
        settled.append(token if decided is kind else token._replace(kind=decided))
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
    return kind


_SIGN_WORDS = frozenset({"times", "of", "plus", "minus", "x", "X"})


def _is_sign(token: Token, before: Token | None, settled: list[Token], tokens: list[Token], place: int) -> bool:
    """Tell whether `times`, `of`, `plus`, `minus` or `x` is a sign between two operands."""
    if before is None or before.kind not in {*ENDS, TokenKind.WORD}:
        return False
    if token.text == "of":
        return _is_share(before, settled) and _operand_follows(tokens, place + 1)
    return _operand_follows(tokens, place + 1)


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
