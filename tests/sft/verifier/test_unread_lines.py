"""A line that states arithmetic is read, or it is listed as unread and the verdict is not Correct with confidence."""

import html
import operator

from hypothesis import example, given, strategies as st

from harness.text.markup import without_markup
from harness.text.tokens import is_relation
from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import read_item
from sft.verifier.engine_registry import judge, open_engine
from sft.verifier.guarded_engine import UNREAD_CONFIDENCE
from sft.verifier.unread_lines import has_unread_relation
from tests.cases import cases, rows, texts

SYMBOLIC = open_engine("symbolic")
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul}
RELATIONS = [character for character in map(chr, range(0xA0, 0x20000)) if is_relation(character)]
NUMBERS = st.tuples(st.integers(21, 90), st.sampled_from("+-*"), st.integers(2, 20))
OFF = st.integers(1, 9)
READ_MARKUP = (
    *texts(r"""<b>{a}</b> {op} <i>{b}</i> = <span class='n'>{c}</span> | {a}{op}{b}<b>=</b>{c}
{a} {op} {b} &equals; <code>{c}</code> | {a}&nbsp;{op}&nbsp;{b}&#32;&#x3d;&#32;{c}
$$\left({a} {op} {b}\right) = \boxed{{{c}}}$$ | \begin{{aligned}} {a} {op} {b} &= {c} \end{{aligned}}
{a} {op} {b} ⁼ {c} | `{a} {op} {b}` = **{c}**
So &lt;&lt;{a}{op}{b}={c}&gt;&gt;{c} are left."""),
    "| ---: | {a} {op} {b} = {c} |",
)
"""Markup in which an equation is read as it is without."""
OTHER_RELATIONS = (
    *texts(r"""{a} {op} {b} ≡ {c} | {a} {op} {b} => {c} | {a} {op} {b} -> {c} | so {a} {op} {b} → {c}.
{a} {op} {b} := {c} | {a} {op} {b} \Rightarrow {c} | {a} {op} {b} \equiv {c}"""),
    "| {a} | {op} | {b} | = | {c} |",
    "{a} {op} {b} <!-- so --> = {c}",
    "<table><tr><td>{a}</td><td>{op}</td><td>{b}</td><td>=</td><td>{c}</td></tr></table>",
    "<math><mn>{a}</mn><mo>{op}</mo><mn>{b}</mn><mo>=</mo><mn>{c}</mn></math>",
    "<math><mn>{a}</mn><mo>{op}</mo><mn>{b}</mn><mo>=</mo><msup><mn>{c}</mn><mn>1</mn></msup></math>",
    "{a} {op}\n{b} = {c}",
    "{a} {op} {b}\n= {c}",
    "{a} {op} {b} =\n{c}",
)
"""Other relations and notations: read or listed."""


def _judged(text: str) -> Judgement:
    (judged,) = judge(SYMBOLIC, [read_item("How many rolls are left?", text)])
    return judged


def _passed(judged: Judgement) -> bool:
    """Tell whether a solution is called correct as if all of it had been read."""
    return not judged.flawed and not judged.error and (judged.confidence > UNREAD_CONFIDENCE or not judged.unread)


def _written(form: str, numbers: tuple[int, str, int], off: int) -> str:
    a, sign, b = numbers
    return form.format(a=a, b=b, c=OPERATORS[sign](a, b) + off, op=sign)


@given(st.sampled_from(READ_MARKUP), NUMBERS, OFF)
@example("<b>{a}</b> {op} <i>{b}</i> = <span class='n'>{c}</span>", (21, "-", 11), 1)
def test_an_equation_in_markup_is_read(form: str, numbers: tuple[int, str, int], off: int) -> None:
    """True, it is not doubted; false, it is the error of its line."""
    true, false = _judged(_written(form, numbers, 0)), _judged(f"She counts.\n{_written(form, numbers, off)}")
    assert (true.flawed, true.unread) == (False, ())
    assert (false.flawed, false.line) == (True, "L2")


@given(st.sampled_from(OTHER_RELATIONS), NUMBERS, OFF)
def test_another_relation_is_read_or_listed(form: str, numbers: tuple[int, str, int], off: int) -> None:
    """True, it accuses nobody; false, it is no confident Correct."""
    assert not _judged(_written(form, numbers, 0)).flawed
    assert not _passed(_judged(_written(form, numbers, off)))


