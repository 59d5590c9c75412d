"""The tokens of a solution line: where its numbers, signs, words and links stand, decided by their neighbours."""

import enum
import operator
import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from harness.domain import Exact
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

_LISTS = english("equations")
_RELATION_NAME = re.compile(rf"\b(?:{_LISTS.either('relation_names')})\b")
RELATION_COMMANDS = _LISTS.words("relation_commands")
"""Commands of LaTeX that state a relation, without `\\approx` and its like, which the reader takes for a link."""
LAYOUT_COMMANDS = _LISTS.words("layout_commands")
"""Commands of LaTeX that change how a formula looks, not what it says."""


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
_COMPARED_BY: dict[str, Callable[[Exact, Exact], bool]] = {
    "< \\lt": operator.lt,
    "> \\gt": operator.gt,
    "<= =< ≤ ≦ ⩽ \\le \\leq \\leqslant": operator.le,
    ">= ≥ ≧ ⩾ \\ge \\geq \\geqslant": operator.ge,
    "!= ≠ \\ne \\neq": operator.ne,
}
COMPARISONS = {sign: holds for signs, holds in _COMPARED_BY.items() for sign in signs.split()}
"""What the signs of comparisons state of two numbers; `=>` may also be an arrow."""
_GROUP_MARKS = re.compile(r"[^\d.]+")
_LATEX_LINKS = {"\\approx": "≈", "\\simeq": "≈", "\\sim": "~"}
_COMMANDS = {
    **dict.fromkeys(_LATEX_LINKS, TokenKind.LINK),
    **dict.fromkeys(("\\frac", "\\dfrac", "\\tfrac"), TokenKind.FRACTION),
    "\\sqrt": TokenKind.ROOT,
}
_SMALL = {**UNITS, **TEENS, **TENS}
_SCALES = {"ten": 10, **SCALES}
_FRACTIONS = "|".join(f"{top}/{bottom}" for bottom in (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16) for top in range(1, bottom))
_SMALL_WORDS = "|".join(sorted((word for word in _SMALL if word not in {"zero", "one"}), key=len, reverse=True))
_PART_WORDS = "|".join(PARTS)
# Words first: most tokens are words, and few of those begin anything else.
_TOKEN = re.compile(
    rf"\s*+(?:(?P<word>[^\W\d_{''.join(FRACTION_GLYPHS)}²³][\w’'&]*(?:-[^\W\d_][\w’']*)*)"
    rf"|(?P<opaque>\d{{1,2}}\s?(?:{_LISTS.either('clock')})(?![^\W\d_])"
    r"|0(?:x[\da-f]{1,16}|b[01]{1,16})\b|\d{1,15}\.(?=\(\d{1,9}\)|\\(?:overline|bar|dot)\b)|(?<![\d.])\d{1,12}(?:(?::|\s:\s)\d{1,12}){1,3}(?!\d)|0\d{1,5}(?![\d.])|\d{1,12}(?:,(?!\d{3}(?!\d))\d{1,12})+(?!\d))"
    r"|(?P<currency>[$€£¥]\s*+)?"
    rf"(?P<number>(?P<mixed>(?<![/.\d])(?<!/\s)\d{{1,6}})\s(?:and\s(?:(?![\d/]+\s?=)|(?<=[-+*×x]\s\d\sand\s)|(?<=[-+*×x]\s\d\d\sand\s)))?(?:(?P<fraction>{_FRACTIONS})(?![.,/]?\d|\sof\b)|\((?P<enclosed>{_FRACTIONS})\))"
    rf"|(?P<whole>\d{{0,9}})\s?(?P<glyph>{_GLYPH})"
    r"|(?P<groups>\d{1,3}(?:[\u0020\u00a0\u202f]\d{3}){1,4}(?!\d|[.,]\d)|\d{1,3}(?:(?:['’~]|\{,\}|\\[,;:!\s])\d{3}){1,4}(?!\d)(?:\.\d{1,15})?)"
    rf"|(?P<numeral>{NUMERAL})(?P<ordinal>(?:st|nd|rd|th)s?\b)?"
    r"(?:\s(?P<scale>tens|(?:hundred|thousand|million|billion)s?)\b)?)"
    r"(?P<percent>\s?\\?%|\s(?:percent|per\scent)\b)?"
    r"|(?P<compare>[<>!]=|=[<>]|[-−]>|[<>≤≥≠])|(?P<link>={1,3}(?:\s=)?|＝|[≈≃≅]|~=|=~)"
    r"|(?P<sign>\*\*|//|[-−–+*×✕·⋅∙@/÷⁄^])"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<stop>[.,:;?!|…—]+)"
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
BEING = _LISTS.words("being")
_KINDS = {**dict.fromkeys((*BEING, *_LISTS.ordered("giving")), TokenKind.VERB), "sqrt": TokenKind.ROOT}
_PLAIN = {
    "opaque": TokenKind.OPAQUE,
    "compare": TokenKind.BREAK,
    "stop": TokenKind.BREAK,
    "link": TokenKind.LINK,
    "equals": TokenKind.LINK,
    "open": TokenKind.LPAR,
    "close": TokenKind.RPAR,
    "root": TokenKind.ROOT,
}


