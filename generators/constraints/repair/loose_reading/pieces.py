"""The pieces of a text in any notation: words, numbers, operators, and what stands between brackets, quotation marks or tags."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass

from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.parser import DEEPEST


class PieceKind(enum.StrEnum):
    """What a piece is; a comma is any sign that parts the pieces beside it."""

    WORD = "word"
    NUMBER = "number"
    SIGN = "sign"
    COMMA = "comma"
    LINE = "line break"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, from offset `start` to `end`; `touching` where nothing parts it from the one before.

    The text of a group is what opens it: a bracket, a quotation mark or `<`, for a tag whose name is its first item.
    """

    text: str
    kind: PieceKind
    start: int
    end: int
    touching: bool = False
    items: tuple[Piece, ...] = ()


_CLOSING = {"(": ")", "[": "]", "{": "}"}
_REMARK = re.compile(
    r"\(\*.*?\*\)|/\*.*?\*/|<!--.*?-->|<\?.*?\?>|(?:^|(?<=\s));[^\n]*|(?:^|(?<=\s))(?:#|//)(?=\s)[^\n]*|(?<=\s)(?:--|%)(?=\s+[A-Za-z])[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_ATTRIBUTE = r"""\s+[A-Za-z_:][\w:.-]*\s*=\s*(?:"[^"<>\n]*"|'[^'<>\n]*')"""
_PIECE = re.compile(
    rf"""(?P<line>\n)
      | (?P<blank>[^\S\n]+)
      | (?P<tag><(?P<closes>/)?(?P<tagged>[A-Za-z_][\w:.-]*)(?P<attributes>(?:{_ATTRIBUTE})*)\s*(?P<empty>/)?>)
      | (?P<marked>(?<![\w)\]}}>])(?P<mark>[*_%$@|^]{{1,2}})(?P<inner>[A-Za-z]\w*?)(?P=mark)(?![\w(\[]))
      | (?P<text>"[^"\n]*"|`[^`\n]+`|(?<![\w)\]])'[^'\n()\[\]{{}}]*'(?!\w))
      | (?P<number>\d+(?:\.\d+)?\.?(?:[LlnuUfdI]|[iuf](?:8|16|32|64|128))?(?![\w.]))
      | (?P<word>\.?[^\W\d]\w*(?:(?:\.|::|->)[^\W\d]\w*)*|\.?\d\w*)
      | (?P<bracket>[()\[\]{{}}])
      | (?P<comma>[,;])
      | (?P<sign>[^\w\s()\[\]{{}},;"`]+)""",
    re.VERBOSE,
)
_ANGLED = re.compile(r"<([A-Za-z_]\w*)>")
_MACRO = re.compile(r"(?<=[A-Za-z])!(?=[(\[])")
"""The sign at the name of a macro."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_HYPHEN = re.compile(r"[-/]")
MOST_PIECES = 8_000


def pieces(text: str, known: frozenset[str]) -> tuple[Piece, ...]:
    """Return the pieces of a text; a hyphen between two words, neither of which is `known`, makes one word of them.

    Raises:
        UnreadableError: brackets or tags that do not match, more than `MOST_PIECES` pieces, or too many levels.
    """
    tagged = set(re.findall(r"</([A-Za-z_][\w:.-]*)\s*>", text))
    text = _ANGLED.sub(lambda match: match[0] if match[1] in tagged else f" {match[1]} ", text)
    text = _MACRO.sub("_", text)
    return tuple(_Reader(text, known).read())


def without_remarks(text: str) -> str:
    """Return a text with blanks in place of its remarks."""
    return _REMARK.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


class _Reader:
    def __init__(self, text: str, known: frozenset[str]) -> None:
        self.text = text
        self.known = known
        self.tagged = set(re.findall(r"</([A-Za-z_][\w:.-]*)\s*>", text))

    def read(self) -> list[Piece]:
        """Return the pieces at the top level."""
        # Each open group: what opens it, where, whether it touches, what closes it, and its items.
        levels: list[tuple[str, int, bool, str, list[Piece]]] = [("", 0, False, "", [])]
        place, touching, count = 0, False, 0
        while place < len(self.text):
            match = _PIECE.match(self.text, place)
            if match is None:
                raise UnreadableError(f"{self.text[place]!r}")
            count += 1
            if count > MOST_PIECES or len(levels) > DEEPEST:
                raise UnreadableError("too many pieces")
            start, place = match.span()
            items, kind = levels[-1][4], match.lastgroup
            if match["blank"] is not None:
                touching = False
                continue
            if match["tag"] is not None and (match["tagged"] in self.tagged or match["empty"]):
                if match["closes"]:
                    self._close(levels, match["tagged"], place)
                else:
                    levels.append(("<", start, False, match["tagged"], list(self._head(match))))
                    if match["empty"]:
                        self._close(levels, match["tagged"], place)
                touching = False
                continue
            if match["tag"] is not None:
                place = start + 1
                items.append(Piece("<", PieceKind.SIGN, start, place, touching))
            elif match["marked"] is not None:
                items.append(Piece(match["inner"], PieceKind.WORD, start, place, touching))
            elif match["bracket"] is not None and match[0] in _CLOSING:
                levels.append((match[0], start, touching, _CLOSING[match[0]], []))
            elif match["bracket"] is not None:
                self._close(levels, match[0], place)
            elif match["text"] is not None:
                inner = _Reader(match[0][1:-1], self.known).read()
                items.append(Piece('"', PieceKind.GROUP, start, place, touching, _moved(inner, start + 1)))
            elif match["line"] is not None:
                items.append(Piece("\n", PieceKind.LINE, start, place))
            elif match["sign"] is not None:
                place = start + self._sign(match[0])
                items.append(Piece(self.text[start:place], PieceKind.SIGN, start, place, touching))
            elif match["number"] is not None:
                number = _NUMBER.match(match[0])
                items.append(Piece(number[0] if number else match[0], PieceKind.NUMBER, start, place, touching))
            else:
                items.append(Piece(match[0], PieceKind(kind or ""), start, place, touching))
            touching = match["bracket"] is None or match[0] not in _CLOSING
        if len(levels) > 1:
            raise UnreadableError(f"{levels[-1][0]!r} is not closed")
        return list(self._joined(levels[0][4]))

    def _close(self, levels: list[tuple[str, int, bool, str, list[Piece]]], closing: str, end: int) -> None:
        opening, start, touching, wanted, items = levels.pop()
        if wanted != closing or not levels:
            raise UnreadableError(f"{closing!r} closes nothing")
        levels[-1][4].append(Piece(opening, PieceKind.GROUP, start, end, touching, tuple(self._joined(items))))

    def _head(self, match: re.Match[str]) -> Iterator[Piece]:
        """Yield the name of a tag, and the values of its attributes as texts."""
        yield Piece(match["tagged"], PieceKind.WORD, match.start(), match.end())
        for name, value in re.findall(r"(?<![\w:.-])([\w:.-]++)\s*+=\s*+[\"']([^\"'<>\n]*)[\"']", match["attributes"]):
            yield Piece(name, PieceKind.WORD, match.start(), match.start())
            yield Piece("=", PieceKind.SIGN, match.start(), match.start())
            inner = _moved(_Reader(value, self.known).read(), match.start())
            yield Piece('"', PieceKind.GROUP, match.start(), match.end(), items=inner)

    def _sign(self, run: str) -> int:
        """Return how many characters of a run of signs are the first sign: an operator with or without a sign of a number behind it, else all."""
        if operator(run) is not None:
            return len(run)
        for size in range(len(run) - 1, 0, -1):
            rest = run[size:]
            if operator(run[:size]) is not None and (
                operator(rest) is not None or rest in {"-", "!", "~", "?", "$", "#", ":", "@", "'", "."}
            ):
                return size
        return len(run)

    def _joined(self, items: list[Piece]) -> Iterator[Piece]:
        """Yield pieces with two unknown words and the hyphen or the slash between them as one."""
        place = 0
        while place < len(items):
            piece = items[place]
            while (
                place + 2 < len(items)
                and piece.kind is PieceKind.WORD
                and _HYPHEN.fullmatch(items[place + 1].text)
                and items[place + 1].touching
                and items[place + 2].touching
                and items[place + 2].kind is PieceKind.WORD
                and not ({piece.text, items[place + 2].text} & self.known)
            ):
                last = items[place + 2]
                joined = self.text[piece.start : last.end]
                piece = Piece(joined, PieceKind.WORD, piece.start, last.end, piece.touching)
                place += 2
            yield piece
            place += 1


def _moved(items: list[Piece], by: int) -> tuple[Piece, ...]:
    return tuple(
        Piece(item.text, item.kind, item.start + by, item.end + by, item.touching, _moved(list(item.items), by))
        for item in items
    )