@given(NUMBERS, OFF, st.sampled_from(RELATIONS))
def test_a_relation_of_any_script_is_seen(numbers: tuple[int, str, int], off: int, sign: str) -> None:
    """Each character that Unicode names a relation is read or listed."""
    assert not _passed(_judged(_written(f"{{a}} {{op}} {{b}} {sign} {{c}}", numbers, off)))


@cases(
    "true, false",
    rows(r"""5!=120 → 5!=121 | 1.000+1=1001 → 1.000+1=1005 | 1.000.000+1=1000001 → 1.000.000+1=5 | 1e3+1=1001 → 1e3+1=12
1.5×10^3 = 1500 → 1.5×10^3 = 1600 | 2⁻¹ = 0.5 → 2⁻¹ = 2 | \log_{2} 8 = 3 → \log_2 8 = 4
\sin 30 = 0.5 → \sin 30 = 1 | \sqrt[3]{8} = 2 → \sqrt[3]{8} = 3 | |3 - 8| = 5 → |3 - 8| = 4
7 mod 2 = 1 → 7 mod 2 = 3 | {72 \over 6} = 12 → {72 \over 6} = 13 | 50٪ × 72 = 36 → 50٪ × 72 = 30
3-1/2 + 1 = 4.5 → 3-1/2 + 1 = 4 | ⅞ + ⅛ = 1 → ⅞ + ⅛ = 2 | Ⅵ*Ⅻ=72 → Ⅵ*Ⅻ=70 | 0x10+1=17 → 0x10+1=12
0.\overline{3} * 3 = 1 → 0.\overline{3} * 3 = 2 | \sum_{i=1}^{3} i = 6 → \sum_{i=1}^{3} i = 7
1 + 2 + ... + 5 = 15 → 1 + 2 + ... + 5 = 16 | 72 — 50 = 22 → 72 — 50 = 12
€1.200,50 + €0,50 = €1.201 → €1.200,50 + €0,50 = €1.301 | 125 > 96 → 96 > 125 | 72 - 50 ≠ 12 → 72 - 50 ≠ 22
300 cm + 58 cm = 358 cm = 3.58 m → 300 cm + 58 cm = 358 cm = 3.61 m | 7 / 3 = 2 r1 → 7 / 3 = 2 r2
2 : 3 = 4 : 6 → 2 : 3 = 4 : 7 | f(3) = 10 → f(3) = 11 | FINAL ANSWER: 72 - 50 = 22 → FINAL ANSWER: 72 - 50 = 12"""),
)
def test_a_notation_that_is_not_read_accuses_nobody(true: str, false: str) -> None:
    """What is right in its notation is not accused; what is wrong in it is no confident Correct."""
    assert not _judged(true).flawed
    assert not _passed(_judged(false))


@cases(
    "line",
    texts("""She has 5 apples and 3 pears. | Let x = 5 be the 3 pears. | The total = 7, as 3 + 4 = 7.
In 5 days he walks ~3 miles. | 5 * 3 is the 15 apples of 2 trees, and 20% of them are ripe.
3 + 4 = 7 => 7 * 2 = 14 → 14 - 1 = 13 | Half of the 8 pens are his: 8 / 2 = 4."""),
)
def test_what_is_read_or_states_nothing_is_not_listed(line: str) -> None:
    """Counts, names, approximations and true statements are not listed."""
    assert not has_unread_relation(line)


@cases(
    ("text", "shown"),
    [
        ("<p>3 + 4 = 7</p>\n<div>7</div><br/>", "3 + 4 = 7\n7"),
        ("<p>3 + 4 = 7</p><p>7 - 1 = 6</p>\n6", "3 + 4 = 7; 7 - 1 = 6\n6"),
        ("<p>3 + 4 = 7</p><p>7 - 1 = 6</p>", "3 + 4 = 7\n7 - 1 = 6\n"),
        ("a<b and b>c, <<3+4=7>>7", "a<b and b>c, <<3+4=7>>7"),
    ],
)
def test_tags_break_lines_where_no_line_changes_its_number(text: str, shown: str) -> None:
    """Within a text of several lines a block is set apart by a semicolon, in a text of one line by a line break."""
    assert without_markup(text) == shown


@given(st.text(st.characters(max_codepoint=0x2FFF), max_size=200))
def test_entities_are_what_they_stand_for(text: str) -> None:
    """A text whose characters are all escaped is read as itself, and no line break is lost."""
    escaped = "".join(f"&#{ord(character)};" if character.isprintable() else character for character in text)
    assert without_markup(escaped) == without_markup(html.escape(text))
    assert without_markup(text).count("\n") >= text.count("\n")
