"""Extraction of the program text from a response: code fences, surrounding prose and JSON are removed."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections import Counter
from dataclasses import dataclass, replace
from json.decoder import JSONDecodeError

from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.equations import equation_program
from harness.program.syntax.literals import keep_written
from harness.program.syntax.tree_nodes import walk

LONGEST_RESPONSE = 1_000_000
LONGEST_CODE = 100_000
_FENCE = re.compile(r"^[ \t]*+```[ \t]*+([\w+-]*+)[^\n]*+\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
_PYTHON_FENCES = {"", "python", "py", "python3", "tool_code"}
_FUNCTION_CODE = re.compile(r'"function_code"\s*:\s*(?=")')
# Strings are matched first, so that no comma within one is taken for a trailing one.
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))|,(?=\s*[}\]])', re.DOTALL)
_CODE_START = re.compile(r"^(?:def |import |from |@|#|[A-Za-z_]\w*(?:\s*:\s*\w+)?\s*=[^=])", re.MULTILINE)
# Fewer digits come back from a double as they were written.
_LONG_NUMBER = re.compile(r"[\d_.]{16}")
_BYTE_ORDER_MARK = "\ufeff"
# No number of a template is read; as floats, even those of thousands of digits are no error.
_LENIENT = json.JSONDecoder(strict=False, parse_int=float)


@dataclass(frozen=True, slots=True)
class ProgramSource:
    """The program text of a response, its syntax tree, and the repairs it took to get there.

    `equation` tells that the response is an expression over numbers, which the text has as steps.
    """

    code: str
    tree: ast.Module
    steps: tuple[dict[str, object], ...] = ()
    template: bool = False
    repairs: tuple[str, ...] = ()
    equation: bool = False


def read_source(text: str) -> ProgramSource:
    """Return the one program that a response holds.

    Raises:
        Refusal: the response is empty, too large, holds control characters, no code, broken JSON or broken Python.
    """
    if not text.strip():
        raise Refusal(RefusalReason.EMPTY, "the response has no text")
    if len(text) > LONGEST_RESPONSE:
        raise Refusal(RefusalReason.TOO_LARGE, f"{len(text):,} characters, at most {LONGEST_RESPONSE:,} are read")
    if text.startswith(_BYTE_ORDER_MARK):
        source = read_source(text.removeprefix(_BYTE_ORDER_MARK))
        return replace(source, repairs=("dropped a byte-order mark", *source.repairs))
    if "\0" in text:
        raise Refusal(RefusalReason.CONTROL_CHARACTER, f"NUL at character {text.index(chr(0))}")
    blocks = [(language.lower(), body) for language, body in _FENCE.findall(text)]
    for body in [*(body for language, body in blocks if language in {"", "json"}), text]:
        if body.lstrip().startswith("{"):
            return _read_template(body.strip())
    candidates = [body for language, body in blocks if language in _PYTHON_FENCES and body.strip()]
    if candidates:
        return _parse_best(candidates)
    return _parse_chatter(text)


def parse(code: str) -> ast.Module:
    """Parse Python source into a tree.

    Raises:
        Refusal: with the line of the first syntax error, or because the text is too long or nested too deeply.
    """
    if len(code) > LONGEST_CODE:
        raise Refusal(RefusalReason.TOO_LARGE, f"{len(code):,} characters of code, at most {LONGEST_CODE:,} are parsed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except SyntaxError as error:
        raise Refusal(RefusalReason.SYNTAX, error.msg, error.lineno) from None
    except (RecursionError, MemoryError):
        raise Refusal(RefusalReason.TOO_DEEP, "the code nests too deeply for the parser") from None
    except ValueError as error:
        raise Refusal(RefusalReason.SYNTAX, str(error)) from None
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef):
            _refuse_duplicates(node)
    if _LONG_NUMBER.search(code):
        keep_written(tree, code)
    return tree


def _refuse_duplicates(function: ast.FunctionDef) -> None:
    """Refuse two arguments of one name, as Python does after it has parsed."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    known: set[str] = set()
    for argument in named:
        if argument.arg in known:
            raise Refusal(
                RefusalReason.SYNTAX,
                f"duplicate argument {argument.arg[:60]!r} in function definition",
                argument.lineno,
            )
        known.add(argument.arg)


