"""What a model wrote in reply: the part after its thoughts and the marks of chats, and its fenced blocks.

The one reader of replies, whether they hold a Python program, a program in SMT-LIB, or JSON.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

THOUGHT_TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "analysis")
"""The tags between which models write what is not their answer yet."""
BLOCK_TAGS = ("code", "python", "program", "answer", "solution")
"""The tags around what they name, as a fence would be."""
MOST_DIGITS = 4_300
"""Digits of an integer that Python converts; a longer one is read as a float."""
MOST_TRIES = 2_000
"""Braces at which an object is looked for: a text of a million braces would take a minute."""
# Strings are matched first, so that no comma within one is taken for a trailing one.
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))|,(?=\s*[}\]])', re.DOTALL)
_TOKEN = re.compile(r"<\|[\w-]{1,40}\|>")
_OPEN = re.compile(rf"<({'|'.join(THOUGHT_TAGS)})>", re.IGNORECASE)
_CLOSED = re.compile(rf"</(?:{'|'.join(THOUGHT_TAGS)})>", re.IGNORECASE)
_FENCE = re.compile(
    r"(?:^[ \t]*+|(?<=[^`~\n])(?=```[\w.+-]*+\n))"
    r"(?P<mark>```|~~~)[`~]*+[ \t]*+(?P<language>[\w.+-]*+)[^\n`]*+\n(?P<text>.*?)(?:^[ \t]*+(?P=mark)|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""A fence begins a line, or stands at its end behind words."""

_TAG = re.compile(rf"^[ \t]*+<({'|'.join(BLOCK_TAGS)})>[ \t]*+\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """A block between fences: the language that its fence names, in lower case, and its text without the indentation of its first line.

    It stands from the offset `start` to `end` of the text that it was found in.
    """

    language: str
    text: str
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


def answer_part(reply: str) -> str:
    """Return a reply without what comes before its answer: thoughts, and messages before the last one of a chat format.

    A thought that does not end has no answer after it.
    """
    if "<|" in reply:
        reply = next((part for part in reversed(_TOKEN.split(reply)) if part.strip()), "")
    closed = list(_CLOSED.finditer(reply))
    if closed:
        reply = reply[closed[-1].end() :]
    opened = _OPEN.search(reply)
    return reply if opened is None else reply[: opened.start()]


def fenced_blocks(text: str) -> list[FencedBlock]:
    """Return the blocks between ``` or ~~~ in their order, else those between tags; a fence that does not end goes on to the end."""
    fences = _FENCE.finditer(text)
    blocks = [FencedBlock(found["language"].lower(), _dedent(found["text"]), *found.span("text")) for found in fences]
    return blocks or list(_tagged_blocks(text))


@dataclass(frozen=True, slots=True)
class DecodedJson:
    """A value in JSON, the text after it, and what was mended to read it."""

    record: object
    rest: str
    repairs: tuple[str, ...] = ()


def decoded_json(text: str) -> DecodedJson:
    """Decode the value at the start of a text; trailing commas are dropped, control characters within strings kept.

    Raises:
        JSONDecodeError: it is no JSON, mended so or not.
        RecursionError: it nests too deeply.
    """
    for mended in (text, _TRAILING_COMMA.sub(r"\1", text)):
        # The lenient decoder differs from the strict one in nothing but control characters.
        for strict in (True, False):
            decoder = json.JSONDecoder(strict=strict, parse_int=_integer)
            try:
                record, end = decoder.raw_decode(mended)
            except json.JSONDecodeError as error:
                failure = error
                continue
            commas = ["dropped trailing commas"] * (mended != text)
            breaks = ["kept line breaks within strings"] * (not strict)
            return DecodedJson(record, mended[end:], (*commas, *breaks))
    raise failure


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


def json_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object from the first brace of a text to its last, `None` where that is not one object: it is not read in part."""
    try:
        decoded = decoded_json(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    whole = isinstance(decoded.record, dict) and not decoded.rest and not decoded.repairs
    return cast("dict[str, Any]", decoded.record) if whole else None


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand anywhere in a text, none of them within another one; of one that is cut off, those within it."""
    offset, tries = text.find("{"), MOST_TRIES
    while offset >= 0 and tries:
        try:
            record, end = json.JSONDecoder().raw_decode(text, offset)
        except (ValueError, RecursionError):
            end, tries = offset + 1, tries - 1
        else:
            yield record
        offset = text.find("{", end)


def _tagged_blocks(text: str) -> Iterator[FencedBlock]:
    end, unclosed = 0, set()
    for opened in _TAG.finditer(text):
        if opened.start() < end or opened[1] in unclosed:
            continue
        closed = text.find(f"</{opened[1]}>", opened.end())
        if closed < 0:
            unclosed.add(opened[1])
            continue
        end = closed
        yield FencedBlock(opened[1], _dedent(text[opened.end() : closed]), opened.end(), closed)


def _dedent(text: str) -> str:
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return "\n".join(line.removeprefix(indent) for line in lines) if indent else text
