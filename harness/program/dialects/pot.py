"""The Program-of-Thoughts dialect: `ans = …` at the top level, or a function `solver()`."""

from harness.program.dialect import AnswerPlace, ModuleShape, dialect
from harness.program.syntax.code_extraction import ProgramSource

EXAMPLE = """boxes = 6
pens_per_box = 12
ans = boxes * pens_per_box
"""

SOLVER = """def solver():
    # x: the number of pens
    boxes = 6
    x = boxes * 12
    return x
ans = solver()
"""


@dialect("pot", examples=(EXAMPLE, SOLVER))
def pot(_: ProgramSource, shape: ModuleShape) -> AnswerPlace | None:
    """Recognise a top-level `ans`, else a function `solver`."""
    if "ans" in shape.variables:
        return AnswerPlace(variable="ans", precedence=10)
    return AnswerPlace(function="solver", precedence=40) if "solver" in shape.functions else None
