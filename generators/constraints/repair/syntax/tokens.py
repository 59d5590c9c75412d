"""The tokens of a text that mixes SMT-LIB2 with infix operators and calls."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from generators.constraints.repair.syntax.operator_spellings import is_reversed, operator

_TOKEN = re.compile(
    r"""(?P<blank>\s+|;[^\n]*)
      | (?P<bracket>[()\[\]{}])
      | (?P<comma>,)
      | (?P<string>"(?:[^"\n]|"")*")
      | (?P<quoted>\|[^|\\\n]+\|)
      | (?P<number>\d+(?:\.\d+)?(?![\w.]))
      | (?P<keyword>:[A-Za-z][\w-]*)
      | (?P<run>[A-Za-z0-9~!@#$%^&*_\-+=<>.?/|'≠≤≥:\\]+)""",
    re.VERBOSE,
)
_SIGNS = r"\#(?:<==>|==>|=<|>=|\\=|/\\|\\/|[=<>\\])|\$[a-z]+|\|->|:=:|=\\=|~>|\.$|<=>|<->|==>|-->|===|!==|=/=|=!=|<=|>=|=<|!=|==|<>|/=|&&|\|\||/\\|\\/|->|=>|:=|\*\*|//|[-+*/%<>=!^&~≠≤≥?:]"
_PARTS = re.compile(rf"(?P<name>[A-Za-z_][\w.']*(?:-[A-Za-z_][\w.']*)*)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>{_SIGNS})")


_LONGEST_PHRASE = 6
"""Words of `is greater than or equal to`."""


class UnreadableError(Exception):
    """The text is no term that could be told for sure; the message says where it fails."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its text, what it is, and whether it touches the one before."""

    text: str
    kind: str
    touching: bool = False


def lexemes(pattern: re.Pattern[str], text: str) -> Iterator[Token]:
    """Yield what a pattern finds of a text, each of the kind of its group; a `blank` parts what stands beside it.

    Raises:
        UnreadableError: a character that the pattern does not find.
    """
    place, touching = 0, False
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            raise UnreadableError(f"{text[place]!r}")
        place = match.end()
        blank = match.lastgroup == "blank"
        if not blank:
            yield Token(match[0], match.lastgroup or "", touching)
        touching = not blank


def tokens(text: str, known: Collection[str]) -> Iterator[Token]:
    """Yield the tokens of a text; what is no name that is known is split at its signs.

    Raises:
        UnreadableError: a character that is in no token.
    """
    yield from _phrases(list(_words(text, known)), known)


def _words(text: str, known: Collection[str]) -> Iterator[Token]:
    for lexeme in lexemes(_TOKEN, text):
        if lexeme.kind == "run" and lexeme.text not in known and operator(lexeme.text) is None:
            yield from _split(lexeme.text, known, touching=lexeme.touching)
        else:
            yield Token(lexeme.text, "name" if lexeme.kind in {"run", "quoted"} else lexeme.kind, lexeme.touching)


def _phrases(words: list[Token], known: Collection[str]) -> Iterator[Token]:
    """Yield tokens with the words of an operator, as in `is at most`, as one."""
    place = 0
    while place < len(words):
        run = 0
        while (
            run < _LONGEST_PHRASE
            and place + run < len(words)
            and words[place + run].text.isalpha()
            and words[place + run].text not in known
        ):
            run += 1
        length = next(
            (
                size
                for size in range(run, 1, -1)
                if operator(phrase := "-".join(word.text for word in words[place : place + size]))
                or is_reversed(phrase)
            ),
            1,
        )
        first = words[place]
        yield Token("-".join(word.text for word in words[place : place + length]), first.kind, first.touching)
        place += length


def _split(word: str, known: Collection[str], *, touching: bool) -> Iterator[Token]:
    place = 0
    while place < len(word):
        match = _PARTS.match(word, place)
        if match is None:
            raise UnreadableError(f"{word!r}")
        place = match.end()
        kind, part = match.lastgroup or "", match[0]
        if kind == "name" and "-" in part and part not in known:
            pieces = part.split("-")
            if all(piece in known for piece in pieces):
                for number, piece in enumerate(pieces):
                    if number:
                        yield Token("-", "name", touching)
                    yield Token(piece, "name", touching)
                    touching = True
                continue
        yield Token(part, "number" if kind == "number" else "name", touching)
        touching = True
