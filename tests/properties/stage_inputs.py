"""The inputs of sessions of each stage: a few problems with what is written about them, fit and unfit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.json_lines import write_lines
from tests.properties import test_session_smt as smt
from tests.properties.session_process import (
    TINY_PROBLEMS,
    TINY_RESPONSES,
    Record,
    template_record,
    write_inputs,
)


def problem(problem_id: str, question: str, solution: str, gold: str, **more: Any) -> Record:
    """Return a problem of the corpus."""
    return {"problem_id": problem_id, "question": question, "answer": f"{solution}\n#### {gold}", **more}


def labelled(text: str, line: str, **more: Any) -> Record:
    """Return a record with a computational label."""
    details = {"error_type": "computational_error", "erroneous_line_number": line}
    label = {"verdict": "Flawed", "error_details": details}
    return {"problem_id": "p-1", "flawed_solution": text, "label": label, **more}


SLIP = "3 + 4 = 8\n8 * 5 = 40\n#### 40"
CATS = problem("p-1", "3 and 4 cats, 5 legs?", "3 + 4 = 7\n7 * 5 = 35", "35")
LABELS: tuple[Record | str, ...] = (
    labelled(SLIP, "L1", operator="off_by_n"),
    labelled(SLIP, "L2"),
    labelled("Nobody can say, 40 perhaps.\n#### 40", "L1"),
    "{broken",
    {"question": CATS["question"], "solution": "7 * 5 = 35\nA: 35", "is_correct": True},
    {"problem_id": "other", "solution": "1 + 1 = 2\n#### 2", "label": "correct"},
)

BOXES = "boxes = 12 # 12 boxes; pens = 6 # 6 pens; total = boxes * pens"
GIVEN = "given = 10 # 10; left = total - given"
FIRST = ("{boxes}*{pens} = <<{boxes}*{pens}={total}>>{total} pens", "12*6 = <<12*6=72>>72 pens")
SECOND = ("So {total}-{given} = <<{total}-{given}={left}>>{left} left", "So 72-10 = <<72-10=62>>62 left")
GOOD = f"{FIRST[1]}\n{SECOND[1]}"
ASKED = "12 boxes of 6 pens; 10 are given away?"
MUTATION_PROBLEMS: tuple[Record, ...] = (
    problem("p-1", ASKED, GOOD, "62"),
    problem("p-2", "5 red and 6 green, three times?", "5+6 = <<5+6=11>>11\n11*3 = <<11*3=33>>33", "33"),
    problem("p-3", ASKED, FIRST[1], "72"),
    problem("p-4", ASKED, f"{GOOD} = 5 + 5", "62"),
    problem("p-5", ASKED, GOOD, "61"),
    problem("p-6", ASKED, "Other words\nfor it", "62"),
    problem("p-7", ASKED, f"{FIRST[1]}\n\n{SECOND[1]}", "62"),
    problem("p-8", ASKED, "Nobody says", "62"),
)
MUTATION_RESPONSES: tuple[Record, ...] = (
    template_record("p-1", (BOXES, FIRST[0]), (GIVEN, SECOND[0])),
    template_record(
        "p-2",
        ("red = 5 # 5; green = 6 # 6; both = red + green", "{red}+{green} = <<{red}+{green}={both}>>{both}"),
        ("times = 3 # three times; all = both * times", "{both}*{times} = <<{both}*{times}={all}>>{all}"),
    ),
    template_record("p-3", (BOXES, FIRST[0])),
    template_record("p-4", (BOXES, FIRST[0]), (GIVEN, f"{SECOND[0]} = 5 + 5")),
    *(template_record(name, (BOXES, FIRST[0]), (GIVEN, SECOND[0])) for name in ("p-5", "p-6")),
    template_record("p-7", (BOXES, FIRST[0]), ("x = 1 # 1", ""), (GIVEN, SECOND[0])),
    {"problem_id": "p-8", "model": "oak", "response": "def solve(a: int = 62):\n    return a"},
)

TEMPLATE_PROBLEMS: tuple[Record, ...] = (
    problem("p-1", "3 bags of 4 apples?", "3*4=<<3*4=12>>12", "12", tier=1),
    problem("p-2", "Half of 18?", "18/2=<<18/2=9>>9", "9", tier=2),
    {"problem_id": "p-3", "question": "2 and 3?", "answer": "Nobody says."},
    problem("p-4", "8 less 1?", "<<8-1=7>>7 and <<7-0=7>>7", "7"),
)
TEMPLATE_RESPONSES: tuple[Record, ...] = (
    template_record("p-1", ("a = 3 # 3; b = 4 # 4; c = a * b", "{a}*{b}=<<{a}*{b}={c}>>{c}"), model="birch"),
    TINY_RESPONSES[0] | {"problem_id": "p-1", "model": "oak"},
    template_record("p-1", ("a = 3 # 3; b = 5 # 5; c = a * b", "{a}*{b}={c}"), model="yew"),
    template_record("p-2", ("a = 18 # 18; b = 2 # 2; c = a / b", "{a}/{b}=<<{a}/{b}={c}>>{c}"), model="birch"),
)

PENS = "Ines packs 12 boxes with 6 pens in each box. Then she gives 10 pens to a school. How many pens does Ines have left?"
JARS = (
    "A cook fills 5 jars with red jam and 9 jars with plum jam. He sells each jar for $4. How much money does he get?"
)
PENS_SOLUTION = "Ines packs 12*6 = <<12*6=72>>72 pens.\nShe has 72-10 = <<72-10=62>>62 pens left."
JARS_SOLUTION = "He fills 5+9 = <<5+9=14>>14 jars.\nHe gets 14*4 = $<<14*4=56>>56."
PENS_CODE = "boxes = 12 # 12 boxes; each = 6 # 6 pens in each box; packed = boxes * each"
GIVEN_CODE = "given = 10 # gives 10 pens to a school; left = packed - given"
PENS_LINES = (
    (PENS_CODE, "Ines packs {boxes}*{each} = <<{boxes}*{each}={packed}>>{packed} pens."),
    (GIVEN_CODE, "She has {packed}-{given} = <<{packed}-{given}={left}>>{left} pens left."),
)
JARS_CODE = "red = 5 # 5 jars with red jam; plum = 9 # 9 jars with plum jam; jars = red + plum"
JARS_LINES = (
    (JARS_CODE, "He fills {red}+{plum} = <<{red}+{plum}={jars}>>{jars} jars."),
    ("price = 4 # $4; money = jars * price", "He gets {jars}*{price} = $<<{jars}*{price}={money}>>{money}."),
)
HUGE = tuple((f"a{place} = {place} # {place}; b{place} = a{place} + 1", "") for place in range(150))
VARIANT_PROBLEMS: tuple[Record, ...] = (
    problem("p-1", PENS, PENS_SOLUTION, "62"),
    problem("p-2", JARS, JARS_SOLUTION, "56"),
    problem("p-3", f"Reserved. {PENS}", PENS_SOLUTION, "62"),
    problem("p-4", f"Wrong. {PENS}", PENS_SOLUTION, "61"),
    problem("p-5", f"{PENS} {'<script>alert(1)</script>' * 400}", PENS_SOLUTION, "62"),
    problem("p-6", f"\u202e\x1b[31m</script> {PENS}", PENS_SOLUTION, "62"),
    problem("p-7", PENS.replace("12", "4,000"), PENS_SOLUTION, "62"),
)
VARIANT_RESPONSES: tuple[Record, ...] = (
    template_record("p-1", *PENS_LINES, model="yew"),
    {**template_record("p-1", *PENS_LINES), "model": "elm"},
    template_record("p-2", *JARS_LINES),
    *(template_record(f"p-{number}", *PENS_LINES) for number in (3, 4, 5, 6)),
    template_record("p-7", *HUGE),
)


def label_options(folder: Path) -> tuple[str, ...]:
    """Write the labelled solutions and their corpus into a folder; return the options that name them."""
    corpus, labels = write_lines(folder / "corpus.jsonl", [CATS]), write_lines(folder / "six.jsonl", LABELS)
    return f"--harness-corpus={corpus}", f"--harness-labels={labels}"


OPTIONS: dict[str, Callable[[Path], tuple[str, ...]]] = {
    "formalization": lambda folder: write_inputs(folder, TINY_PROBLEMS, TINY_RESPONSES).options,
    "label": label_options,
    "mutation": lambda folder: write_inputs(folder, MUTATION_PROBLEMS, MUTATION_RESPONSES).options,
    "smt": lambda folder: (smt.write(folder / "six.jsonl", smt.RECORDS),),
    "template": lambda folder: write_inputs(folder, TEMPLATE_PROBLEMS, TEMPLATE_RESPONSES).options,
    "variant": lambda folder: write_inputs(folder, VARIANT_PROBLEMS[:2], VARIANT_RESPONSES[:3]).options,
}
"""Writes the inputs of a stage into a folder and returns the options that name them."""
