"""The parametric dialect: `solve(clips: int = 48, …)`, with the inputs as arguments."""

from harness.program.dialect import AnswerPlace, ModuleShape, dialect
from harness.program.syntax.code_extraction import ProgramSource

EXAMPLE = '''```python
def solve(
    boxes: int = 6,  # packs 6 boxes
    pens_per_box: int = 12  # 12 pens in each
):
    """Index: 0.
    Returns: the number of pens."""
    #: L1
    pens = boxes * pens_per_box
    answer = pens  # FINAL ANSWER
    return answer
```'''


@dialect("parametric", examples=(EXAMPLE,))
def parametric(_: ProgramSource, shape: ModuleShape) -> AnswerPlace | None:
    """Recognise `solve` with arguments."""
    return AnswerPlace(function="solve", precedence=0) if shape.functions.get("solve", 0) > 0 else None
