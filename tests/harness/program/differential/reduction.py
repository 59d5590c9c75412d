"""Reduction of a program to a smaller one for which something still holds."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from tests.harness.program.differential.comparison import REFUSED, STOPPED, agree, our_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.harness.program.differential.comparison import Comparison
    from tests.harness.program.differential.python_process import PythonProcess

MOST_TRIALS = 2_000


def reduced(code: str, holds: Callable[[str], bool]) -> str:
    """Return a program from which no statement or part of an expression can be taken so that `holds` stays true.

    The parts are tried greedily, the largest first, at most 2,000 times.
    """
    trials = 0
    best = ast.unparse(ast.parse(code))
    if not holds(best):
        return code
    smaller = True
    while smaller:
        smaller = False
        for candidate in _candidates(ast.parse(best)):
            if len(candidate) >= len(best):
                continue
            trials += 1
            if trials > MOST_TRIALS:
                return best
            if holds(candidate):
                best, smaller = candidate, True
                break
    return best


def _candidates(tree: ast.Module) -> Iterator[str]:
    """Yield the program without a statement, with a block in place of its statement, or with a part in place of an expression."""
    nodes = list(ast.walk(tree))
    for place, node in enumerate(nodes):
        for name in ("body", "orelse", "handlers"):
            statements = getattr(node, name, None)
            if not isinstance(statements, list):
                continue
            for index, statement in enumerate(statements):
                for new in ([], getattr(statement, "body", [])):
                    if new is not statements and isinstance(new, list):
                        yield from _written(tree, place, name, [*statements[:index], *new, *statements[index + 1 :]])
    for place, node in enumerate(nodes):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                parts = [part for part in ast.walk(value) if isinstance(part, ast.expr) and part is not value]
                for new_expression in (ast.Constant(1), *parts):
                    yield from _written(tree, place, name, new_expression)
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr | ast.keyword | ast.alias):
                for index, item in enumerate(value):
                    yield from _written(tree, place, name, [*value[:index], *value[index + 1 :]])
                    inner = [part for part in ast.walk(item) if isinstance(part, ast.expr) and part is not item]
                    for part in inner:
                        yield from _written(tree, place, name, [*value[:index], part, *value[index + 1 :]])


def _written(tree: ast.Module, place: int, name: str, value: object) -> Iterator[str]:
    """Yield the text of a tree with one field of one node changed, where it is Python."""
    changed = copy.deepcopy(tree)
    node = list(ast.walk(changed))[place]
    setattr(node, name, value)
    try:
        text = ast.unparse(ast.fix_missing_locations(changed))
        ast.parse(text)
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return
    yield text


def reduced_difference(comparison: Comparison, process: PythonProcess) -> str:
    """Return a small program that differs as a compared one does, with its meaning here and in Python."""

    def differs(code: str) -> bool:
        ours = our_answer(code)
        if ours[0] == REFUSED:
            return False
        python, exact = (process.results([(code, comparison.answer)], exact=way)[0] for way in (False, True))
        return not agree(ours, python) and not agree(ours, exact) and python[0] != STOPPED

    code = reduced(comparison.code, differs)
    python = process.results([(code, comparison.answer)])[0]
    return f"{code}\n\nhere: {our_answer(code)}\nPython: {python}"
