"""Benchmark of repair and translation on constraint programs that models wrote for logic puzzles."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.constraint_languages import domain_programs as ranked, enumeration_programs as enumerated
from benchmarks.constraint_languages.translation import OptionClaim
from generators.constraints.breakage.breakage import break_program
from generators.constraints.repair.program_repair import repair
from generators.constraints.repair.templates.comparisons import claim_formula
from generators.constraints.repair.templates.problem_template import template_program
from harness.corpora.problems import read_records
from oracles.constraints.validation import ValidationCase, validate_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from random import Random

    from benchmarks.constraint_languages.translation import AnswerOption, Translation
    from oracles.constraints.validation import Validation

DEDUCTION = "smt/logical_deduction.jsonl.gz"
GAMES = "smt/arlsat_z3_programs.jsonl.gz"
Record = dict[str, Any]
_CHECK = "(check-sat)"
_CLASSES = (
    ("syntax of the language", re.compile(r"SyntaxError|parser error|iterable|iterator")),
    ("name that nothing declares", re.compile(r"NameError")),
    ("sorts that do not fit", re.compile(r"[Ss]ort mismatch|Z3 sort|Z3 expression|index out of bounds|Wrong number")),
    ("order or sum of what is no number", re.compile(r"not supported between|unsupported operand|is_int|concatenate")),
    ("formula taken for a truth value", re.compile(r"cannot be cast to concrete Boolean")),
    ("wrong number of arguments", re.compile(r"positional argument|takes exactly|missing 1 required")),
)
_STATUSES = {
    "executed": "ran and chose an option",
    "no_output": "ran and chose none",
    "parse_error": "not translated by the data's authors",
    "refused_scan": "not run by the data's authors",
}


def measure(data: Path) -> str:
    """Return the figures of both sets as Markdown; neither repair nor translation sees a gold answer."""
    if not all((data / name).is_file() for name in (DEDUCTION, GAMES)):
        return "Not measured on programs of models: the data are not there."
    return "\n\n".join([_deduction(_records(data, DEDUCTION)), _games(_records(data, GAMES))])


def _records(data: Path, name: str) -> list[Record]:
    return [record for _, record in read_records(data / name)]


def pairs(data: Path, name: str, count: int, random: Random) -> Iterator[tuple[str, str]]:
    """Yield what a model wrote and what became of it, drawn by chance from `logical_deduction` or `arlsat`."""
    ranks = name == "logical_deduction"
    records = _records(data, DEDUCTION if ranks else GAMES)
    for record in random.sample(records, count):
        found = (ranked if ranks else enumerated).translate(record["raw_program"])
        said = "\n".join(map(str, [*found.options, *found.untranslated, *found.assumed]))
        yield record["raw_program"], f"{found.program}{said}"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A program with what is to be decided of it: whether it can hold with a further formula."""

    program: str
    formula: str = ""

    @property
    def text(self) -> str:
        """Return the program with the formula asserted, asking once."""
        body = "\n".join(line for line in self.program.splitlines() if line.strip() not in {_CHECK, "(get-model)"})
        return f"{body}\n(assert {self.formula})\n{_CHECK}\n" if self.formula else f"{body}\n{_CHECK}\n"


def _decided(asked: Iterable[_Asked]) -> dict[_Asked, Validation]:
    """Return what both solvers find of each."""
    distinct = list(dict.fromkeys(asked))
    cases = [ValidationCase(str(number), program.text) for number, program in enumerate(distinct)]
    return dict(zip(distinct, validate_all(cases), strict=True))


def _deduction(records: Sequence[Record]) -> str:
    """Measure the puzzles about orders: whether the gold answer is entailed."""
    ways: dict[str, Callable[[Record], tuple[str, str]]] = {
        "as given": _given,
        "as given, repaired": _repaired,
        "as given, broken in three ways": _broken,
        "the same, repaired": _broken_repaired,
        "the model's own text, translated": _translated,
        "template of the problem's text alone": _templated,
    }
    asked: dict[tuple[str, int], tuple[_Asked, _Asked]] = {}
    for name, of in ways.items():
        for number, record in enumerate(records):
            program, formula = of(record)
            asked[name, number] = _Asked(program), _Asked(program, f"(not {formula})" if formula else "")
    found = _decided(question for pair in asked.values() for question in pair)
    models = sorted({record["model"] for record in records})
    lines = [
        f"| program | read by both solvers | {' | '.join(models)} | all |",
        "|---|---:|" + "---:|" * (len(models) + 1),
    ]
    for name in ways:
        read, gold = 0, Counter[str]()
        for number, record in enumerate(records):
            plain, denied = (found[question] for question in asked[name, number])
            read += plain.valid is True
            entailed = (
                plain.satisfiable is True and denied.satisfiable is False and bool(asked[name, number][1].formula)
            )
            gold[record["model"]] += entailed
        lines.append(
            f"| {name} | {read:,} | {' | '.join(str(gold[model]) for model in models)} | {sum(gold.values()):,} |"
        )
    said = (
        f"**Puzzles about orders**, {len(records)} programs of three models. They were converted to SMT-LIB2 by those who published the set, and all are "
        "well-formed but for `(check-sat)`, which none has: the repair adds it and changes nothing else. So it is also given each program broken in three "
        "ways drawn by chance, and the text that the model itself wrote, a list of Python-like constraints. Counted are programs that can be satisfied and "
        "entail the gold answer; what is missing is what the models got wrong. The last row does not look at the program, and its patterns were written with these puzzles in view: it says nothing of other texts."
    )
    return f"{said}\n\n" + "\n".join(lines)


