"""Tests of the line reader: the equations of lines that people wrote are complete and judged correctly."""

from harness.equations.equation import Expression, Negative, Number, ParenthesizedExpression
from harness.equations.line_reader import LONGEST_LINE, MOST_EQUATIONS, read_line
from tests.cases import cases, rows, texts


def spelled(expression: Expression) -> str:
    """Write a tree with a parenthesis around each operation."""
    if isinstance(expression, Number):
        return str(expression.value)
    if isinstance(expression, ParenthesizedExpression):
        return spelled(expression.inner)
    if isinstance(expression, Negative):
        return f"-{spelled(expression.inner)}"
    return f"({spelled(expression.left)}{expression.operator}{spelled(expression.right)})"


def stated(line: str) -> list[str]:
    """Return the equations of a line, each as `left=right truth`."""
    return [
        f"{spelled(equation.left)}={spelled(equation.right)} {equation.truth}" for equation in read_line(line).equations
    ]


LINES = [
    # Annotations and the prose around them
    *rows("""He has 10 + 10 = <<10+10=20>>20 clips. → (10+10)=20 true; (10+10)=20 true
They cost 5*4=$<<5*4=20>>20. → (5*4)=20 true; (5*4)=20 true | He has 5*4 = <<5*4=20>20 clips → (5*4)=20 true
They cost 5*4 =$<<5*4=20>>21. → (5*4)=21 false; (5*4)=20 true | He has <<10+10=20>>20 clips. → (10+10)=20 true
He has 5*4 = <<5*4=20>> clips. → (5*4)=20 true | It is <<20=20>>20. → 20=20 true
<<5+3=8=8>> → (5+3)=8 true; 8=8 true"""),
    # Units, money, words between
    *rows("""36 glasses * $0.75/glass = $27 → (36*3/4)=27 true
4 boxes of red pens x 6 pens per box = 24 pens → (4*6)=24 true
12 inches x the length of 36 inches x the width of 9 inches = 3,888 → ((12*36)*9)=3888 true
$1,250.50 + $.50 = $1,251 → (2501/2+1/2)=1251 true | She earns $5 / hour * 3 hours = $15 → (5*3)=15 true
60 miles / 2 hours = 30 miles/hour → (60/2)=30 true | for a total of 3+2+5 = 11 pencils → ((3+2)+5)=11 false
19 green and pink hats + 24 yellow hats = 43 hats → (19+24)=43 true
In 2 weeks he ate 3 boys' lunches: 14 - 3 = 10. → (14-3)=10 false"""),
    # Signs as people write them
    *rows(r"""3 × 4 = 12, 12 ÷ 4 = 3 and 12 – 4 = 8 → (3*4)=12 true; (12/4)=3 true; (12-4)=8 true
3 x 4 = 12, 5x2=10 and 6 X 2 = 13 → (3*4)=12 true; (5*2)=10 true; (6*2)=13 false
2·3 = 6; 2 ⋅ 3 = 7 → (2*3)=6 true; (2*3)=7 false
3 times 4 equals 12, 12 divided by 4 equals 4 → (3*4)=12 true; (12/4)=4 false
12 plus 5 minus 3 = 14 → ((12+5)-3)=14 true | 2(3+4) = 14 and 3(4) = 11 → (2*(3+4))=14 true; (3*4)=11 false
2^3 = 8, 2 ** 3 = 9 → (2**3)=8 true; (2**3)=9 false | sqrt(16) + √9 = 7 → (4+3)=7 true
[3 + (4 - 1)] * 2 = 12 → ((3+(4-1))*2)=12 true | 10 - -4 = 14 → (10--4)=14 true | 7 // 2 = 3 → (7//2)=3 true
\[ \frac{3}{4} \times 8 = 6 \text{ apples} \] → ((3/4)*8)=6 true
\( 2^{3} \cdot \$5 \approx 40 \) → ((2**3)*5)=40 true | **5 + 6 = 11** → (5+6)=11 true
* **Total:** 5 * 6 = **31** → (5*6)=31 false | - 5 + 6 = 11 → (5+6)=11 true | 1. 5 + 6 = 11 → (5+6)=11 true
2) 5 + 6 = 11 → (5+6)=11 true"""),
    # Fractions, percentages
    *rows(r"""20/4 = 5 and 1/5 = 0.3 → (20/4)=5 true; (1/5)=3/10 false | \frac{7}{4} = 1\frac{3}{4} → (7/4)=7/4 true
6*250 = 1{,}500 = 1\,500 = 1'501 → (6*250)=1500 true; 1500=1500 true; 1500=1501 false
1/2 dozen + 6 = 12 → ((1/2)+6)=12 true | 2 1/2 * 4 = 10 and ½ * 8 = 4 → (5/2*4)=10 true; (1/2*8)=4 true
1/2 of 40 = 20 and 3/4 of the 40 = 31 → ((1/2)*40)=20 true; ((3/4)*40)=31 false
half of 40 = 20 → (1/2*40)=20 true | 20% of 50 is 10 and 25 % of 80 is 21. → (1/5*50)=10 true; (1/4*80)=21 false
10 / 1/2 = 20 → ((10/1)/2)=20 unknown"""),
    # Chains and run-ons
    *rows("""x = 15/3 = 5 → (15/3)=5 true | Total = 5 + 6 = 4 + 7 = 11 → (5+6)=(4+7) true; (4+7)=11 true
4 * 6 = 24 hours * 60 = 1440 → (4*6)=24 true; (24*60)=1440 true
4 * 6 = 25 hours * 60 = 1500 → (4*6)=(25*60) false; (25*60)=1500 true
12 + 8 = 20 apples, and 20 / 2 = 10 → (12+8)=20 true; (20/2)=10 true
12 + 8 = 20 apples and 20 / 2 = 11 → (12+8)=20 true; (20/2)=11 false | (5 + 6 = 11) → (5+6)=11 true
He has 20 (5 + 15 = 20) left. → (5+15)=20 true | so 5 x 3 is 15 → (5*3)=15 true
so 5 x 3 is 14 → (5*3)=14 false"""),
]


