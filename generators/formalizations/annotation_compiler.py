"""The annotation compiler: an annotated solution becomes a template without a call to any model.

Lines such as `48/2 = <<48/2=24>>24 clips` become code and logical steps. Whatever cannot be compiled is refused
with a reason.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from generators.formalizations.derivation_steps import derivations
from generators.formalizations.operand_resolution import Scope, SolutionLine, operands_of
from generators.formalizations.solution_equations import LineEquation, line_equations
from generators.formalizations.template_writer import TemplateWriter, Variable, part_template, require_plain
from harness.answers.gold_answer import match_gold, read_gold
from harness.corpora.responses import Rejection
from harness.domain import Problem, Response
from harness.program.refusal import Refusal, RefusalReason
from harness.text.number_forms import format_value

MODEL = "annotation"
"""The name that stands for the compiler among models and formalizations: it needs neither a model nor a file."""
LONGEST_SOLUTION = 20_000
LONGEST_QUESTION = 20_000
MOST_NUMBERS = 200
"""The most numbers of a question that are compared with each other."""
MOST_LINES = 100
NOTHING_ANNOTATED = "no line of the solution has an annotation such as <<48/2=24>>"


def formalize_all(problems: Iterable[Problem]) -> Iterator[Response | Rejection]:
    """Formalize every problem; what the compiler refuses is a rejection with the reason."""
    for problem in problems:
        try:
            yield formalize(problem)
        except Refusal as refusal:
            yield Rejection(MODEL, problem.problem_id, MODEL, str(refusal))


def formalize(problem: Problem) -> Response:
    """Compile a problem's annotated solution to a template, as a model would have answered.

    Raises:
        Refusal: the solution has no annotations, several on a line, a malformed or a false one; the reason names the
            line.
    """
    return Response(problem.problem_id, MODEL, compile_template(problem), "template", made=True)


def compile_template(problem: Problem, *, annotated: bool = True) -> str:
    """Return the JSON of the template; errors as in `formalize`.

    Unless `annotated`, the true equations of the prose are enough, and any number of annotations may stand on a line.
    """
    if len(problem.solution) > LONGEST_SOLUTION or problem.solution.count("\n") >= MOST_LINES:
        raise Refusal(RefusalReason.TOO_LARGE, f"a solution of {len(problem.solution):,} characters")
    if len(problem.question) > LONGEST_QUESTION:
        raise Refusal(RefusalReason.TOO_LARGE, f"a question of {len(problem.question):,} characters")
    texts = problem.solution.split("\n")
    lines = [_checked_equations(text, number, annotated=annotated) for number, text in enumerate(texts, start=1)]
    writer = TemplateWriter()
    scope = Scope(problem.question, writer)
    if len(scope.mentions) > MOST_NUMBERS:
        raise Refusal(RefusalReason.TOO_LARGE, f"a question with {len(scope.mentions):,} numbers")
    derived = dict(derivations(texts, lines, scope, writer))
    if annotated and not derived and "<<" not in problem.solution:
        raise Refusal(RefusalReason.NO_ANNOTATION, NOTHING_ANNOTATED)
    later = Counter(value for line in lines for stated in line for value in stated.values)
    outputs: list[Variable] = []
    percent: set[str] = set()
    for number, (text, line) in enumerate(zip(texts, lines, strict=True), start=1):
        if number in derived:
            outputs += filter(None, [derived[number].write_line(number, text)])
        if number in derived or not line:
            continue
        worded, wording = SolutionLine(text, number), list[str]()
        for stated in line:
            later.subtract(stated.values)
            equation = stated.with_fractions(scope.is_fraction)
            operands = [scope.resolve(operand) for operand in operands_of(equation, worded, later)]
            code, value = writer.code_of(equation, operands), equation.value or 0
            # A line has one output: what its other equations compute stands where it is used.
            last = stated is line[-1]
            output = writer.assign(equation.result_name(), value, code) if last else Variable(f"({code})", value)
            if last:
                outputs.append(output)
            scope.add_result(output, worded)
            wording.append(part_template(equation, operands, output))
            if text[: equation.result[1]].endswith("%"):
                percent.add(output.name)
        writer.end(number, outputs[-1], "".join(wording))
    if not outputs:
        raise Refusal(RefusalReason.NO_ANNOTATION, NOTHING_ANNOTATED)
    return writer.json(_answer(problem, outputs, percent))


def _checked_equations(text: str, number: int, *, annotated: bool) -> list[LineEquation]:
    """Return the equations of a line; raises `Refusal` where it has several annotations or a malformed or false one, or no template can hold it."""
    opened = text.count("<<")
    if annotated and opened > 1 and opened == text.count(">>"):
        detail = f"{opened} annotations on one line; a line has one output"
        raise Refusal(RefusalReason.SEVERAL_ANNOTATIONS, detail, number)
    equations = line_equations(text, number)
    for equation in equations:
        require_plain(text, number)
        if equation.function is None:
            computed, detail = equation.left.value, "a division by zero"
            if computed is not None:
                code = equation.code([format_value(value) for value in equation.values])
                detail = f"{code} is {format_value(computed)}, not {text[slice(*equation.result)][:40]}"
            raise Refusal(RefusalReason.FALSE_ANNOTATION, detail, number)
    return equations


def _answer(problem: Problem, outputs: list[Variable], percent: set[str]) -> str:
    """Return the code of the answer: the last result that is the gold answer, else the last result.

    A result written as `50%` is a half; where the gold answer is 50, the answer is a hundred times the result.
    """
    gold = None if problem.gold is None else read_gold(problem.gold, problem.solution)
    if gold is not None and outputs[-1].value != gold.value:
        for output in reversed(outputs):
            if match_gold(output.value, gold).reached:
                return output.name
            if output.name in percent and output.value * 100 == gold.value:
                return f"{output.name} * 100"
    return outputs[-1].name
