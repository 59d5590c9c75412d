"""The PAL dialect: a function `solution()`, or a single function of any name that is not called."""

from harness.program.dialect import AnswerPlace, ModuleShape, dialect
from harness.program.syntax.code_extraction import ProgramSource

EXAMPLE = '''def solution():
    """A shop packs 6 boxes with 12 pens in each. How many pens?"""
    boxes = 6
    pens_per_box = 12
    result = boxes * pens_per_box
    return result
'''


@dialect("pal", examples=(EXAMPLE,))
def pal(_: ProgramSource, shape: ModuleShape) -> AnswerPlace | None:
    """Recognise `solution`, else the only function of a text, where nothing calls it."""
    if "solution" in shape.functions:
        return AnswerPlace(function="solution", precedence=30)
    if len(shape.functions) == 1 and not shape.calls & set(shape.functions):
        return AnswerPlace(function=next(iter(shape.functions)), precedence=60)
    return None