@cases(("line", "equations"), LINES)
def test_a_line_states(line: str, equations: str) -> None:
    """These equations, in order, with these trees and these truths."""
    assert stated(line) == equations.split("; ")


UNREAD = [
    *rows("""Let x = 5 → a name | The total cost = 5 + 6 → a name | 5x = 10 → an unknown letter
2x + 5 = 17 → an unknown letter | 2m + 55 = 215 → a letter that may be a unit
6W / 6 = 30 feet / 6 → an unknown letter | 13x-5=11 → an unknown letter | (2*x)-3=15 → an unknown letter
38 = 32 + x → an unknown letter | the money + 5 = 10 → two signs | 9 apples = the rest → words
1/4 = 15 apples → a share and what it is of | 25% = 15 apples → a share and what it is of
1 bag = 5 pounds → a definition | On day 2 = 5 + 6 → words | 8:25 - 8:00 = 25 → a ratio or a time
3:4 = 6:8 → a ratio or a time | <<5*4=20 → a malformed annotation | <<5*4>>20 → a malformed annotation
<<x=20>>20 → a malformed annotation | 84>>84 → a malformed annotation | (1) + (2) = 84 → a remark or a factor
$50 - 20% ($10) = $40 → a remark or a factor | 49 - 6 = 3ab → a letter that may be a unit
12 min 30 s × 2 = 25 min → a quantity in two parts | 11 am + 3 hours = 2 pm → a ratio or a time
1/8 + 1/16 = 0.0011_2 → a ratio or a time"""),
    ("1 + 1 = 2 " * 500, "too long"),
]


@cases(("line", "reason"), UNREAD)
def test_what_is_no_equation_is_counted_with_its_reason(line: str, reason: str) -> None:
    """A text that is no equation is never guessed at, and never called false."""
    reading = read_line(line)
    assert ([unread_equation.reason for unread_equation in reading.unread], reading.equations) == ([reason], ())


@cases(
    "line",
    [
        "",
        *texts("""= | He works 9-5 and is 12 years old at 3:30 on 12/25. | There are 3 apples and 4 pears.
The 2 cats are 5 years old | 3 * 4 >= 12 | 5 + 3 <= 9 | 2 + 2 != 5 | 1 + 1 => 3 | 20% of the cats are 5 years old
12 minus the rest is 4 | 5 + 6: 12 | 3 + 4 is 5 more than 2"""),
    ],
)
def test_what_claims_nothing_is_left_alone(line: str) -> None:
    """A line that claims nothing has neither an equation nor an unread place."""
    assert read_line(line).equations == ()


def test_at_most_sixty_four_equations_are_read() -> None:
    """The rest is counted as one place that is not read."""
    line = "1+1=2, " * (MOST_EQUATIONS + 1)
    reading = read_line(line)
    assert len(line) < LONGEST_LINE
    assert len(reading.equations) == MOST_EQUATIONS
    assert [unread_equation.reason for unread_equation in reading.unread] == ["too many"]
