"""Operators in other natural languages, operators that SMT-LIB2 composes of two, and words around formulas."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import sorts_of
from generators.constraints.repair.syntax.operator_spellings import INFIX, is_reversed
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup, walk
from harness.smtlib.symbols import BOOL, NUMBERS
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_LANGUAGES = (
    *(_LISTS.by_word("spanish"), _LISTS.by_word("french"), _LISTS.by_word("german"), _LISTS.by_word("italian")),
    *(_LISTS.by_word("portuguese"), _LISTS.by_word("dutch"), _LISTS.by_word("russian")),
    *(_LISTS.by_word("chinese"), _LISTS.by_word("japanese")),
)
_COUNTED = _LISTS.words("counted")
_BITS = _LISTS.by_word("bit_vectors")
_STATEMENTS = _LISTS.words("statements")
_OPPOSITES = frozenset({"neg", "negate", "negative", "minus", "uminus"})
_NAMED = frozenset({"named", "name", "label", "labelled", "labeled", "tag", "tagged"})
_ANSWERS = _LISTS.by_word("answers")
_CAPITALS = frozenset({"True", "TRUE", "False", "FALSE"})
_COMPOSED = {"nand": "and", "nor": "or", "not=": "=", "not-equal": "=", "not-and": "and", "not-or": "or"}
"""Operators that are the negation of another one."""


@edit_kind(
    "foreign_word",
    order=395,
    examples=(
        RepairExample(
            "(declare-const p Bool)\n(declare-const q Bool)\n(assert (oder (nicht p) q))\n(assert (nand p (constraint q)))\n(check-sat)\n",
            "(declare-const p Bool)\n(declare-const q Bool)\n(assert (or (not p) q))\n(assert (not (and p q)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const p Bool)\n(declare-const q Bool)\n(assert (或 p (非 q)))\n(assert (= (+ (bool2int p) (bool2int q)) 1))\n(check-sat)\n",
            "(declare-const p Bool)\n(declare-const q Bool)\n(assert (or p (not q)))\n(assert (= (+ (ite p 1 0) (ite q 1 0)) 1))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const p Bool)\n(declare-const q Bool)\n(assert (=> (= p True) (= q no)))\n(check-sat)\n",
            "(declare-const p Bool)\n(declare-const q Bool)\n(assert (=> (= p true) (= q false)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (bvsgt (bvadd x 1) 3))\n(assert (when (> x 3) (< x 9)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> (+ x 1) 3))\n(assert (=> (> x 3) (< x 9)))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (named above (> x (neg 3))))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x (- 3)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const y () Int)\n(declare-const z () Int)\n(assert (and (y >= z) (> y 3)))\n(check-sat)\n",
            "(declare-const y Int)\n(declare-const z Int)\n(assert (and (>= y z) (> y 3)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const p Bool)\n(declare-const q Bool)\n(assert (o p q))\n(check-sat)\n",
            "(declare-const p Bool)\n(declare-const q Bool)\n(assert (or p q))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def foreign_word(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the operator or the truth value; a word of one letter is doubtful unless another word shows the language."""
    said: set[str] | None = None
    for fault in draft.faults(ScriptFaultKind.UNDECLARED, ScriptFaultKind.ODD_ATOM):
        node, path = draft.node(fault.at.offset), draft.path(fault.at.offset)
        group = path[-1] if path else None
        if not isinstance(node, Atom) or group is None:
            continue
        if group.items[0] is not node:
            value = _truth_value(draft, node, group)
            if value is not None:
                yield replacement(node, value)
            continue
        counted = _BITS.get(node.text)
        if counted is not None and set(sorts_of(draft, group.arguments)) <= NUMBERS:
            yield replacement(node, counted, certain=False, note=f"{node.text} counts with a fixed number of bits")
            continue
        if node.text.lower() in _COUNTED and len(group.items) == 2 and sorts_of(draft, group.arguments) == [BOOL]:
            yield replacement(group, f"(ite {draft.source(group.items[1])} 1 0)")
            continue
        if (
            node.text.lower() in _OPPOSITES
            and len(group.items) == 2
            and set(sorts_of(draft, group.arguments)) <= NUMBERS
        ):
            yield replacement(node, "-")
            continue
        match group.items:
            case (Atom(text=word), Atom(kind=AtomKind.SYMBOL) as label, NodeGroup() as formula) if (
                word.lower() in _NAMED and label.name not in draft.script.scope.symbols
            ):
                if sorts_of(draft, (formula,)) == [BOOL]:
                    yield replacement(group, draft.source(formula))
                continue
        if node.text in _STATEMENTS and len(group.items) == 2:
            if sorts_of(draft, group.arguments) == [BOOL]:
                yield replacement(group, draft.source(group.items[1]))
            continue
        positive = _COMPOSED.get(node.text.lower())
        if positive is not None and len(group.items) > 2 and (positive != "=" or len(group.items) == 3):
            yield RepairChange(node.at.offset, node.end, f"not ({positive}")
            yield RepairChange(group.end - 1, group.end, "))")
            continue
        if is_reversed(node.text) and len(group.items) == 3 and set(sorts_of(draft, group.arguments)) == {BOOL}:
            yield replacement(node, "=>", certain=False, note=f"{node.text} may be said of the first formula")
            continue
        if any(isinstance(item, Atom) and item.text in INFIX for item in group.arguments):
            continue  # `(y >= 3)` has its operator between its terms, and no Spanish one before them
        for words in _LANGUAGES:
            name = words.get(node.text.lower())
            if name is None or name in {"true", "false"} or (len(group.items) == 2) != (name == "not"):
                continue
            if said is None:
                said = _words(draft)
            plain = (
                len(node.text) > 1 or not node.text.isascii() or any(len(word) > 1 and word in said for word in words)
            )
            note = "" if plain else f"{node.text} may be a function"
            yield replacement(node, name, certain=plain, note=note)
            break


def _truth_value(draft: ProgramDraft, node: Atom, group: NodeGroup) -> str | None:
    """Return the truth value that a word is; `None` where it may be something else."""
    value = _ANSWERS.get(node.text) or next(
        (name for words in _LANGUAGES if (name := words.get(node.text.lower())) in {"true", "false"}), None
    )
    if value is None or node.text in _CAPITALS:
        return value
    others = [item for item in group.arguments if item is not node]
    compared = group.head in {"=", "distinct"} and len(others) == 1
    return value if compared and sorts_of(draft, others) == [BOOL] else None


def _words(draft: ProgramDraft) -> set[str]:
    """Return the words of a program that it does not declare."""
    known = draft.script.scope.symbols
    return {
        atom.text.lower()
        for command in draft.script.commands
        for atom in walk(command)
        if isinstance(atom, Atom) and atom.kind is AtomKind.SYMBOL and atom.name not in known
    }
