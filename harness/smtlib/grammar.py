"""Grammars of SMT-LIB2 programs for constrained decoding with a language model, and the command `oracle-factory smt grammar`.

`open_grammar` covers all programs of `LOGICS` that set a logic, declare, assert and check, one command a line. They are
syntactically valid and operators have their arguments, but names and their sorts are free. `clause_grammar` continues from given
commands: names are declared once and before use, and terms are well-sorted. Solvers read every program that it accepts without an error.

Rule bodies use what llguidance (Lark) and llama.cpp (GBNF) share: literals in quotes, names of rules, `( ) | ? * +`. Only the few tokens
differ. A literal that is not the last of its rule must not be a prefix of another literal in the same place, because llguidance takes the longest.
"""

from __future__ import annotations

import enum
import json
import re
import string
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from harness.smtlib.logics import LogicFeature, features_of
from harness.smtlib.script import read_script
from harness.smtlib.symbols import BOOL, INT, OTHER_SORTS, REAL, RESERVED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

_LOGICS = "QF_LIA QF_LRA QF_LIRA QF_UF QF_UFLIA QF_UFLRA QF_DT QF_DTLIA QF_UFDT QF_UFDTLIA ALL"
LOGICS = tuple(_LOGICS.split())
ANSWER = "answer"
CHECK = "(check-sat)"
VALUE = f"(get-value ({ANSWER}))"
MOST_LETTERS, MOST_DIGITS = 30, 9
"""The maximum after the first character of a name or a number: under a grammar, models repeat a letter or digit without end."""
_OPENED = re.compile(r"\(declare-datatypes \(\(\w+ 0\)\) \(\(\(\w+\)(?: \(\w+\))*")
"""An enumeration up to one of its values."""
_VALUE = re.compile(r"\((\w+)\)")
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FIRST = string.ascii_letters + "_"
_LATER = string.ascii_letters + string.digits + "_"
# Words in the libraries of z3 5.4 and cvc5 1.4 that these solvers refuse to declare.
_BITS = "add and ashr comp ite lshr mul nand neg nego nor not or redand redor saddo sdiv sdivo sge sgt shl sle slt smod smulo srem ssubo sub uaddo udiv uge ugt ule ult umulo urem usubo xnor xor"
_OTHERS = "RNA RNE RTN RTP RTZ roundTowardNegative roundTowardPositive roundTowardZero arccot arccsc arcsec arctan div_total eqrange mod_total piand sbv_to_int tuple ubv_to_int wand Bool Int Real Complex FiniteSet RegEx Relation StringSequence Table Unicode UnitTuple bv"
KEPT = frozenset(
    {word for word in RESERVED | OTHER_SORTS if _SIMPLE.fullmatch(word)}
    | {f"bv{word}" for word in _BITS.split()}
    | {*_OTHERS.split()}
)
"""The words that a program may not declare."""
_NAMED = {LogicFeature.SORTS, LogicFeature.DATATYPES}
_TOLD = {LogicFeature.INTEGERS, LogicFeature.REALS, LogicFeature.FUNCTIONS, *_NAMED}
"""The features that the grammar distinguishes; its programs have no products of variables and no quantifiers."""


class GrammarNotation(enum.StrEnum):
    """The notations of a grammar."""

    LARK = "lark"
    GBNF = "gbnf"


def grammar(
    *,
    notation: Annotated[
        GrammarNotation, typer.Option(help="lark for llguidance, gbnf for llama.cpp.")
    ] = GrammarNotation.LARK,
) -> int:
    """Print the grammar of SMT-LIB 2 for constrained decoding.

    Example: oracle-factory smt grammar --notation gbnf
    """
    sys.stdout.write(open_grammar(notation))
    return 0


@dataclass(frozen=True, slots=True)
class GrammarWords:
    """The vocabulary of a program: names of constants and of values that it may declare, and numbers, as decimals or whole."""

    names: tuple[str, ...]
    values: tuple[str, ...]
    numerals: tuple[str, ...]


