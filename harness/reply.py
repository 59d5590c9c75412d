"""What a model wrote in reply: the part after its thoughts and the marks of chats, and its fenced blocks.

The one reader of replies, whether they hold a Python program, a program in SMT-LIB, or JSON.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

THOUGHT_TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "analysis")
"""The tags between which models write what is not their answer yet."""
BLOCK_TAGS = ("code", "python", "program", "answer", "solution")
"""The tags around what they name, as a fence would be."""
_TOKEN = re.compile(r"<\|[\w-]{1,40}\|>")
_OPEN = re.compile(rf"<({'|'.join(THOUGHT_TAGS)})>", re.IGNORECASE)
_CLOSED = re.compile(rf"</(?:{'|'.join(THOUGHT_TAGS)})>", re.IGNORECASE)
_FENCE = re.compile(
    r"^[ \t]*+(?P<mark>```|~~~)[`~]*+[ \t]*+(?P<language>[\w.+-]*+)[^\n`]*+\n(?P<text>.*?)(?:^[ \t]*+(?P=mark)|\Z)",
    re.DOTALL | re.MULTILINE,
)

_TAG = re.compile(rf"^[ \t]*+<({'|'.join(BLOCK_TAGS)})>[ \t]*+\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """A block between fences: the language that its fence names, in lower case, and its text without the indentation of its first line."""

    language: str
    text: str


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
    blocks = [FencedBlock(match["language"].lower(), _dedent(match["text"])) for match in _FENCE.finditer(text)]
    return blocks or list(_tagged_blocks(text))


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
        yield FencedBlock(opened[1], _dedent(text[opened.end() : closed]))


def _dedent(text: str) -> str:
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return "\n".join(line.removeprefix(indent) for line in lines) if indent else text