def _lexed(text: str) -> list[Token]:
    """Return the tokens of a line in order, without white space; letters and words are not yet decided to be signs."""
    text = text.rstrip()
    tokens: list[Token] = []
    braces: list[bool] = []
    at = 0
    spaced = left_out = False
    while (match := _TOKEN.match(text, at)) is not None:
        name = match.lastgroup or "other"
        start, end = match.start("number" if name == "percent" else name), match.end()
        spaced = text[at].isspace() or (left_out and spaced)
        token: Token | None = None
        if name == "word":
            special = _SPECIAL.match(text, start)
            if special is None:
                lower = text[start:end].lower()
                kind = _KINDS.get(lower, TokenKind.WORD)
                token = Token(kind, start, end, lower if end - start > 1 else text[start:end], spaced=spaced)
            else:
                match, name, end = special, special.lastgroup or "other", special.end()
        left_out = False
        if name == "brace":
            opens, start = text[end - 1] == "{", end - 1
            if opens:
                braces.append(_opens_group(text, start, tokens))
            if braces and (braces[-1] if opens else braces.pop()):
                tokens.append(Token(TokenKind.LPAR if opens else TokenKind.RPAR, start, end, text[start]))
        else:
            token = token or _token(match, name, start, spaced=spaced)
            left_out = token is None
        if token is not None:
            tokens.append(token)
        at = end
    return tokens


def _opens_group(text: str, start: int, tokens: list[Token]) -> bool:
    """Tell whether a brace opens a group: the parts of a fraction, a root or an exponent, or what stands between signs."""
    before = tokens[-1] if tokens else None
    part = before is not None and before.kind in {TokenKind.FRACTION, TokenKind.ROOT, TokenKind.POWER}
    second = before is not None and before.kind is TokenKind.RPAR and before.text == "}"
    return part or second or text[start - 1 : start] in {"", *" (+-*/=×÷"}


def _token(match: re.Match[str], name: str, start: int, *, spaced: bool) -> Token | None:
    """Return the token of a match, `None` where it says nothing; a sign of mathematics that has no rule is of no known meaning."""
    end = match.end()
    text = match.string[start:end]
    kind = _PLAIN.get(name)
    if name in {"number", "percent"}:
        return _number(match, start, spaced=spaced)
    if name in {"part", "cardinal"}:
        value = read_words(text)
        kind = TokenKind.OPAQUE if value is None else TokenKind.NUMBER
        return Token(kind, start, end, text, value, soft=True, spaced=spaced)
    if name in {"sign", "wordsign", "times"}:
        kind = SIGNS.get(text) or SIGNS[" ".join(text.lower().split())]
    elif name == "command" and text[1:] not in LAYOUT_COMMANDS:
        unknown = TokenKind.BREAK if text[1:] in RELATION_COMMANDS else TokenKind.OPAQUE
        kind = SIGNS.get(text) or _COMMANDS.get(text, unknown)
    elif name == "other" and text == "¢":
        kind = TokenKind.WORD
    elif name == "other" and (is_operator(text) or text == "_"):
        kind = TokenKind.OPAQUE
    elif name == "other" and is_relation(text):
        kind = TokenKind.BREAK
    return None if kind is None else Token(kind, start, end, _LATEX_LINKS.get(text, text), spaced=spaced)


def _number(match: re.Match[str], start: int, *, spaced: bool) -> Token:
    """Return the token of a number: its value with its percent sign and the factor of a word such as `million`, and its decimals."""
    end, currency, percent = match.end(), match["currency"], match["percent"] is not None
    if currency and len(currency) <= len(currency.rstrip()) + 1:
        start = match.start("currency")
    text = match.string[start:end]
    if match["ordinal"] and match.string[start - 1 : start] != "/":
        return Token(TokenKind.WORD, start, end, text.lower(), spaced=spaced)
    value: Exact | None
    places, scale = 0, 1
    if match["mixed"] is not None:
        value = int(match["mixed"]) + Fraction(match["fraction"] or match["enclosed"])
    elif match["glyph"] is not None:
        value = int(match["whole"] or 0) + Fraction(*FRACTION_GLYPHS[match["glyph"]])
    else:
        numeral = match["numeral"] or _GROUP_MARKS.sub("", match["groups"])
        value, places = read_numeral(numeral), len(numeral.partition(".")[2])
        scale = _SCALES[match["scale"].lower().removesuffix("s")] if match["scale"] else 1
    if value is None:
        return Token(TokenKind.OPAQUE, start, end, text, spaced=spaced)
    if scale > 1 or percent:
        value = Fraction(value * scale, 100 if percent else 1)
    soft = any(map(str.isspace, match["groups"] or ""))
    unit = "$" if currency else ""
    return Token(TokenKind.NUMBER, start, end, text, whole_as_int(value), percent, places, unit, spaced, soft, scale)


