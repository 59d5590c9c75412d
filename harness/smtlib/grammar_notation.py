"""The notations of grammar rules for llguidance (Lark) and llama.cpp (GBNF).

Rule bodies use what both notations share: literals in quotes, names of rules, `( ) | ? * +`. Only the few tokens differ. A literal
that is not the last of its rule must not be a prefix of another literal in the same place, because llguidance takes the longest.
"""

from __future__ import annotations

import enum
import json
import string
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_FIRST = string.ascii_letters + "_"
_LATER = string.ascii_letters + string.digits + "_"
MOST_LETTERS, MOST_DIGITS = 30, 9
"""The maximum after the first character of a name or a number: under a grammar, models repeat a letter or digit without end."""


class GrammarNotation(enum.StrEnum):
    """The notations of a grammar."""

    LARK = "lark"
    GBNF = "gbnf"


def literal(text: str) -> str:
    """Return a literal as both notations write it."""
    return json.dumps(text)


@dataclass(slots=True)
class GrammarRules:
    """The rules of a grammar by name; `start` is the first rule.

    Rules may use the tokens `NAME`, which excludes the reserved words, `CALL`, such a name after a parenthesis and before a
    space, `NUMERAL`, `POSITIVE`, `DECIMAL`, and `REST`, which is any text.
    """

    bodies: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, *alternatives: str) -> None:
        """Add a rule."""
        self.bodies[name] = " | ".join(alternatives)

    def write(self, notation: GrammarNotation, words: Iterable[str], numerals: Collection[str] = ()) -> str:
        """Return the grammar; names exclude the reserved `words`, and in Lark, numbers are `numerals` where there are any."""
        kept = sorted(set(words))
        if notation is GrammarNotation.LARK:
            lines = [f"{name}: {body}" for name, body in self.bodies.items()]
            return "\n".join([*lines, *_lark_tokens(kept, sorted(set(numerals)))]) + "\n"
        # llama.cpp begins at `root`.
        lines = [f"{'root' if name == 'start' else name} ::= {body}" for name, body in self.bodies.items()]
        return "\n".join([*lines, *_gbnf_tokens(kept)]) + "\n"


def _lark_tokens(words: list[str], numerals: list[str]) -> Iterator[str]:
    name = f"[A-Za-z_][A-Za-z0-9_]{{0,{MOST_LETTERS}}}"
    digits = f"[0-9]{{0,{MOST_DIGITS}}}"
    either = "|".join(words)
    yield f"NAME: /{name}/ & ~/{either}/"
    yield f"CALL: /\\({name} / & ~/\\(({either}) /"
    whole = [numeral for numeral in numerals if "." not in numeral]
    positive = [numeral for numeral in whole if numeral != "0"]
    yield f"NUMERAL: /{'|'.join(whole)}/" if numerals else f"NUMERAL: /0|[1-9]{digits}/"
    yield f"POSITIVE: /{'|'.join(positive)}/" if positive else f"POSITIVE: /[1-9]{digits}/"
    decimals = "|".join(numeral if "." in numeral else f"{numeral}.0" for numeral in numerals).replace(".", "\\.")
    yield f"DECIMAL: /{decimals}/" if numerals else f"DECIMAL: /(0|[1-9]{digits})\\.[0-9]{digits}/"
    yield r"REST: /(.|\n)*/"


def _gbnf_tokens(words: list[str]) -> Iterator[str]:
    yield 'CALL ::= "(" NAME " "'
    yield 'NUMERAL ::= "0" | POSITIVE'
    yield f"POSITIVE ::= [1-9] [0-9]{{0,{MOST_DIGITS}}}"
    yield f'DECIMAL ::= NUMERAL "." [0-9] [0-9]{{0,{MOST_DIGITS}}}'
    yield f"tail ::= [{_LATER}]{{0,{MOST_LETTERS}}}"
    yield from _but(words)


def _but(words: list[str]) -> Iterator[str]:
    """Yield rules for all names except the words: GBNF has no complement, so each beginning of a word is a rule."""
    beginnings = {word[:end] for word in words for end in range(len(word) + 1)} | {""}
    number = {beginning: place for place, beginning in enumerate(sorted(beginnings))}
    for beginning, place in number.items():
        letters = _LATER if beginning else _FIRST
        going = [letter for letter in letters if beginning + letter in beginnings]
        others = "".join(letter for letter in letters if letter not in going)
        alternatives = [f'"{letter}" tail{number[beginning + letter]}' for letter in going]
        alternatives.append(f"[{others}] tail")
        if beginning and beginning not in words:
            alternatives.append('""')
        yield f"{f'tail{place}' if beginning else 'NAME'} ::= {' | '.join(alternatives)}"