@dataclass(slots=True)
class _Rules:
    """The rules of a grammar by name; `start` is the first rule.

    Rules may use the tokens `NAME`, which excludes the reserved words, `CALL`, such a name after a parenthesis and before a
    space, `NUMERAL`, `POSITIVE`, `DECIMAL`, and `REST`, which is any text.
    """

    bodies: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, *alternatives: str) -> None:
        """Add a rule."""
        self.bodies[name] = " | ".join(alternatives)

    def write(self, notation: GrammarNotation, words: Iterable[str], numerals: Collection[str] = ()) -> str:
        """Return the grammar; names exclude the reserved `words`, and in Lark, numbers are `numerals` where there are any."""
        kept = sorted(set(words))
        if notation is GrammarNotation.LARK:
            lines = [f"{name}: {body}" for name, body in self.bodies.items()]
            return "\n".join([*lines, *_lark_tokens(kept, sorted(set(numerals)))]) + "\n"
        # llama.cpp begins at `root`.
        lines = [f"{'root' if name == 'start' else name} ::= {body}" for name, body in self.bodies.items()]
        return "\n".join([*lines, *_gbnf_tokens(kept)]) + "\n"

    def terms(self, kinds: Mapping[str, str], leaves: Mapping[str, Sequence[str]], mark: str = "") -> None:
        """Add the rules of terms: `kinds` names the rule of each sort, `leaves` are its terms without an operator of SMT-LIB."""
        terms: dict[str, list[str]] = {sort: list(leaves[sort]) for sort in kinds}
        truth, claim = kinds[BOOL], f"{mark}claim"
        terms[BOOL] += [f'"(not " {truth} ")"', *_operators("and or => xor", truth)]
        for sort, rule in kinds.items():
            terms[BOOL] += _operators("= distinct", rule)
            terms[sort].append(f'"(ite " {truth} " " {rule} " " {rule} ")"')
        for sort, number in ((INT, "NUMERAL"), (REAL, "DECIMAL")):
            if sort in kinds:
                rule, factor = kinds[sort], f"{mark}{sort.lower()}factor"
                self.add(factor, number, f'"(- " {number} ")"')
                terms[BOOL] += _operators("<= >= < >", rule)
                # Linear: one of the two factors is a number.
                product = f'"(* " ({factor} " " {rule} | {rule} " " {factor}) ")"'
                terms[sort] += [number, f'"(- " {rule} (" " {rule})* ")"', *_operators("+", rule), product]
        if INT in kinds:
            terms[INT] += [f'"({name} " {kinds[INT]} " " POSITIVE ")"' for name in ("div", "mod")]
            terms[INT].append(f'"(abs " {kinds[INT]} ")"')
        if REAL in kinds:
            terms[REAL].append(f'"(/ " {kinds[REAL]} " " DECIMAL ")"')
        if INT in kinds and REAL in kinds:
            terms[REAL].append(f'"(to_real " {kinds[INT]} ")"')
        # An assertion is not a constant of SMT-LIB: under a grammar, models repeat `(assert true)` without end.
        self.add(claim, *terms.pop(BOOL))
        self.add(truth, claim, '"true"', '"false"')
        for sort, alternatives in terms.items():
            self.add(kinds[sort], *alternatives)


def _operators(names: str, rule: str) -> list[str]:
    """Return the applications of operators to two terms or more."""
    return [f'"({name} " {rule} (" " {rule})+ ")"' for name in names.split()]


