"""Random programs that pose linear equations in sympy and solve them, whose text this module writes."""

from random import Random

from tests.harness.program.differential.generated_programs import GeneratedProgram

IMPORTS = (
    "from sympy import symbols, Eq, solve",
    "from sympy import Symbol, symbols, Eq, solve",
    "import sympy",
    "import sympy as sp",
    "",
)
RESULTS = ("item", "item", "whole", "sum", "rounded", "substituted", "compared")


def generated_equations(seed: int) -> GeneratedProgram:
    """Return the program of a seed: one or two unknowns, as many equations or one too few or too many, and a value made of the solution."""
    rng = Random(seed)
    imports = rng.choice(IMPORTS)
    module = {"import sympy": "sympy.", "import sympy as sp": "sp."}.get(imports, "")
    constants = ["a", "b", "c"]
    lines = [f"{name} = {rng.choice(['2', '5', '12', '0.5', '1.25', '7', '40', '9', '-3', '0'])}" for name in constants]
    names = ["x", "y"][: rng.choice([1, 1, 1, 2, 2])]
    lines += _unknowns(rng, module, imports, names)
    count = max(1, len(names) + rng.choices([0, 1, -1], (16, 1, 1))[0])
    equations = [f"e{place}" for place in range(count)]
    for name in equations:
        left, right = _linear(rng, names, constants), _linear(rng, names[:1], constants)
        lines.append(f"{name} = {module}Eq({left}, {right})" if rng.random() < 0.8 else f"{name} = {left} - ({right})")
    posed = equations[0] if count == 1 and rng.random() < 0.7 else f"{rng.choice(['[', '('])}{', '.join(equations)}"
    posed += {"[": "]", "(": ",)"}.get(posed[0], "")
    wanted = (
        rng.choice([names[0], f"({', '.join(names)},)", f"[{', '.join(names)}]"])
        if len(names) == 1
        else f"({', '.join(names)})"
    )
    named = rng.random() < 0.2
    if named:
        lines.append(f"found = solve_it({posed}, {names[0] if len(names) == 1 else '[x, y]'})")
    else:
        lines.append(f"found = {module}solve({posed}{rng.choices(['', ', ' + wanted], (1, 6))[0]})")
    if rng.random() < 0.3:
        lines.append("a = c")
    lines.append(f"answer = {_result(rng, names, single=posed[0] == 'e' and not named)}")
    return GeneratedProgram("\n".join([imports, *lines]).lstrip() + "\n", "answer")


def _unknowns(rng: Random, module: str, imports: str, names: list[str]) -> list[str]:
    if len(names) == 1:
        return [
            f"x = {module}{rng.choice(['Symbol', 'symbols'] if module or 'Symbol,' in imports else ['symbols'])}('x')"
        ]
    return [f"{', '.join(names)} = {module}symbols('{rng.choice([' ', ', ', ',']).join(names)}')"]


def _linear(rng: Random, names: list[str], constants: list[str]) -> str:
    number = rng.choice([*constants, *constants, "7", "3", "0.25", "(a + b)", "a / 4", "c // 2", "-b"])
    factor = rng.choice([*constants, "7", "2", "1.5", "(a - 1)", "1"])
    name = rng.choice([*names, names[-1]])
    return rng.choice(
        [
            f"{factor} * {name} + {number}",
            f"{number} - {name}",
            f"{name} / 4 + {number}",
            f"{factor} * ({name} - {number})",
            f"{number}",
            f"{name} + {names[0]} - {number}",
            f"-{name} * {factor} / 2",
            f"{name} * {names[0]}" if rng.random() < 0.1 else name,
        ]
    )


def _result(rng: Random, names: list[str], *, single: bool) -> str:
    if rng.random() < 0.06:
        single = not single
    first = "found[0]" if single else "found[x]"
    last = f"found[{names[-1]}]" if not single else first
    return {
        "item": last,
        "whole": f"int({first})",
        "sum": f"{first} + {last} * a",
        "rounded": f"round({first})",
        "substituted": f"({names[-1]} * 2 + a).subs({names[-1]}, {last})",
        "compared": f"7 if {first} > a else 8",
    }[rng.choice(RESULTS)]
