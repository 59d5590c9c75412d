"""The template dialect: `solve()` without arguments, alone or as `function_code` of a JSON template."""

from harness.program.dialect import AnswerPlace, ModuleShape, dialect
from harness.program.syntax.code_extraction import ProgramSource

EXAMPLE = (
    '{"function_code": "def solve():\\n    # L1\\n    boxes = 6 # 6 boxes\\n    pens_per_box = 12 # 12 pens\\n'
    '    pens = boxes * pens_per_box\\n    # FA\\n    answer = pens\\n    return answer",\n'
    ' "logical_steps": [{"line_number": "L1", "question_inputs": ["boxes", "pens_per_box"], "WK_inputs": [],\n'
    '  "output_variable": "pens", "solution_line_template": "{boxes}*{pens_per_box} = {pens} pens"}]}'
)


@dialect("template", examples=(EXAMPLE,), reads_templates=True)
def template(source: ProgramSource, shape: ModuleShape) -> AnswerPlace | None:
    """Recognise `solve()`; a template whose function has another name is taken where it has just one."""
    if shape.functions.get("solve") == 0 or (source.template and "solve" in shape.functions):
        return AnswerPlace(function="solve", precedence=0)
    if source.template and len(shape.functions) == 1:
        return AnswerPlace(function=next(iter(shape.functions)), precedence=0)
    return None