def _lark_tokens(words: list[str], numerals: list[str]) -> Iterator[str]:
    name = f"[A-Za-z_][A-Za-z0-9_]{{0,{MOST_LETTERS}}}"
    digits = f"[0-9]{{0,{MOST_DIGITS}}}"
    either = "|".join(words)
    yield f"NAME: /{name}/ & ~/{either}/"
    yield f"CALL: /\\({name} / & ~/\\(({either}) /"
    whole = [numeral for numeral in numerals if "." not in numeral]
    positive = [numeral for numeral in whole if numeral != "0"]
    yield f"NUMERAL: /{'|'.join(whole)}/" if numerals else f"NUMERAL: /0|[1-9]{digits}/"
    yield f"POSITIVE: /{'|'.join(positive)}/" if positive else f"POSITIVE: /[1-9]{digits}/"
    decimals = "|".join(numeral if "." in numeral else f"{numeral}.0" for numeral in numerals).replace(".", "\\.")
    yield f"DECIMAL: /{decimals}/" if numerals else f"DECIMAL: /(0|[1-9]{digits})\\.[0-9]{digits}/"
    yield r"REST: /(.|\n)*/"


def _gbnf_tokens(words: list[str]) -> Iterator[str]:
    yield 'CALL ::= "(" NAME " "'
    yield 'NUMERAL ::= "0" | POSITIVE'
    yield f"POSITIVE ::= [1-9] [0-9]{{0,{MOST_DIGITS}}}"
    yield f'DECIMAL ::= NUMERAL "." [0-9] [0-9]{{0,{MOST_DIGITS}}}'
    yield f"tail ::= [{_LATER}]{{0,{MOST_LETTERS}}}"
    # All names except the words: GBNF has no complement, so each beginning of a word is a rule.
    beginnings = sorted({word[:end] for word in words for end in range(len(word) + 1)} | {""})
    number = {beginning: place for place, beginning in enumerate(beginnings)}
    for beginning, place in number.items():
        letters = _LATER if beginning else _FIRST
        going = [letter for letter in letters if beginning + letter in number]
        others = "".join(letter for letter in letters if letter not in going)
        alternatives = [f'"{letter}" tail{number[beginning + letter]}' for letter in going]
        alternatives += [f"[{others}] tail", *(['""'] if beginning and beginning not in words else [])]
        yield f"{f'tail{place}' if beginning else 'NAME'} ::= {' | '.join(alternatives)}"


def open_grammar(notation: GrammarNotation) -> str:
    """Return the grammar of all programs; a symbol may stand for a term of any sort."""
    rules = _Rules()
    programs: dict[frozenset[LogicFeature], list[str]] = {}
    for logic in LOGICS:
        programs.setdefault((features_of(logic) or frozenset()) & _TOLD, []).append(logic)
    rules.add("start", *(f"program{number}" for number in range(len(programs))))
    rules.add("ending", f"{_literal(chr(10) + CHECK)} {_literal(chr(10) + VALUE)}? {_literal(chr(10))}?")
    for number, (features, logics) in enumerate(programs.items()):
        mark = f"of{number}"
        held = {INT: LogicFeature.INTEGERS, REAL: LogicFeature.REALS}
        numbers = [BOOL, *(sort for sort, feature in held.items() if feature in features)]
        named = bool(_NAMED & features)
        kinds = {sort: f"{mark}{sort.lower()}" for sort in (*numbers, *(["any"] if named else []))}
        calls = []
        if LogicFeature.FUNCTIONS in features:
            calls.append(f"{mark}call")
            rules.add(f"{mark}call", f'CALL {mark}term (" " {mark}term)* ")"')
            rules.add(f"{mark}term", *kinds.values())
        rules.terms(kinds, {sort: ["NAME", *calls] for sort in kinds}, mark)
        rules.add(f"{mark}asserted", f'"\\n(assert " {mark}claim ")"')
        rules.add(f"{mark}sort", *map(_literal, numbers), *(["NAME"] if named else []))
        rules.add(f"{mark}declared", *_declarations(features, f"{mark}sort"))
        beginnings = " | ".join(_literal(f"(set-logic {logic})") for logic in logics)
        body = f"({beginnings}) {mark}declared+ {mark}asserted ({mark}declared | {mark}asserted)* ending"
        rules.add(f"program{number}", body)
    return rules.write(notation, KEPT)


