"""The law by which a repair is certain: the program can only mean what the text meant.

An edit knows its own place alone. The law looks at the whole: at the names that are new, the assertions that are left, and the text
that has become a comment.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from generators.constraints.repair.edit_kind import SKIPPED
from generators.constraints.repair.reading_doubts import reading_doubts
from generators.constraints.repair.syntax.name_similarity import folded_name
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.text_doubts import text_doubts
from harness.smtlib.commands import DECLARING
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node, write_script
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk
from harness.smtlib.script import Declaration, Script
from harness.text.lexicon import word_lists
from harness.text.numbers import SCALES, TEENS, TENS, UNITS

_LISTS = word_lists(__file__)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.]*[A-Za-z0-9]+)*")
_ASSERTION = re.compile(
    r"\(\s*assert\b(?!\s*+\((?:check-sat|get-model|exit)\b)|(?m:^)[^\S\n]*+(?:assert|constraint)\b", re.IGNORECASE
)
_PRINTING = frozenset({"eval", "simplify", "echo", "display", "print", "show"})
_LONG = 2
_WORK = 200_000
"""Units of z3's work to decide whether a program can be satisfied: some tens of milliseconds; beyond it nothing is said."""
_WORDS = _LISTS.words("no_names") | UNITS.keys() | TEENS.keys() | TENS.keys() | SCALES.keys()


def doubts(original: Script, repaired: Script, new: Collection[str], problem: str = "") -> tuple[str, ...]:
    """Return why a program without faults may not say what the original text says; empty where the repair is certain.

    `new` are the names that the repair declared because the text does not; `problem` is the text that the program was written for; a new name that occurs in it is less doubtful.
    """
    reasons = (
        *_doubtful_names(original, repaired, new, problem),
        *_split_names(original),
        *_lost_assertions(original, repaired),
        *_lost_statements(original, repaired),
        *_empty_assertions(original, repaired),
        *text_doubts(original, repaired, new),
        *reading_doubts(original, repaired),
    )
    return tuple(dict.fromkeys(reasons)) or tuple(_contradiction(original, repaired))


def _doubtful_names(original: Script, repaired: Script, new: Collection[str], problem: str) -> Iterator[str]:
    said = folded_name(problem)
    used = {part.name for formula in repaired.assertions for part in walk(formula) if isinstance(part, Atom)}
    unused = {
        name: symbol.sort for name, symbol in repaired.scope.symbols.items() if name not in used and not symbol.sorts
    }
    for declaration in repaired.declarations:
        name = declaration.name
        if name not in new:
            continue
        if declaration.sorts:
            yield f"{name} is no function that the program declares"
        elif not _PLAIN.fullmatch(name) or name.lower() in _WORDS or operator(name) is not None:
            yield f"{name} may be no name"
        elif any(declaration.sort == sort for sort in unused.values()):
            yield f"{name} may be {min(unused)}, which is declared and not used"
        elif _in_last_open_form(original, name):
            yield f"{name} stands in the form that is not closed at the end of the text"
        elif not _is_confirmed(original, repaired, declaration, said):
            yield f"{name} is not declared and stands in one assertion alone"


def _in_last_open_form(original: Script, name: str) -> bool:
    """Tell whether a name stands in the last form alone, and that is not closed: the text may have been cut there."""
    unclosed = [fault.at.offset for fault in original.faults if fault.kind is ScriptFaultKind.UNCLOSED]
    last = original.commands[-1] if original.commands else None
    if last is None or last.at.offset not in unclosed:
        return False
    return not any(_holds(command, name) for command in original.commands[:-1])


def _is_confirmed(original: Script, repaired: Script, declaration: Declaration, said: str) -> bool:
    """Tell whether a name occurs in the problem's text, or in two assertions at least, one of which has no other fault."""
    if len(declaration.name) > _LONG and folded_name(declaration.name) in said:
        return True
    holding = [formula for formula in repaired.assertions if _holds(formula, declaration.name)]
    if len(holding) < 2:
        return False
    wrong = [fault.at.offset for fault in original.faults if fault.kind is not ScriptFaultKind.UNDECLARED]
    return any(
        _holds(command, declaration.name) and not any(command.at.offset <= offset < command.end for offset in wrong)
        for command in original.commands
        if command.head == "assert"
    )


def _holds(node: Node, name: str) -> bool:
    return any(isinstance(part, Atom) and part.name == name for part in walk(node))


def _split_names(original: Script) -> Iterator[str]:
    """Yield the doubt about names that one declaration lists, and that stand side by side wherever they stand."""
    for command in original.commands:
        names = [item.text for item in command.arguments if isinstance(item, Atom) and len(item.text) > _LONG]
        if not command.head.startswith("declare") or len(names) < 3:
            continue
        for left, right in pairwise(names[:-1]):
            together = re.findall(rf"(?<![\w.-]){re.escape(left)}\s+{re.escape(right)}(?![\w.-])", original.text)
            if len(together) > 1 and len(together) == len(
                re.findall(rf"(?<![\w.-]){re.escape(left)}(?![\w.-])", original.text)
            ):
                yield f"{left} {right} may be one name"


def _lost_assertions(original: Script, repaired: Script) -> Iterator[str]:
    written = len(_ASSERTION.findall(SKIPPED.sub(" ", original.text)))
    if written > len(repaired.assertions):
        yield f"{written} assertions are written, {len(repaired.assertions)} are left"


def _lost_statements(original: Script, repaired: Script) -> Iterator[str]:
    """Yield the doubt about commands before the question, other than assertions, whose formulas no assertion has.

    `(eval (> x 3))` prints, but a writer may have meant that it holds.
    """
    known = {declaration.name for declaration in repaired.declarations}
    checks = [node.at.offset for node in original.nodes if isinstance(node, NodeGroup) and node.head == "check-sat"]
    asserted = {write_node(formula) for formula in repaired.assertions}
    for node in original.nodes:
        if not isinstance(node, NodeGroup) or node.head not in _PRINTING or (checks and node.at.offset > checks[-1]):
            continue
        for formula in node.arguments:
            if write_node(formula) not in asserted and any(_holds(formula, name) for name in known):
                yield f"({node.head} …) before the question may state a formula"


def _empty_assertions(original: Script, repaired: Script) -> Iterator[str]:
    before = set(original.assertions)
    for formula in repaired.assertions:
        named = any(isinstance(part, Atom) and part.name in repaired.scope.symbols for part in walk(formula))
        if not named and formula not in before:
            yield "an assertion mentions no constant"


def _contradiction(original: Script, repaired: Script) -> Iterator[str]:
    """Yield the doubt about a repair that makes a program unsatisfiable whose readable assertions are satisfiable."""
    before = set(original.assertions)
    readable = [formula for formula in repaired.assertions if formula in before]
    mended = [formula for formula in repaired.assertions if formula not in before]
    if not mended or not readable:
        return
    # The library takes a tenth of a second to load, which a program that needs no repair does not pay.
    import z3

    commands = [command for command in repaired.commands if command.head in DECLARING]
    text = write_script([*commands, *(NodeGroup((Atom("assert"), formula)) for formula in (*readable, *mended))])
    try:
        formulas = z3.parse_smt2_string(text)
        solver = z3.Solver()
        solver.set("rlimit", _WORK)
        solver.add(*formulas[: len(readable)])
        if solver.check() == z3.sat:
            solver.add(*formulas[len(readable) :])
            if solver.check() == z3.unsat:
                yield "the assertions that were repaired contradict the others"
    except z3.Z3Exception as error:
        yield f"z3 does not read it: {str(error)[:200]}"