def tokenise(text: str) -> list[Token]:
    """Return the tokens of a line in order, white space left out; neighbours decide which letters, words and asterisks are signs."""
    tokens = _lexed(text)
    settled: list[Token] = []
    for place, token in enumerate(tokens):
        kind = token.kind
        if (kind is not TokenKind.WORD or token.text in _SIGN_WORDS) and kind is not TokenKind.NUMBER:
            decided = _decided(token, settled, tokens, place)
            if decided is None:
                continue
            token = token if decided is kind else token._replace(kind=decided)
        settled.append(token)
    return settled


def _decided(token: Token, settled: list[Token], tokens: list[Token], place: int) -> TokenKind | None:
    """Return the kind of a token between its neighbours, `None` to leave it out."""
    kind, before = token.kind, settled[-1] if settled else None
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    ends = before is not None and before.kind in ENDS
    worded = before is not None and before.kind is TokenKind.WORD
    next_kind = None if following is None else following.kind
    if kind is TokenKind.WORD:
        # `times`, `of`, `plus`, `minus` and `x` between two operands.
        joins = (ends or worded) if token.text != "of" else _is_share(settled)
        return SIGNS[token.text] if joins and _operand_follows(tokens, place + 1) else kind
    if kind is TokenKind.POWER:
        # `**5 + 6 = 11**` is emphasis; between two operands, the sign is a power.
        return kind if token.text != "**" or (ends and next_kind in STARTS) else None
    if kind is TokenKind.VERB:
        speaks = token.text in BEING or next_kind in STARTS or (following is not None and determines(following.text))
        return kind if speaks else TokenKind.WORD
    if kind is TokenKind.TIMES and token.text in {"x", "X", "@"}:
        return kind if ends or worded else TokenKind.WORD
    if kind is TokenKind.ROOT:
        return kind if next_kind in {TokenKind.LPAR, TokenKind.NUMBER} else TokenKind.WORD
    if following is None or next_kind is not TokenKind.WORD:
        return kind
    if kind is TokenKind.MINUS and before is not None and not token.spaced and not following.spaced:
        # A hyphen of the word after it, `5-day`.
        return TokenKind.WORD if len(following.text) > 1 else kind
    if kind is TokenKind.OVER:
        # `$5/hour` and `miles / hour` name units; `60 / the 2 hours` divides.
        return kind if following.spaced and _operand_follows(tokens, place + 1) else TokenKind.WORD
    return kind


_SIGN_WORDS = _LISTS.words("sign_words")


def _is_share(settled: list[Token]) -> bool:
    """Tell whether the number before `of` is a percentage, a fraction or a decimal, or in parentheses."""
    if not settled or settled[-1].kind is not TokenKind.NUMBER:
        return bool(settled) and settled[-1].kind is TokenKind.RPAR
    divided = len(settled) > 1 and settled[-2].kind is TokenKind.OVER
    return settled[-1].percent or divided or isinstance(settled[-1].value, Fraction)


def _operand_follows(tokens: list[Token], place: int) -> bool:
    """Tell whether the next operand belongs to the sign before `place`: `of the remaining 40`, not `of it because 40`."""
    for token in tokens[place : place + MOST_WORDS]:
        if token.kind is not TokenKind.WORD or not determines(token.text):
            return token.kind in STARTS
    return False


@lru_cache(maxsize=4096)
def is_relation(character: str) -> bool:
    """Tell whether a character states a relation, by its name in Unicode; `~` and the brackets of annotations do, too."""
    return character in "=<>~" or (
        not character.isascii() and _RELATION_NAME.search(unicodedata.name(character, "")) is not None
    )


def is_arrow(sign: str) -> bool:
    """Tell whether a relation is an arrow, which may lead from one equation to the next."""
    if sign.startswith("\\"):
        return "arrow" in sign.lower() or sign[1:] in {"to", "implies", "iff", "mapsto", "leadsto"}
    return sign in {"=>", "->", ">", "==>", "<=>"} or any("ARROW" in unicodedata.name(each, "") for each in sign)


@lru_cache(maxsize=4096)
def is_operator(character: str) -> bool:
    """Tell whether a character beyond ASCII is a sign of mathematics that is no relation, or a number without digits: `∛`, `‰`, `⑤`."""
    if character.isascii() or character in "∴∵∎":
        return False
    return (unicodedata.category(character) in {"Sm", "No", "Nl"} or character in "‰‱") and not is_relation(character)