def _given(record: Record) -> tuple[str, str]:
    return record["smtlib"], record["query"].get(record["gold"], "")


def _repaired(record: Record) -> tuple[str, str]:
    return repair(record["smtlib"]).program, record["query"].get(record["gold"], "")


def _broken_text(record: Record) -> str:
    asked = f"{record['smtlib']}\n{_CHECK}\n"
    made = break_program(asked, 3, f"{record['id']}:{record['model']}")
    return asked if made is None else made.program


def _broken(record: Record) -> tuple[str, str]:
    return _broken_text(record), record["query"].get(record["gold"], "")


def _broken_repaired(record: Record) -> tuple[str, str]:
    return repair(_broken_text(record)).program, record["query"].get(record["gold"], "")


def _translated(record: Record) -> tuple[str, str]:
    found = ranked.translate(record["raw_program"])
    return found.program, next((option.formulas[0] for option in found.options if option.letter == record["gold"]), "")


def _templated(record: Record) -> tuple[str, str]:
    problem = record["context"].rpartition("\n\n")[2]
    option = next((option[2:] for option in record["options"] if option.startswith(f"{record['gold']})")), "")
    return template_program(problem) or "", claim_formula(problem, option) or ""


def _games(records: Sequence[Record]) -> str:
    """Measure the analytical games: what failed, what is translated, what is read and chosen."""
    translated = [enumerated.translate(record["raw_program"]) for record in records]
    asked = {_Asked(translation.program) for translation in translated}
    for translation in translated:
        asked |= {question for option in translation.options for question in _questions(translation, option)}
    found = _decided(sorted(asked, key=lambda question: question.text))
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for record, translation in zip(records, translated, strict=True):
        _count(rows[_class(record)], record, translation, found)
        _count(rows["all"], record, translation, found)
    columns = (
        "programs",
        "ran before",
        "translated whole",
        "read by both solvers",
        "gold before",
        "gold after",
        "gold alone",
    )
    lines = [f"| what became of it in Python | {' | '.join(columns)} |", "|---|" + "---:|" * len(columns)]
    ordered = sorted(rows, key=lambda name: (name == "all", -rows[name]["programs"]))
    lines += [
        f"| {name} | {' | '.join(f'{rows[name][column]:,}' if rows[name][column] else '·' for column in columns)} |"
        for name in ordered
    ]
    reasons = Counter(
        failure.failure.value
        for translation in translated
        for failure in {f.failure: f for f in translation.untranslated}.values()
    )
    listed = ", ".join(f"{name} {count}" for name, count in reasons.most_common())
    assumed = sum(bool(translation.assumed) and translation.whole for translation in translated)
    said = (
        f"**Analytical games**, {len(records)} programs of three models in a language of enumerations, functions and options, which those who published them "
        "ran as Python. *Translated whole* is every line and option, quantifiers written out; then both solvers read it. Of these "
        f"{assumed} take something for granted and say so, such as that values are ordered as they are listed. *Gold* counts programs whose first option that "
        "holds is the gold one, as the published run chose, and those where it holds alone: as information, since it is the models' reading of the game. What is not translated has "
        f"a line with one of these (programs): {listed}."
    )
    return f"{said}\n\n" + "\n".join(lines)


def _count(row: Counter[str], record: Record, translation: Translation, found: Mapping[_Asked, Validation]) -> None:
    plain = found[_Asked(translation.program)]
    row["programs"] += 1
    row["ran before"] += record["status"] in {"executed", "no_output"}
    row["gold before"] += bool(record["pred"]) and record["pred"] == record["gold"]
    row["translated whole"] += translation.whole
    row["read by both solvers"] += translation.whole and plain.valid is True
    if translation.whole and plain.satisfiable:
        holding = [option.letter for option in translation.options if _holds(translation, option, found)]
        row["gold after"] += holding[:1] == [record["gold"]]
        row["gold alone"] += holding == [record["gold"]]


def _questions(translation: Translation, option: AnswerOption) -> list[_Asked]:
    """Return what has to be decided of a program to tell whether an option holds; the first is of all its formulas."""
    joined = option.formulas[0] if len(option.formulas) == 1 else f"(or {' '.join(option.formulas)})"
    match option.claim:
        case OptionClaim.CAN | OptionClaim.CANNOT:
            return [_Asked(translation.program, joined)]
        case OptionClaim.MUST | OptionClaim.NEED_NOT:
            return [_Asked(translation.program, f"(not {joined})")]
    return [
        _Asked(translation.program, f"(not {joined})"),
        *(_Asked(translation.program, formula) for formula in option.formulas),
    ]


def _holds(translation: Translation, option: AnswerOption, found: Mapping[_Asked, Validation]) -> bool:
    first, *rest = (found[question].satisfiable for question in _questions(translation, option))
    wanted = option.claim in {OptionClaim.CAN, OptionClaim.NEED_NOT}
    return first is wanted and all(other is True for other in rest)


def _class(record: Record) -> str:
    """Return what became of a program when it was run as Python."""
    if record["status"] in _STATUSES:
        return _STATUSES[record["status"]]
    return next((name for name, pattern in _CLASSES if pattern.search(record["error"])), "another error")
