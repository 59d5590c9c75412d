"""The injection of syntax and sort errors into SMT-LIB2 programs, as language models make them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from generators.constraints.repair.program_draft import ProgramDraft, RepairChange, insertion, replacement
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.script import read_script

MOST_TRIES = 8
"""Alternatives of one way that are tried until one breaks the program further."""
SHORTEST_NAME = 5
DECLARATIONS = (
    "(declare-var {} {})",
    "(declare {} {})",
    "(declare-const ({} {}))",
    "(declare-const {} () {})",
    "(declare-fun {} {})",
)
OPERATORS = {
    "and": ("&&", "And", "AND"),
    "or": ("||", "Or", "OR"),
    "not": ("!", "Not"),
    "=": ("==",),
    "distinct": ("!=", "AllDifferent", "Distinct", "neq"),
    "=>": ("->", "implies", "==>", "Implies"),
}
CALLS = {"and": "And", "or": "Or", "not": "Not", "=>": "Implies", "distinct": "Distinct", "ite": "If"}
SORTS = {"Int": "int Integer integer", "Bool": "bool Boolean boolean", "Real": "real float Float"}
INFIX = ("<", "<=", ">", ">=", "=", "+", "-", "*")
LOGICS = ("QF_UF", "QF_LRA", "QF_LIA", "QF_BV", "LINEAR_INTEGER", "QF_INT", "SMT")
WRAPPERS = (
    (
        "Here is the SMT-LIB program for the problem:\n\n```smt2\n",
        "```\n\nThis program declares all variables and checks whether the constraints can hold.\n",
    ),
    ("```\n", "```\n"),
    ("Sure! We (1) declare the constants and (2) assert what the text says.\n", "The solver answers sat (see it).\n"),
    ("Program:\n", "Let me know if you need anything else!\n"),
)
Edits = Sequence[RepairChange]
"""Changes of one program that are made at once."""


def _assertions(draft: ProgramDraft) -> list[NodeGroup]:
    """Return the assertions that have exactly one formula."""
    return [command for command in draft.commands("assert") if len(command.items) == 2]


def _groups(draft: ProgramDraft, *heads: str) -> list[NodeGroup]:
    """Return the groups in assertions that begin with one of the given names."""
    nodes = (node for command in _assertions(draft) for node in walk(command))
    return [node for node in nodes if isinstance(node, NodeGroup) and node.head in heads]


def _atoms(commands: Iterable[Node]) -> list[Atom]:
    return [node for command in commands for node in walk(command) if isinstance(node, Atom)]


def _declaring(draft: ProgramDraft) -> dict[str, NodeGroup]:
    """Return the commands that declare constants and functions, by name."""
    constants = (declaration for declaration in draft.script.declarations if declaration.body is None)
    return {declaration.name: draft.script.commands[declaration.command] for declaration in constants}


def _closing(draft: ProgramDraft) -> Iterator[int]:
    for command in _assertions(draft):
        yield from (place for place in range(command.at.offset, command.end) if draft.text[place] == ")")


def _declaration_forms(draft: ProgramDraft) -> Iterator[Edits]:
    commands = draft.commands("declare-const")
    plain = [command for command in commands if len(command.items) == 3 and len(_atoms([command])) == 3]
    for form in DECLARATIONS if plain else ():
        yield [replacement(command, form.format(*map(draft.source, command.arguments))) for command in plain]


def _misspelt_names(draft: ProgramDraft) -> Iterator[Edits]:
    declared = {name for name in _declaring(draft) if len(name) >= SHORTEST_NAME and name.isidentifier()}
    for atom in _atoms(_assertions(draft)):
        name = atom.text
        for place in range(1, len(name) - 1) if name in declared else ():
            left, letter, following, right = name[:place], name[place], name[place + 1], name[place + 2 :]
            slips = (left + following + right, left + letter + name[place:], left + following + letter + right)
            other = (slip for slip in slips if letter.isalpha() and slip not in draft.occurrences)
            yield from ([replacement(atom, slip)] for slip in other)


def _mixed_numbers(draft: ProgramDraft) -> Iterator[Edits]:
    for atom in _atoms(_assertions(draft)):
        if atom.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}:
            whole = atom.kind is AtomKind.NUMERAL
            yield [replacement(atom, f"{atom.text}.0" if whole else atom.text.removesuffix(".0"))]


def _other_notations(draft: ProgramDraft, *, infix: bool) -> Iterator[Edits]:
    """Yield each term that may stand so as an infix term, or as a call of Python."""
    for group in _groups(draft, *(INFIX if infix else CALLS)):
        arguments = list(map(draft.source, group.arguments))
        if infix and len(arguments) == 2:
            yield [replacement(group, f"({arguments[0]} {group.head} {arguments[1]})")]
        elif arguments and not infix:
            yield [replacement(group, f"{CALLS[group.head]}({', '.join(arguments)})")]


def _sort_spellings(draft: ProgramDraft) -> Iterator[Edits]:
    declaring = [command for command in draft.script.commands if command.head.startswith("declare-")]
    for sort, spellings in SORTS.items():
        for spelling in spellings.split():
            yield [replacement(atom, spelling) for atom in _atoms(declaring) if atom.text == sort]


def _wrong_logics(draft: ProgramDraft) -> Iterator[Edits]:
    commands = [command for command in draft.commands("set-logic") if len(command.items) == 2]
    yield from ([replacement(command.items[1], name)] for command in commands[:1] for name in LOGICS)


def _wrappers(draft: ProgramDraft) -> Iterator[Edits]:
    if "```" not in draft.text and draft.script.commands:
        yield from ([insertion(0, lead), insertion(len(draft.text), tail)] for lead, tail in WRAPPERS)


WAYS: dict[str, Callable[[ProgramDraft], Iterable[Edits]]] = {
    "declaration_form": _declaration_forms,
    "extra_parenthesis": lambda draft: ([insertion(place, ")")] for place in _closing(draft)),
    "infix": lambda draft: _other_notations(draft, infix=True),
    "missing_assert": lambda draft: (
        [replacement(command, draft.source(command.items[1]))]
        for command in _assertions(draft)
        if isinstance(command.items[1], NodeGroup)
    ),
    "missing_check": lambda draft: (
        [RepairChange(command.at.offset, len(draft.text), "")] for command in draft.commands("check-sat")[:1]
    ),
    "missing_parenthesis": lambda draft: ([RepairChange(place, place + 1, "")] for place in _closing(draft)),
    "misspelt_name": _misspelt_names,
    "mixed_numbers": _mixed_numbers,
    "operator_signs": lambda draft: (
        [replacement(group.items[0], sign) for group in _groups(draft, head)]
        for head, signs in OPERATORS.items()
        for sign in signs
    ),
    "python_call": lambda draft: _other_notations(draft, infix=False),
    "sort_spelling": _sort_spellings,
    "undeclared_name": lambda draft: (
        [draft.without(command)]
        for name, command in _declaring(draft).items()
        if any(atom.name == name for atom in _atoms(_assertions(draft)))
    ),
    "wrapped": _wrappers,
    "wrong_logic": _wrong_logics,
}
"""The ways to break a program: each yields the edits that would, as alternatives; of the table of one way, one is made."""


@dataclass(frozen=True, slots=True)
class BrokenProgram:
    """A broken program and the names of the ways it was broken in, in the order they were applied."""

    program: str
    ways: tuple[str, ...]


def broken(program: str, way: str, random: Random) -> str | None:
    """Return a program broken in one way, `None` where nothing of the kind breaks it. The program may be broken already."""
    draft = ProgramDraft(program)
    alternatives = [edits for edits in WAYS[way](draft) if edits]
    random.shuffle(alternatives)
    return next(filter(None, (_broken_further(draft, edits) for edits in islice(alternatives, MOST_TRIES))), None)


def _broken_further(draft: ProgramDraft, edits: Edits) -> str | None:
    """Return the text after some edits; `None` where no fault is added, since one way may undo another."""
    text = draft.text
    for change in sorted(edits, key=lambda change: -change.start):
        text = text[: change.start] + change.after + text[change.end :]
    before, after = (Counter(fault.kind for fault in script.faults) for script in (draft.script, read_script(text)))
    return text if after - before and after.total() >= before.total() else None


def break_program(program: str, count: int, seed: str) -> BrokenProgram | None:
    """Break a program in `count` different ways at once, drawn by the seed; return `None` where fewer ways apply."""
    random = Random(f"{seed}:breaking")
    names: list[str] = []
    for name in random.sample(list(WAYS), len(WAYS)):
        text = broken(program, name, random) if len(names) < count else None
        if text is not None:
            program = text
            names.append(name)
    return BrokenProgram(program, tuple(names)) if len(names) == count else None
