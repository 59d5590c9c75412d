"""Programs inside JSON, HTML or a text with written-out line breaks."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.json_terms import applied, term_tree
from harness.smtlib.commands import ALLOWED
from harness.text.lexicon import word_lists

_DICTIONARY = re.compile(r"""\{\s*'\w+'\s*:\s*("(?:[^"\\]|\\.)*")\s*,?\s*\}""", re.DOTALL)
_ESCAPED_COMMAND = re.compile(r"\\\(\s*(?:assert|declare|check)[^\n]*\\\)")
_ESCAPE = re.compile(r"\\(?=[()])")
_CHECK = re.compile(r"\(\s*check")
_COMMAND = re.compile(r"\(\s*(?:assert|declare|define|check)")
_OBJECT = re.compile(r"\A[^\[{\"]*+(?P<object>[\[{\"].*[\]}\"])", re.DOTALL)
_ENTITY = re.compile(rf"&(?:#[0-9]{{1,6}}|#[xX][0-9a-fA-F]{{1,5}}|{word_lists(__file__).either('entities')});")
_ELEMENT = re.compile(r"</?(?:pre|code|p|div|span|samp|tt)(?:\s[^<>\n]*)?>", re.IGNORECASE)
_BOLD = re.compile(r"(?<=\()(?P<before>\*\*|__|`)(?P<head>[a-z]+(?:-[a-z]+)*)(?P<after>(?P=before))")
"""The head of a form in bold letters or as code of Markdown."""
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINE_BREAK = re.compile(r"\\r?\\n|\\n(?!(?:eq?|ot|u|leq|geq|eg|mid|in)\b)")
_TAB = re.compile(r"\\t(?![A-Za-z])")
_BEGINNING = re.compile(r"[ \t]*(?:[();]|$)")


@edit_kind(
    "escaped_text",
    order=10,
    examples=(
        RepairExample(
            '{"reasoning": "x is above 3", "program": "(declare-const x Int)\\n(assert (> x 3))\\n(check-sat)\\n"}',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            '{"declarations": ["(declare-const x Int)"], "assertions": ["(assert (> x 3))", "(assert (< x 9))"]}',
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
        ),
        RepairExample(
            '["declare-const", "x", "Int"]\n["assert", [">", "x", 3]]\n["check-sat"]\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)",
        ),
        RepairExample(
            '[{"command": "declare-const", "args": ["x", "Int"]}, {"assert": {"op": ">", "left": "x", "right": 3}}]\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "\\(declare-const x Int\\)\n\\(assert \\(> x 3\\)\\)\n\\(check-sat\\)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "; above\\n(declare-const x Int)\\n(assert (> x 3)) ; three\\n(check-sat)\\n",
            "; above\n(declare-const x Int)\n(assert (> x 3)) ; three\n(check-sat)\n",
        ),
        RepairExample(
            "<pre>(declare-const x Int)<br>(assert (&gt;= x 3))<br>(check-sat)</pre>",
            "(declare-const x Int)\n(assert (>= x 3))\n(check-sat)",
        ),
        RepairExample(
            "(declare-const x Int) ; in the file C:\\new\n(assert (> x 3)\n(check-sat)\n",
            "(declare-const x Int) ; in the file C:\\new\n(assert (> x 3))\n(check-sat)\n",
        ),
    ),
)
def escaped_text(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the program as it is without the escapes."""
    text = draft.text
    if draft.script.valid and not _hides_commands(text):
        return
    inner = _json_program(text)
    if inner is not None:
        yield RepairChange(0, len(text), inner)
        return
    if _ESCAPED_COMMAND.search(text):
        for match in _ESCAPE.finditer(text):
            yield RepairChange(match.start(), match.end(), "")
    for match in _ENTITY.finditer(text):
        yield RepairChange(match.start(), match.end(), _plain(html.unescape(match[0])))
    if _ELEMENT.search(text) or _BREAK.search(text):
        for match in _ELEMENT.finditer(text):
            if f"</{match[0].strip('</>').split()[0].lower()}" in text.lower():
                yield RepairChange(match.start(), match.end(), "")
        for match in _BREAK.finditer(text):
            yield RepairChange(match.start(), match.end(), "\n")
    for match in _BOLD.finditer(text):
        yield RepairChange(match.start("before"), match.end("after"), match["head"])
    if _hides_commands(text):
        for pattern, after in ((_LINE_BREAK, "\n"), (_TAB, " ")):
            for match in pattern.finditer(text):
                yield RepairChange(match.start(), match.end(), after)


def _hides_commands(text: str) -> bool:
    """Tell whether a written-out line break is followed by what begins a line of a program, and never by anything else.

    A backslash in a comment, as in a path, is no line break.
    """
    breaks = list(_LINE_BREAK.finditer(text))
    return bool(breaks) and all(
        _BEGINNING.match(text[match.end() : match.end() + 200].split("\n", maxsplit=1)[0]) for match in breaks
    )


def _plain(sign: str) -> str:
    return {"≤": "<=", "≥": ">=", "\u00a0": " "}.get(sign, sign)


def _json_program(text: str) -> str | None:
    """Return the texts in a JSON document that hold commands, in order; `None` where there is none, or are several programs."""
    match = _OBJECT.search(text)
    if match is None or _COMMAND.search(text[: match.start("object")] + text[match.end() :]):
        return None
    document = _document(match["object"])
    programs = [inner for inner in _texts(document) if _COMMAND.search(inner)]
    if not programs:
        programs = [written for written in map(term_tree, _commands(document)) if written]
    if len(programs) > 1 and len(_CHECK.findall(" ".join(programs))) > 1:
        return None
    # Declarations and assertions may be lists of their own.
    return "\n".join(programs) if programs else None


def _document(text: str) -> Any:
    """Return the content of a text in JSON: one value, or one on each line; the value of a dictionary of Python with one text."""
    quoted = _DICTIONARY.fullmatch(text.strip())
    try:
        return json.loads(quoted[1] if quoted else text, strict=False)
    except (ValueError, RecursionError):
        lines = [line.strip().rstrip(",") for line in text.splitlines() if line.strip()]
    try:
        values = [json.loads(line, strict=False) for line in lines]
    except (ValueError, RecursionError):
        return None
    return values if all(isinstance(value, list | dict) for value in values) else None


def _commands(document: Any) -> Iterator[list[Any]]:
    """Yield the lists in a document that begin with the name of a command, and objects of one, in order."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        command = applied(value) if isinstance(value, dict) else value
        if isinstance(command, list) and command and isinstance(command[0], str) and command[0] in ALLOWED:
            yield command
        elif isinstance(value, dict | list):
            waiting.extend(reversed(value.values() if isinstance(value, dict) else value))


def _texts(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            # A program may be a list of its lines.
            lines = bool(value) and all(isinstance(item, str) for item in value)
            waiting.extend(["\n".join(value)] if lines else reversed(value))
