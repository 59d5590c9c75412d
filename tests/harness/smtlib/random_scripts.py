"""Random well-sorted SMT-LIB2 scripts for tests and benchmarks, and what z3 and cvc5 reject."""

from random import Random

from harness.smtlib.script import read_script
from harness.smtlib.vocabulary import BOOL, INT, REAL, narrowest

_NAMES = {
    INT: ("apples", "pears", "start_lunch", "end_lunch", "total_cost", "x", "y"),
    REAL: ("weight", "share_left", "price"),
    BOOL: ("ripe", "is_open", "Anna_wins", "p"),
    "Color": ("car_color", "hat"),
    "Person": ("winner", "loser"),
}
_VALUES = ("red", "green", "blue")
DEEPEST = 3
_WORK = 500_000


def draw_program(random: Random) -> str:
    """Draw a program: constants of some sorts, perhaps functions, an enumeration and quantifiers, and two to six assertions."""
    return _Drawing(random).drawn()


class _Drawing:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.numbers = random.choice([(INT,), (INT,), (INT,), (REAL,), (INT, REAL)])
        others = [sort for sort in (BOOL, "Color", "Person") if random.random() < (0.8 if sort == BOOL else 0.25)]
        self.sorts = (*self.numbers, *others)
        self.constants = {
            sort: random.sample(_NAMES[sort], random.randint(1, min(4, len(_NAMES[sort])))) for sort in self.sorts
        }
        self.function = self.numbers[0] if random.random() < 0.3 else None
        self.relation = "Person" in self.sorts
        self.quantified = random.random() < 0.1

    def drawn(self) -> str:
        asserted = [self.formula(DEEPEST) for _ in range(self.random.randint(2, 6))]
        if self.quantified:
            sort = self.numbers[0]
            asserted.append(f"(forall ((k {sort})) (or (> k {self.literal(sort)}) (<= k {self.constants[sort][0]})))")
        lines = []
        if "Color" in self.sorts:
            lines.append(f"(declare-datatypes ((Color 0)) (({' '.join(f'({value})' for value in _VALUES)})))")
        if "Person" in self.sorts:
            lines.append("(declare-sort Person 0)")
        for sort, names in self.constants.items():
            lines.extend(f"(declare-const {name} {sort})" for name in names)
        if self.function:
            lines.append(f"(declare-fun cost ({self.function}) {self.function})")
        if self.relation:
            lines.append("(declare-fun knows (Person Person) Bool)")
        lines.extend(f"(assert {formula})" for formula in asserted)
        program = "\n".join([*lines, "(check-sat)", ""])
        return f"(set-logic {narrowest(read_script(program).features)})\n{program}"

    def formula(self, depth: int) -> str:
        choice = self.random.random()
        if depth == 0 or choice < 0.35:
            return self.relation_of(depth)
        if choice < 0.5:
            return f"(not {self.formula(depth - 1)})"
        if choice < 0.65:
            head = "=>" if choice < 0.6 else "xor"
            return f"({head} {self.formula(depth - 1)} {self.formula(depth - 1)})"
        if choice < 0.7:
            number = self.term(self.numbers[0], depth - 1)
            return f"(let ((v {number})) (< v {self.literal(self.numbers[0])}))"
        joined = " ".join(self.formula(depth - 1) for _ in range(self.random.randint(2, 3)))
        return f"({self.random.choice(['and', 'or'])} {joined})"

    def relation_of(self, depth: int) -> str:
        sort = self.random.choice(self.sorts)
        if sort == BOOL:
            return self.random.choice(self.constants[BOOL])
        if sort in {"Color", "Person"}:
            left = self.random.choice(self.constants[sort])
            right = self.random.choice(_VALUES if sort == "Color" else self.constants[sort])
            if sort == "Person" and self.random.random() < 0.5:
                return f"(knows {left} {right})"
            return f"({self.random.choice(['=', 'distinct'])} {left} {right})"
        head = self.random.choice(["<", "<=", ">", ">=", "=", "distinct"])
        return f"({head} {self.term(sort, depth)} {self.term(sort, depth)})"

    def term(self, sort: str, depth: int) -> str:
        choice = self.random.random()
        if depth == 0 or choice < 0.45:
            return self.random.choice(self.constants[sort])
        if choice < 0.65:
            return self.literal(sort)
        if choice < 0.75:
            return f"(* {self.literal(sort)} {self.term(sort, depth - 1)})"
        if choice < 0.8 and self.function == sort:
            return f"(cost {self.term(sort, depth - 1)})"
        if choice < 0.85:
            return f"(ite {self.formula(depth - 1)} {self.term(sort, depth - 1)} {self.term(sort, depth - 1)})"
        if choice < 0.9 and sort == INT:
            return f"(mod {self.term(sort, depth - 1)} {self.random.randint(2, 9)})"
        return f"({self.random.choice('+-')} {self.term(sort, depth - 1)} {self.term(sort, depth - 1)})"

    def literal(self, sort: str) -> str:
        number = self.random.randint(0, 20)
        text = f"{number}.{self.random.choice('05')}" if sort == REAL else str(number)
        return f"(- {text})" if self.random.random() < 0.2 else text


def refusals(text: str, *, strict: bool = False) -> dict[str, str]:
    """Return what z3 and cvc5 find wrong with a script, by solver; empty where both read it and answer.

    Only for scripts that are quickly decided. `strict` has cvc5 read as the standard says, without what it adds.
    """
    return {name: error for name, error in (("z3", _z3(text)), ("cvc5", _cvc5(text, strict=strict))) if error}


def _z3(text: str) -> str:
    import z3

    context = z3.Context()
    try:
        z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :rlimit {_WORK})\n")
        answer = z3.Z3_eval_smtlib2_string(context.ref(), text)
    except z3.Z3Exception as error:
        return str(error)
    return answer if "(error" in answer or "unsupported" in answer else ""


def _cvc5(text: str, *, strict: bool) -> str:
    import cvc5

    terms = cvc5.TermManager()
    solver, symbols = cvc5.Solver(terms), cvc5.SymbolManager(terms)
    options = {"rlimit-per": str(_WORK), "incremental": "true", "produce-models": "true"}
    for name, value in (options | ({"strict-parsing": "true"} if strict else {})).items():
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    try:
        while not (command := parser.nextCommand()).isNull():
            if "(error" in (said := str(command.invoke(solver, symbols))):
                return said
    except RuntimeError as error:
        return str(error)
    return ""
