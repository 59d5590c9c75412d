"""Extraction of the program from a reply: its blocks, or the lines of code in its prose, or the code within JSON."""

import ast
import html
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from json.decoder import JSONDecodeError

from harness.program import ir
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.literals import keep_written, literal_value
from harness.program.syntax.unparser import unparse
from harness.reply import answer_part, decoded_json, fenced_blocks

LONGEST_RESPONSE = 1_000_000
LONGEST_CODE = 100_000
_LANGUAGES = {"python", "py", "python3", "tool_code", "code", "program", "answer", "solution"}
_FUNCTION_CODE = re.compile(r'"function_code"\s*:\s*(?=")')
_CODE_START = re.compile(r"^(?:def |import |from |@|#|[A-Za-z_]\w*(?:\s*:\s*\w+)?\s*=[^=])", re.MULTILINE)
_PROSE = re.compile(r"[^\W\d_][^\W_]*[,:]?(?: [\w'’-]+[,:]?)+.*|[*_#>-]+ .*")
"""A line of words, or one with a mark of Markdown before it."""
_PROMPT = re.compile(r"^(?:>>> ?|\.\.\.(?: |$))(.*)$", re.MULTILINE)
_QUOTES = str.maketrans("“”‘’", "\"\"''")
# Fewer digits come back from a double as they were written.
_LONG_NUMBER = re.compile(r"[\d_.]{16}")


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
        Refusal: the response is empty, too large, holds control characters, no code, several programs, broken JSON or broken Python.
    """
    if not text.strip():
        raise Refusal(RefusalReason.EMPTY, "the response has no text")
    if len(text) > LONGEST_RESPONSE:
        raise Refusal(RefusalReason.TOO_LARGE, f"{len(text):,} characters, at most {LONGEST_RESPONSE:,} are read")
    text = text.removeprefix("\ufeff")  # a byte-order mark
    if "\0" in text:
        raise Refusal(RefusalReason.CONTROL_CHARACTER, f"NUL at character {text.index(chr(0))}")
    answer = answer_part(text)
    if not answer.strip():
        raise Refusal(RefusalReason.NO_CODE, "nothing comes after the thoughts")
    blocks = fenced_blocks(answer)
    # Where a block is named as Python, one without a name is what it prints.
    named = [block.text for block in blocks if block.language in _LANGUAGES and block.text.strip()]
    for body in [*(block.text for block in blocks if block.language in {"", "json"}), answer]:
        if body.lstrip().startswith("{") and (not named or _FUNCTION_CODE.search(body) is not None):
            return _read_object(body.strip())
    bodies = named or [block.text for block in blocks if not block.language and block.text.strip()]
    return _read_blocks(bodies) if bodies else _read_prose(answer)


def parse(code: str) -> ast.Module:
    """Parse Python source into a tree, and compile it: Python finds jumps outside loops and the like only then. Nothing is executed.

    Raises:
        Refusal: with the line of the first syntax error, or because the text is too long or nested too deeply.
    """
    if len(code) > LONGEST_CODE:
        raise Refusal(RefusalReason.TOO_LARGE, f"{len(code):,} characters of code, at most {LONGEST_CODE:,} are parsed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
            compile(tree, "<program>", "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Refusal(RefusalReason.SYNTAX, error.msg, error.lineno) from None
    except (RecursionError, MemoryError):
        raise Refusal(RefusalReason.TOO_DEEP, "the code nests too deeply for the parser") from None
    except ValueError as error:
        raise Refusal(RefusalReason.SYNTAX, str(error)) from None
    if _LONG_NUMBER.search(code):
        keep_written(tree, code)
    stored = Counter(name for statement in tree.body for name in _stored(statement))
    tree.body = [_named_function(statement, stored) for statement in tree.body]
    return tree


def _named_function(statement: ast.stmt, stored: Counter[str]) -> ast.stmt:
    """Return `f = lambda x: x + 1` as the function `f`, where nothing else binds `f`."""
    match statement:
        case ast.Assign([ast.Name(name)], ast.Lambda(arguments, body)) if stored[name] == 1:
            (function,) = ast.parse(f"def {name}(): ...").body
            returned = ast.copy_location(ast.Return(body), statement)
            for field, part in (("args", arguments), ("body", [returned])):
                setattr(function, field, part)
            return ast.copy_location(function, statement)
    return statement


def _parse_mended(code: str) -> ProgramSource:
    """Parse code, if need be without prompts, entities of HTML or quotation marks of prose; where nothing parses, the `Refusal` is that of the text as it is."""
    try:
        return ProgramSource(code, parse(code))
    except Refusal as refusal:
        if refusal.reason is not RefusalReason.SYNTAX:
            raise
        for mended, repair in _mended(code):
            try:
                return ProgramSource(mended, parse(mended), repairs=(repair,))
            except Refusal:
                continue
        raise


def _mended(code: str) -> Iterator[tuple[str, str]]:
    if code.lstrip().startswith(">>>"):
        yield "\n".join(match[1] for match in _PROMPT.finditer(code)), "dropped the prompts of an interpreter"
    if "&" in code:
        yield html.unescape(code), "replaced the entities of HTML"
    yield code.translate(_QUOTES), "replaced quotation marks"


def _read_blocks(bodies: list[str]) -> ProgramSource:
    """Read fenced blocks: the last one that computes something, after the earlier ones whose names it uses."""
    refusal: Refusal | None = None
    blocks: list[ProgramSource] = []
    for body in bodies:
        try:
            blocks.append(_parse_mended(body))
        except Refusal as error:
            refusal = error
    while blocks and not _computes(blocks[-1].tree):
        blocks.pop()
    if len(blocks) > 1 and _is_shown_result(blocks[-1].tree, [block.tree for block in blocks[:-1]]):
        detail = "the last block gives names of the one before plain numbers: a result, or another program"
        raise Refusal(RefusalReason.NO_CODE, detail)
    if not any(_assigns(block.tree) for block in blocks):
        raise refusal or Refusal(RefusalReason.NO_CODE, "no fenced block assigns anything")
    used = [blocks.pop()]
    needed = _names_needed(used[0].tree)
    for earlier in reversed(blocks):
        if needed & (given := _names_given(earlier.tree)):
            used.insert(0, earlier)
            needed = (needed - given) | _names_needed(earlier.tree)
    if len(used) == 1:
        return used[0]
    code = "\n".join(block.code.rstrip("\n") for block in used)
    repairs = dict.fromkeys(repair for block in used for repair in block.repairs)
    return ProgramSource(code, parse(code), repairs=(*repairs, f"joined {len(used)} blocks"))


def _is_shown_result(tree: ast.Module, earlier: list[ast.Module]) -> bool:
    """Tell whether a block says only what value names of earlier blocks have."""
    values = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    plain = len(values) == len(tree.body) and all(isinstance(value, ast.Constant) for value in values)
    return plain and _names_given(tree) <= set().union(*map(_names_given, earlier))


def _assigns(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Assign | ast.AnnAssign | ast.FunctionDef) for node in tree.body)


def _computes(tree: ast.Module) -> bool:
    return _assigns(tree) or any(isinstance(part, ast.Name) and part.id == "print" for part in ast.walk(tree))


def _names_given(tree: ast.Module) -> set[str]:
    """Return the names that the top level of a block binds."""
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return functions | {name for node in tree.body if not isinstance(node, ast.FunctionDef) for name in _stored(node)}


def _names_needed(tree: ast.Module) -> set[str]:
    """Return the names that a block reads before it binds them."""
    bound: set[str] = set()
    needed: set[str] = set()
    late: set[str] = set()
    for node in tree.body:
        read = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        if isinstance(node, ast.FunctionDef):
            late |= read - _stored(node) - {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
            bound.add(node.name)
            continue
        # What a loop or a branch binds, it may read after.
        inner = set() if isinstance(node, ast.Assign | ast.AnnAssign) else _stored(node)
        targets = [part.target for part in ast.walk(node) if isinstance(part, ast.AugAssign)]
        changed = {target.id for target in targets if isinstance(target, ast.Name)}
        needed |= (read - inner | changed) - bound
        bound |= _stored(node)
    return needed | (late - bound)


def _stored(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _read_prose(text: str) -> ProgramSource:
    """Read a response without fences: as it is, else from its first line of code to the prose after it."""
    try:
        source = _parse_mended(text)
    except Refusal as refusal:
        first = _CODE_START.search(text)
        if first is None:
            raise Refusal(RefusalReason.NO_CODE, "no line of the response is code") from None
        if refusal.reason is RefusalReason.TOO_LARGE:
            raise
        source = _without_prose(text[first.start() :])
        if first.start():
            source = replace(source, repairs=("dropped the prose before the code", *source.repairs))
    if _assigns(source.tree):
        return source
    steps = equation_program(source.tree)
    if steps is None:
        raise Refusal(RefusalReason.NO_CODE, "no line of the response assigns anything")
    return ProgramSource(steps, parse(steps), equation=True)


def _without_prose(code: str) -> ProgramSource:
    """Parse code that prose may follow; code that is broken before the prose, or goes on after it, is a `Refusal`."""
    try:
        return _parse_mended(code)
    except Refusal as refusal:
        lines = code.split("\n")
        end = 0 if refusal.line is None else refusal.line - 1
        if not end or _PROSE.fullmatch(lines[end].strip()) is None or lines[end][0].isspace():
            raise
        if _CODE_START.search("\n".join(lines[end:])) is not None:
            raise Refusal(RefusalReason.SYNTAX, "prose stands between lines of code", refusal.line) from None
        source = _parse_mended("\n".join(lines[:end]))
        return replace(source, repairs=(*source.repairs, "dropped the prose after the code"))


def _read_object(text: str) -> ProgramSource:
    """Read `{"function_code": …, "logical_steps": […]}`, or another object with one text that is a program; repairs are listed."""
    try:
        decoded = decoded_json(text)
    except JSONDecodeError as error:
        code = _whole_code(text)
        if code is None:
            fault = f"{error.msg} at line {error.lineno} column {error.colno}"
            raise Refusal(RefusalReason.BROKEN_JSON, fault) from None
        repair = f"read function_code only, the rest is broken JSON ({error.msg} at line {error.lineno})"
        return ProgramSource(code, parse(code), template=True, repairs=(repair,))
    except RecursionError:
        raise Refusal(RefusalReason.TOO_DEEP, "the JSON nests too deeply") from None
    record, repairs = decoded.record, list(decoded.repairs)
    if "{" in decoded.rest:
        raise Refusal(RefusalReason.BROKEN_JSON, "more than one object; expected one with a string function_code")
    if not isinstance(record, dict) or not isinstance(record.get("function_code", ""), str):
        raise Refusal(RefusalReason.BROKEN_JSON, "expected an object with a string function_code")
    if "function_code" not in record:
        return _only_program(record, repairs)
    code, steps = str(record["function_code"]), record.get("logical_steps")
    entries = steps if isinstance(steps, list) else []
    kept = tuple(step for step in entries if isinstance(step, dict))
    if len(kept) < len(entries):
        repairs.append(f"dropped logical_steps that are no objects ({len(entries) - len(kept)} of {len(entries)})")
    return ProgramSource(code, parse(code), steps=kept, template=True, repairs=tuple(repairs))


def _whole_code(text: str) -> str | None:
    """Return function_code where its own JSON string is whole although the object around it is not."""
    match = _FUNCTION_CODE.search(text)
    try:
        code = None if match is None else decoded_json(text[match.end() :]).record
    except JSONDecodeError:
        return None
    return code if isinstance(code, str) else None


def _only_program(record: dict[str, object], repairs: list[str]) -> ProgramSource:
    """Read the one text of an object that is a program, such as the code of a call of a tool."""
    found: list[ProgramSource] = []
    pending: list[object] = [record]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            try:
                source = read_source(item)
            except Refusal:
                continue
            if not source.equation:
                found.append(source)
        elif isinstance(item, dict | list):
            pending += item.values() if isinstance(item, dict) else item
    if len(found) != 1:
        what = "no text of the object is a program" if not found else f"{len(found)} texts of the object are programs"
        raise Refusal(RefusalReason.BROKEN_JSON, f"expected an object with a string function_code; {what}")
    return replace(found[0], repairs=(*repairs, *found[0].repairs, "read the one program in the object"))


MOST_NODES = 500
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def equation_program(tree: ast.Module) -> str | None:
    """Return the program of a lone arithmetic expression, `None` for any other text.

    Each number is an input of its own, `number_1`, `number_2`, …; each operation is a step, the last the `answer`. Whole
    numbers written as decimals are whole: corpora write every number of an equation as `8.0`.
    """
    match tree.body:
        case [ast.Expr(value=ast.BinOp() as expression)] if sum(1 for _ in ast.walk(expression)) <= MOST_NODES:
            pass
        case _:
            return None
    inputs: list[str] = []
    steps: list[str] = []
    result = _variable_of(expression, inputs, steps)
    if result is None:
        return None
    steps[-1] = steps[-1].replace(f"{result} = ", "answer = ", 1)
    return "\n".join([*inputs, *steps])


def _variable_of(node: ast.expr, inputs: list[str], steps: list[str]) -> str | None:
    """Return the variable that holds a node, its inputs and steps added; `None` where it is no plain arithmetic."""
    if isinstance(node, ast.BinOp):
        left, right = _variable_of(node.left, inputs, steps), _variable_of(node.right, inputs, steps)
        sign = _SIGNS.get(type(node.op))
        if left is None or right is None or sign is None:
            return None
        steps.append(f"step_{len(steps) + 1} = {left} {sign} {right}")
        return f"step_{len(steps)}"
    value = literal_value(node) if isinstance(node, ast.Constant) else None
    if value is None:
        return None
    written = unparse(ir.Const(value.numerator if value.denominator == 1 else value))
    inputs.append(f"number_{len(inputs) + 1} = {written}")
    return f"number_{len(inputs)}"
