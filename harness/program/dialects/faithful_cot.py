"""The Faithful-CoT dialect: numbered steps at the top level that end in `answer = …`."""

from harness.program.dialect import AnswerPlace, ModuleShape, dialect
from harness.program.syntax.code_extraction import ProgramSource

EXAMPLE = """# 1. How many boxes are there? (independent, support: ["6 boxes"])
boxes = 6
# 2. How many pens are in a box? (independent, support: ["12 pens in each"])
pens_per_box = 12
# 3. Final Answer: How many pens are there? (depends on 1 and 2, support: [])
answer = boxes * pens_per_box
"""


@dialect("faithful-cot", examples=(EXAMPLE,))
def faithful_cot(_: ProgramSource, shape: ModuleShape) -> AnswerPlace | None:
    """Recognise a top-level `answer`."""
    return AnswerPlace(variable="answer", precedence=20) if "answer" in shape.variables else None