def _declarations(features: Collection[LogicFeature], sort: str) -> Iterator[str]:
    yield f'"\\n(declare-const " NAME " " {sort} ")"'
    if LogicFeature.FUNCTIONS in features:
        yield f'"\\n(declare-fun " NAME " (" {sort} (" " {sort})* ") " {sort} ")"'
    if LogicFeature.SORTS in features:
        yield '"\\n(declare-sort " NAME " 0)"'
    if LogicFeature.DATATYPES in features:
        yield '"\\n(declare-datatypes ((" NAME " 0)) (((" NAME ")" (" (" NAME ")")* ")))"'


def clause_grammar(commands: str, begun: str, end: str, words: GrammarWords, *, last: bool = False) -> str:
    """Return the grammar, for llguidance, of what is after a clause: declarations, then assertions, a command a line, up to `end`.

    `commands` are those before the clause, `begun` the declarations after it, with their line ends; the last line may be an enumeration up
    to one of its values. Any text may follow another declaration or value, because a token may reach beyond it: the caller asks for the
    next grammar when `begun` has grown. Terms use declared names only. Only after the `last` clause, the answer is declared, with one
    assertion at least, and a program has an assertion.
    """
    complete, _, last_line = begun.rpartition("\n")
    rules = _Rules()
    if _OPENED.fullmatch(last_line):
        # An enumeration up to one of its values: another value, or its end.
        others = [value for value in words.values if value not in KEPT | {*_VALUE.findall(last_line)}]
        going = [f'" (" ({" | ".join(map(_literal, others))}) ")" REST'] if others else []
        rules.add("start", f"{_literal(begun)} ({' | '.join([*going, _literal(')))' + chr(10)) + ' REST'])})")
        return rules.write(GrammarNotation.LARK, KEPT, words.numerals)
    script = read_script(f"{commands}\n{complete}")
    declared = {declaration.name for declaration in script.declarations}
    real = any(declaration.sort == REAL for declaration in script.declarations)
    kinds = {sort: sort.lower() for sort in (BOOL, INT, *([REAL] if real else []))}
    leaves: dict[str, list[str]] = {sort: [] for sort in kinds}
    for number, enumeration in enumerate(script.enumerations):
        kinds[enumeration.name] = f"sort{number}"
        leaves[enumeration.name] = [_literal(_symbol(value)) for value in enumeration.values]
    for declaration in script.declarations:
        leaves[declaration.sort].append(_literal(_symbol(declaration.name)))
    used = declared.union(*((enumeration.name, *enumeration.values) for enumeration in script.enumerations))
    names = [name for name in (*words.names, *([ANSWER] if last else [])) if name not in used | KEPT]
    values = [value for value in words.values if value not in used | KEPT]
    going = []
    sorts = " | ".join(_literal(_symbol(sort)) for sort in dict.fromkeys((BOOL, INT, REAL, *kinds)))
    if names:
        going.append(f'"(declare-const " ({" | ".join(map(_literal, names))}) " " ({sorts}) ")\\n" REST')
    if len(values) > 1:
        going.append(f'"(declare-datatypes ((" NAME " 0)) (((" ({" | ".join(map(_literal, values))}) ")" REST')
    needs = last and (ANSWER in declared or not script.assertions)
    rules.terms(kinds, leaves)
    rules.add("line", '"(assert " claim ")\\n"')
    going.append(f"{'line+' if needs else 'line*'} {_literal(end)}")
    rules.add("start", f"{_literal(begun)} ({' | '.join(going)})" if begun else " | ".join(going))
    return rules.write(GrammarNotation.LARK, KEPT | {name for name in used if _SIMPLE.fullmatch(name)}, words.numerals)


def opened_enumeration(line: str) -> str:
    """Return the beginning of an enumeration up to its last complete value, nothing for any other line or a complete one."""
    opened = _OPENED.match(line)
    return opened[0] if opened is not None and not line.endswith("\n") else ""


def _literal(text: str) -> str:
    """Return a literal as both notations write it."""
    return json.dumps(text)


def _symbol(name: str) -> str:
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"
