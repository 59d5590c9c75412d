"""The grammar of what is after given commands of an SMT-LIB2 program, by which a language model is held while it writes.

Names are declared once and before use, and terms are well-sorted. Solvers read every program that it accepts without an error.

The notation is that of llguidance (Lark). A literal that is not the last of its rule must not be a prefix of another literal in the same
place, because llguidance takes the longest.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from harness.smtlib.script import read_script
from harness.smtlib.vocabulary import BOOL, INT, OTHER_SORTS, REAL, RESERVED

ANSWER = "answer"
CHECK = "(check-sat)"
VALUE = f"(get-value ({ANSWER}))"
MOST_LETTERS, MOST_DIGITS = 30, 9
"""The maximum after the first character of a name or a number: under a grammar, models repeat a letter or digit without end."""
_OPENED = re.compile(r"\(declare-datatypes \(\(\w+ 0\)\) \(\(\(\w+\)(?: \(\w+\))*")
"""An enumeration up to one of its values."""
_VALUE = re.compile(r"\((\w+)\)")
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Words in the libraries of z3 5.4 and cvc5 1.4 that these solvers refuse to declare.
_BITS = "add and ashr comp ite lshr mul nand neg nego nor not or redand redor saddo sdiv sdivo sge sgt shl sle slt smod smulo srem ssubo sub uaddo udiv uge ugt ule ult umulo urem usubo xnor xor"
_OTHERS = "RNA RNE RTN RTP RTZ roundTowardNegative roundTowardPositive roundTowardZero arccot arccsc arcsec arctan div_total eqrange mod_total piand sbv_to_int tuple ubv_to_int wand Bool Int Real Complex FiniteSet RegEx Relation StringSequence Table Unicode UnitTuple bv"
KEPT = frozenset(
    {word for word in RESERVED | OTHER_SORTS if _SIMPLE.fullmatch(word)}
    | {f"bv{word}" for word in _BITS.split()}
    | {*_OTHERS.split()}
)
"""The words that a program may not declare."""


@dataclass(frozen=True, slots=True)
class GrammarWords:
    """The vocabulary of a program: names of constants and of values that it may declare, and numbers, as decimals or whole."""

    names: tuple[str, ...]
    values: tuple[str, ...]
    numerals: tuple[str, ...]


@dataclass(slots=True)
class _Rules:
    """The rules of a grammar by name; `start` is the first rule.

    Rules may use the tokens `NAME`, which excludes the reserved words, `NUMERAL`, `POSITIVE`, `DECIMAL`, and `REST`, which is any text.
    """

    bodies: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, *alternatives: str) -> None:
        """Add a rule."""
        self.bodies[name] = " | ".join(alternatives)

    def write(self, words: Iterable[str], numerals: Iterable[str]) -> str:
        """Return the grammar; names exclude the reserved `words`, and numbers are `numerals` where there are any."""
        lines = [f"{name}: {body}" for name, body in self.bodies.items()]
        return "\n".join([*lines, *_tokens(sorted(set(words)), sorted(set(numerals)))]) + "\n"

    def terms(self, kinds: Mapping[str, str], leaves: Mapping[str, Sequence[str]]) -> None:
        """Add the rules of terms: `kinds` names the rule of each sort, `leaves` are its terms without an operator of SMT-LIB."""
        terms: dict[str, list[str]] = {sort: list(leaves[sort]) for sort in kinds}
        truth = kinds[BOOL]
        terms[BOOL] += [f'"(not " {truth} ")"', *_operators("and or => xor", truth)]
        for sort, rule in kinds.items():
            terms[BOOL] += _operators("= distinct", rule)
            terms[sort].append(f'"(ite " {truth} " " {rule} " " {rule} ")"')
        for sort, number in ((INT, "NUMERAL"), (REAL, "DECIMAL")):
            if sort in kinds:
                rule, factor = kinds[sort], f"{sort.lower()}factor"
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
        self.add("claim", *terms.pop(BOOL))
        self.add(truth, "claim", '"true"', '"false"')
        for sort, alternatives in terms.items():
            self.add(kinds[sort], *alternatives)


def _operators(names: str, rule: str) -> list[str]:
    """Return the applications of operators to two terms or more."""
    return [f'"({name} " {rule} (" " {rule})+ ")"' for name in names.split()]


def _tokens(words: list[str], numerals: list[str]) -> Iterator[str]:
    name = f"[A-Za-z_][A-Za-z0-9_]{{0,{MOST_LETTERS}}}"
    digits = f"[0-9]{{0,{MOST_DIGITS}}}"
    yield f"NAME: /{name}/ & ~/{'|'.join(words)}/"
    whole = [numeral for numeral in numerals if "." not in numeral]
    positive = [numeral for numeral in whole if numeral != "0"]
    yield f"NUMERAL: /{'|'.join(whole)}/" if numerals else f"NUMERAL: /0|[1-9]{digits}/"
    yield f"POSITIVE: /{'|'.join(positive)}/" if positive else f"POSITIVE: /[1-9]{digits}/"
    decimals = "|".join(numeral if "." in numeral else f"{numeral}.0" for numeral in numerals).replace(".", "\\.")
    yield f"DECIMAL: /{decimals}/" if numerals else f"DECIMAL: /(0|[1-9]{digits})\\.[0-9]{digits}/"
    yield r"REST: /(.|\n)*/"


def clause_grammar(commands: str, begun: str, end: str, words: GrammarWords, *, last: bool = False) -> str:
    """Return the grammar of what is after a clause: declarations, then assertions, a command a line, up to `end`.

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
        return rules.write(KEPT, words.numerals)
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
    return rules.write(KEPT | {name for name in used if _SIMPLE.fullmatch(name)}, words.numerals)


def opened_enumeration(line: str) -> str:
    """Return the beginning of an enumeration up to its last complete value, nothing for any other line or a complete one."""
    opened = _OPENED.match(line)
    return opened[0] if opened is not None and not line.endswith("\n") else ""


def _literal(text: str) -> str:
    return json.dumps(text)


def _symbol(name: str) -> str:
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"