def _parse_best(candidates: list[str]) -> ProgramSource:
    """Parse fenced blocks; of several, the last one that parses and computes something is the model's final program."""
    refusal: Refusal | None = None
    for body in reversed(candidates):
        try:
            tree = parse(_dedent(body))
        except Refusal as error:
            refusal = error
            continue
        if any(isinstance(node, ast.Assign | ast.AnnAssign | ast.FunctionDef) for node in tree.body):
            return ProgramSource(_dedent(body), tree)
    raise refusal or Refusal(RefusalReason.NO_CODE, "no fenced block assigns anything")


def _parse_chatter(text: str) -> ProgramSource:
    """Parse a response without fences: as it is, else from its first line of code on."""
    try:
        tree = parse(text)
    except Refusal as refusal:
        starts = list(_CODE_START.finditer(text))
        if not starts:
            raise Refusal(RefusalReason.NO_CODE, "no line of the response is code") from None
        first = starts[0].start()
        if first == 0 or refusal.reason is RefusalReason.TOO_LARGE:
            raise
        return ProgramSource(text[first:], parse(text[first:]), repairs=("dropped the prose before the code",))
    if not any(isinstance(node, ast.Assign | ast.AnnAssign | ast.FunctionDef) for node in tree.body):
        steps = equation_program(tree)
        if steps is None:
            raise Refusal(RefusalReason.NO_CODE, "no line of the response assigns anything")
        return ProgramSource(steps, parse(steps), equation=True)
    return ProgramSource(text, tree)


def _read_template(text: str) -> ProgramSource:
    """Read `{"function_code": …, "logical_steps": […]}`; repairs are listed."""
    repairs: list[str] = []
    try:
        record = _decode(text, repairs)
    except JSONDecodeError as error:
        code = _salvage_code(text)
        if code is None:
            raise Refusal(
                RefusalReason.BROKEN_JSON, f"{error.msg} at line {error.lineno} column {error.colno}"
            ) from None
        repairs.append(f"read function_code only, the rest is broken JSON ({error.msg} at line {error.lineno})")
        record = {"function_code": code}
    except RecursionError:
        raise Refusal(RefusalReason.TOO_DEEP, "the JSON nests too deeply") from None
    if not isinstance(record, dict) or not isinstance(record.get("function_code"), str):
        raise Refusal(RefusalReason.BROKEN_JSON, "expected an object with a string function_code")
    code = str(record["function_code"])
    steps = record.get("logical_steps")
    entries = steps if isinstance(steps, list) else []
    kept = tuple(step for step in entries if isinstance(step, dict))
    if len(kept) < len(entries):
        repairs.append(f"dropped logical_steps that are no objects ({len(entries) - len(kept)} of {len(entries)})")
    return ProgramSource(code, parse(code), steps=kept, template=True, repairs=tuple(repairs))


def _decode(text: str, repairs: list[str]) -> object:
    """Decode JSON; trailing commas are dropped, control characters within strings kept, of repeated keys the last, and all are listed."""
    for mended in (text, _TRAILING_COMMA.sub(r"\1", text)):
        # The lenient decoder differs from the strict one in nothing but control characters.
        for strict in (True, False):
            repeated: dict[str, None] = {}

            def last_of_each(
                pairs: list[tuple[str, object]], repeated: dict[str, None] = repeated
            ) -> dict[str, object]:
                record = dict(pairs)
                if len(record) < len(pairs):
                    counts = Counter(name for name, _ in pairs)
                    repeated.update(dict.fromkeys(name for name, count in counts.items() if count > 1))
                return record

            decoder = json.JSONDecoder(strict=strict, parse_int=float, object_pairs_hook=last_of_each)
            try:
                record, _ = decoder.raw_decode(mended)
            except JSONDecodeError as error:
                failure = error
                continue
            if mended != text:
                repairs.append("dropped trailing commas")
            if not strict:
                repairs.append("kept line breaks within strings")
            repairs.extend(f"took the last value of the repeated key {name[:60]!r}" for name in repeated)
            return record
    raise failure


def _salvage_code(text: str) -> str | None:
    """Return function_code where its own JSON string is whole although the object around it is not."""
    match = _FUNCTION_CODE.search(text)
    if match is None:
        return None
    try:
        code, _ = _LENIENT.raw_decode(text, match.end())
    except JSONDecodeError:
        return None
    return code if isinstance(code, str) else None


def _dedent(body: str) -> str:
    first = next((line for line in body.splitlines() if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    if not indent:
        return body
    return "\n".join(line.removeprefix(indent) for line in body.splitlines())
