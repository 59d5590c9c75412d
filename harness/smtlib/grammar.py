"""Grammars of SMT-LIB2 programs for constrained decoding with a language model.

`open_grammar` covers all programs of `LOGICS` that set a logic, declare, assert and check, one command a line. They are
syntactically valid and operators have their arguments, but names and their sorts are free. `clause_grammar` continues from given
commands: names are declared once and before use, and terms are well-sorted. Solvers read every program that it accepts without an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.smtlib.grammar_notation import GrammarNotation, GrammarRules, literal
from harness.smtlib.logics import LogicFeature, features_of
from harness.smtlib.script import read_script
from harness.smtlib.symbols import BOOL, INT, OTHER_SORTS, REAL, RESERVED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


LOGICS = (
    "QF_LIA",
    "QF_LRA",
    "QF_LIRA",
    "QF_UF",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_DT",
    "QF_DTLIA",
    "QF_UFDT",
    "QF_UFDTLIA",
    "ALL",
)
ANSWER = "answer"
CHECK = "(check-sat)"
VALUE = f"(get-value ({ANSWER}))"
_OPENED = re.compile(r"\(declare-datatypes \(\(\w+ 0\)\) \(\(\(\w+\)(?: \(\w+\))*")
"""An enumeration up to one of its values."""
_VALUE = re.compile(r"\((\w+)\)")
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Words in the libraries of z3 5.4 and cvc5 1.4 that these solvers refuse to declare.
_BITS = "add and ashr comp ite lshr mul nand neg nego nor not or redand redor saddo sdiv sdivo sge sgt shl sle slt smod smulo srem ssubo sub uaddo udiv uge ugt ule ult umulo urem usubo xnor xor"
_ROUNDING = "RNA RNE RTN RTP RTZ roundTowardNegative roundTowardPositive roundTowardZero"
_FURTHER = "arccot arccsc arcsec arctan div_total eqrange mod_total piand sbv_to_int tuple ubv_to_int wand"
_KINDS = "Bool Int Real Complex FiniteSet RegEx Relation StringSequence Table Unicode UnitTuple bv"
KEPT = frozenset(
    {word for word in RESERVED | OTHER_SORTS if _SIMPLE.fullmatch(word)}
    | {f"bv{word}" for word in _BITS.split()}
    | {*_ROUNDING.split(), *_FURTHER.split(), *_KINDS.split()}
)
"""The words that a program may not declare."""


def open_grammar(notation: GrammarNotation) -> str:
    """Return the grammar of all programs; a symbol may stand for a term of any sort."""
    rules = GrammarRules()
    programs: dict[frozenset[LogicFeature], list[str]] = {}
    for logic in LOGICS:
        programs.setdefault((features_of(logic) or frozenset()) & _TOLD, []).append(logic)
    starts = []
    for number, (features, logics) in enumerate(programs.items()):
        mark = f"of{number}"
        kinds = {sort: f"{mark}{sort.lower()}" for sort in _numbers(features)}
        calls = []
        if _NAMED & features:
            kinds["any"] = f"{mark}any"
        if LogicFeature.FUNCTIONS in features:
            calls.append(f"{mark}call")
            rules.add(f"{mark}call", f'CALL {mark}term (" " {mark}term)* ")"')
            rules.add(f"{mark}term", *kinds.values())
        _terms(rules, kinds, {sort: ["NAME", *calls] for sort in kinds}, mark)
        rules.add(f"{mark}sort", *map(literal, _numbers(features)), *(["NAME"] if _NAMED & features else []))
        rules.add(f"{mark}declared", *_declarations(features, f"{mark}sort"))
        beginnings = " | ".join(literal(f"(set-logic {logic})") for logic in logics)
        starts.append(f"({beginnings}) {mark}declared+ {mark}asserted ({mark}declared | {mark}asserted)* ending")
    rules.add("ending", f"{literal(chr(10) + CHECK)} {literal(chr(10) + VALUE)}? {literal(chr(10))}?")
    rules.add("start", *(f"program{number}" for number in range(len(starts))))
    for number, start in enumerate(starts):
        rules.add(f"program{number}", start)
    return rules.write(notation, KEPT)


@dataclass(frozen=True, slots=True)
class GrammarWords:
    """The vocabulary of a program: names of constants and of values that it may declare, and numbers, as decimals or whole."""

    names: tuple[str, ...]
    values: tuple[str, ...]
    numerals: tuple[str, ...]


def clause_grammar(commands: str, begun: str, end: str, words: GrammarWords, *, last: bool = False) -> str:
    """Return the grammar, for llguidance, of what is after a clause: declarations, then assertions, a command a line, up to `end`.

    `commands` are those before the clause, `begun` the declarations after it, with their line ends; the last line may be an enumeration up
    to one of its values. Any text may follow another declaration or value, because a token may reach beyond it: the caller asks for the
    next grammar when `begun` has grown. Terms use declared names only. Only after the `last` clause, the answer is declared, with one
    assertion at least, and a program has an assertion.
    """
    complete, _, last_line = begun.rpartition("\n")
    opened = _OPENED.fullmatch(last_line)
    rules = GrammarRules()
    if opened is not None:
        # An enumeration up to one of its values: another value, or its end.
        others = [value for value in words.values if value not in KEPT | {*_VALUE.findall(last_line)}]
        going = [f'" (" ({" | ".join(map(literal, others))}) ")" REST'] if others else []
        rules.add("start", f"{literal(begun)} ({' | '.join([*going, literal(')))' + chr(10)) + ' REST'])})")
        return rules.write(GrammarNotation.LARK, KEPT, words.numerals)
    script = read_script(f"{commands}\n{complete}")
    declared = {declaration.name for declaration in script.declarations}
    real = any(declaration.sort == REAL for declaration in script.declarations)
    kinds = {sort: sort.lower() for sort in (BOOL, INT, *([REAL] if real else []))}
    leaves: dict[str, list[str]] = {sort: [] for sort in kinds}
    for number, enumeration in enumerate(script.enumerations):
        kinds[enumeration.name] = f"sort{number}"
        leaves[enumeration.name] = [literal(_symbol(value)) for value in enumeration.values]
    for declaration in script.declarations:
        leaves[declaration.sort].append(literal(_symbol(declaration.name)))
    used = declared | {value for enumeration in script.enumerations for value in enumeration.values}
    used |= {enumeration.name for enumeration in script.enumerations}
    names = [name for name in (*words.names, *([ANSWER] if last else [])) if name not in used | KEPT]
    values = [value for value in words.values if value not in used | KEPT]
    going = []
    sorts = " | ".join(
        literal(_symbol(sort)) for sort in (BOOL, INT, REAL, *(enumeration.name for enumeration in script.enumerations))
    )
    if names:
        going.append(f'"(declare-const " ({" | ".join(map(literal, names))}) " " ({sorts}) ")\\n" REST')
    if len(values) > 1:
        going.append(f'"(declare-datatypes ((" NAME " 0)) (((" ({" | ".join(map(literal, values))}) ")" REST')
    needs = last and (ANSWER in declared or not script.assertions)
    _terms(rules, kinds, leaves, "")
    rules.add("line", '"(assert " claim ")\\n"')
    going.append(f"{'line+' if needs else 'line*'} {literal(end)}")
    rules.add("start", f"{literal(begun)} ({' | '.join(going)})" if begun else " | ".join(going))
    return rules.write(GrammarNotation.LARK, KEPT | {name for name in used if _SIMPLE.fullmatch(name)}, words.numerals)


def opened_enumeration(line: str) -> str:
    """Return the beginning of an enumeration up to its last complete value, nothing for any other line or a complete one."""
    opened = _OPENED.match(line)
    return opened[0] if opened is not None and not line.endswith("\n") else ""


_NAMED = {LogicFeature.SORTS, LogicFeature.DATATYPES}
_TOLD = {LogicFeature.INTEGERS, LogicFeature.REALS, LogicFeature.FUNCTIONS, *_NAMED}
"""The features that the grammar distinguishes; its programs have no products of variables and no quantifiers."""


def _numbers(features: Collection[LogicFeature]) -> list[str]:
    held = {INT: LogicFeature.INTEGERS, REAL: LogicFeature.REALS}
    return [BOOL, *(sort for sort, feature in held.items() if feature in features)]


def _symbol(name: str) -> str:
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"


def _declarations(features: Collection[LogicFeature], sort: str) -> list[str]:
    alternatives = [f'"\\n(declare-const " NAME " " {sort} ")"']
    if LogicFeature.FUNCTIONS in features:
        alternatives.append(f'"\\n(declare-fun " NAME " (" {sort} (" " {sort})* ") " {sort} ")"')
    if LogicFeature.SORTS in features:
        alternatives.append('"\\n(declare-sort " NAME " 0)"')
    if LogicFeature.DATATYPES in features:
        alternatives.append('"\\n(declare-datatypes ((" NAME " 0)) (((" NAME ")" (" (" NAME ")")* ")))"')
    return alternatives


def _terms(rules: GrammarRules, kinds: Mapping[str, str], leaves: Mapping[str, Sequence[str]], mark: str) -> None:
    """Add the rules of terms: `kinds` names the rule of each sort, `leaves` are its terms without an operator of SMT-LIB."""
    terms: dict[str, list[str]] = {sort: list(leaves[sort]) for sort in kinds}
    truth = kinds[BOOL]
    claim = f"{mark}claim"
    terms[BOOL].append(f'"(not " {truth} ")"')
    terms[BOOL] += _operators(("and", "or", "=>", "xor"), truth)
    for sort, rule in kinds.items():
        terms[BOOL] += _operators(("=", "distinct"), rule)
        terms[sort].append(f'"(ite " {truth} " " {rule} " " {rule} ")"')
    for sort, number in ((INT, "NUMERAL"), (REAL, "DECIMAL")):
        if sort in kinds:
            rule, factor = kinds[sort], f"{mark}{sort.lower()}factor"
            rules.add(factor, number, f'"(- " {number} ")"')
            terms[BOOL] += _operators(("<=", ">=", "<", ">"), rule)
            terms[sort] += [number, f'"(- " {rule} (" " {rule})* ")"', *_operators(("+",), rule)]
            # Linear: one of the two factors is a number.
            terms[sort].append(f'"(* " ({factor} " " {rule} | {rule} " " {factor}) ")"')
    if INT in kinds:
        terms[INT] += [f'"({name} " {kinds[INT]} " " POSITIVE ")"' for name in ("div", "mod")]
        terms[INT].append(f'"(abs " {kinds[INT]} ")"')
    if REAL in kinds:
        terms[REAL].append(f'"(/ " {kinds[REAL]} " " DECIMAL ")"')
    if INT in kinds and REAL in kinds:
        terms[REAL].append(f'"(to_real " {kinds[INT]} ")"')
    # An assertion is no constant of SMT-LIB: under a grammar, models repeat `(assert true)` without end.
    rules.add(claim, *terms.pop(BOOL))
    rules.add(truth, claim, '"true"', '"false"')
    for sort, alternatives in terms.items():
        rules.add(kinds[sort], *alternatives)
    rules.add(f"{mark}asserted", f'"\\n(assert " {claim} ")"')


def _operators(names: Iterable[str], rule: str) -> list[str]:
    """Return the applications of operators to two terms or more."""
    return [f'"({name} " {rule} (" " {rule})+ ")"' for name in names]
