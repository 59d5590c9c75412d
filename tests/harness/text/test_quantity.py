"""Laws of quantities: a text is read to its last character, or not at all, and what stands around a number does not change it."""

import time
from fractions import Fraction
from itertools import pairwise

from hypothesis import assume, given, strategies as st

from harness.answers.equality import equal_answers
from harness.text.quantity import read_quantity
from harness.text.units import factor
from tests.cases import cases, rows, texts

READ = {
    text: Fraction(value)
    for text, value in rows(r"""72 → 72 | 1,250 → 1250 | $18.50 → 37/2 | 25 percent → 25 | 2 and 1/4 meters → 9/4 | 2\frac{1}{4} → 9/4
$\dfrac{5}{8}$ → 5/8 | \frac34 → 3/4 | \boxed{8{,}500} → 8500 | 1\,500 → 1500 | 1'500 → 1500
1.2 million → 1200000 | 1.2e6 → 1200000 | 1.2 \times 10^{6} → 1200000 | Twelve apples. → 12 | half a dozen → 6
½ → 1/2 | -$5 → -5 | $-5 → -5 | −5 → -5 | 60 miles per hour → 60 | **72** → 72 | 72\text{ apples} → 72
1 apple → 1 | 5kg → 5 | 7 / 8 → 7/8 | x = 5 → 5 | 5\,\text{ cm}^2 → 5 | 5 km/h → 5 | 45 km per 1 hour → 45
45^\circ → 45 | -5 °C → -5 | \(5\) cm → 5 | 5$ → 5 | “5” → 5 | ٣ → 3 | 1.250,00 € → 1250
1.234.567,89 → 123456789/100 | EUR 12.00 → 12 | 12.00 USD → 12 | -USD 5 → -5 | 2 h 35 min → 155""")
}
UNREAD = (
    *(
        *texts("""5 feet 6 hours | 2 hours 75 minutes | 5.5 feet 6 inches | -5 feet 6 inches | 1 year 6 months
3 miles 2 km | 6 inches 5 feet | 5 feet 6 | 2:3 | 6:35 p.m. | 2 PM | 1 am | 3,5 | 1.250,000 | 1.250,00.5 | ABC 12
8 500 | 10 20"""),
    ),
    *(
        *texts(r"""6*7 = 42 | 8 and 4 | 45-54 | 3-1/2 | 1/0 | 1//2 | 5 or 6 | about 5 | x = 5, y = 6 | 1.2M | 5 K
\frac{1}{2}3 | \frac{1}{2}\frac{1}{3} | 05/03 | third | 45°30' | 5 km/h 3 | 45 km per 2 hours | 3ab | 3 x | ($60)
--5"""),
    ),
    *(r"\sqrt{49}", "7^2", "1.5.2", "5%%", "1e999", "9" * 60, "", "-", "apples", "2 tens", "100,", "0x1F", "$5 off 6"),
)


@cases("text", READ)
def test_a_whole_quantity_is_read(text: str) -> None:
    """Its exact value, whatever its notation."""
    quantity = read_quantity(text)
    assert quantity is not None
    assert quantity.value == READ[text]


@cases("text", UNREAD)
def test_what_is_not_read_to_its_end_is_not_read(text: str) -> None:
    """No value is that of a part of the text."""
    assert read_quantity(text) is None


NUMERALS = st.one_of(
    st.integers(0, 10**9).map(lambda number: (str(number), Fraction(number))),
    st.integers(1000, 10**9).map(lambda number: (f"{number:,}", Fraction(number))),
    st.decimals(0, 10**6, places=2).map(lambda number: (str(number), Fraction(number))),
    st.tuples(st.integers(1, 99), st.integers(2, 99)).map(lambda pair: (f"{pair[0]}/{pair[1]}", Fraction(*pair))),
    st.tuples(st.integers(1, 99), st.integers(2, 99)).map(lambda p: (rf"\frac{{{p[0]}}}{{{p[1]}}}", Fraction(*p))),
)
AROUND = (
    "{}",
    " {} ",
    *texts(r"""{}. | ${}$ | \({}\) | \boxed{{{}}} | **{}** | {} apples | {} square feet | \text{{{}}}"""),
)


@given(NUMERALS, st.sampled_from(AROUND), st.sampled_from(AROUND), st.booleans())
def test_what_stands_around_a_number_does_not_change_it(
    numeral: tuple[str, Fraction], inner: str, outer: str, negative: bool
) -> None:
    """Marks of mathematics, boxes, emphasis, units and a sign leave the value that was written."""
    text, value = numeral
    assume("{} " not in inner or "{} " not in outer)
    assume(not (inner.startswith("**") and outer.startswith("**")) and "{}." not in inner)
    quantity = read_quantity(outer.format(inner.format(f"-{text}" if negative else text)))
    assert quantity is None or quantity.value == (-value if negative else value)
    assert quantity is not None or (" " in inner.strip() and outer != "{}") or (" " in outer.strip() and inner != "{}")


@given(
    st.sampled_from(["week day hour minute second", "yard foot inch", "pound ounce", "dollar cent", "kg g", "km m cm"]),
    st.data(),
)
def test_an_amount_of_several_units_is_one_of_the_last(units: str, data: st.DataObject) -> None:
    """Whatever the units, how many of them and what joins them, the amount is the sum in the last unit, and no other number is equal to it."""
    names = units.split()
    first = data.draw(st.integers(0, len(names) - 2))
    last = data.draw(st.integers(first + 1, len(names) - 1))
    names = names[first : last + 1]
    counts = [data.draw(st.integers(1, 30))]
    counts += [data.draw(st.integers(0, factor(small, large) - 1)) for large, small in pairwise(names)]
    total = (
        sum(count * factor(names[-1], name) for count, name in zip(counts[:-1], names[:-1], strict=True)) + counts[-1]
    )
    parts = [f"{count} {name}" for count, name in zip(counts, names, strict=True)]
    text = data.draw(st.sampled_from([" ", ", ", " and "])).join(parts)
    quantity = read_quantity(text)
    assert quantity is not None
    assert quantity.value == total
    assert equal_answers(text, f"{total} {names[-1]}") is True
    assert equal_answers(text, f"{total + 1} {names[-1]}") is False


@given(NUMERALS, st.text(min_size=1, max_size=12), st.booleans())
def test_a_number_with_any_text_is_that_number_or_unread(
    numeral: tuple[str, Fraction], more: str, before: bool
) -> None:
    """A text that is read has no other digit than those of its number, whatever is added before or after."""
    text, value = numeral
    quantity = read_quantity(f"{more} {text}" if before else f"{text} {more}")
    assume(not any(character.isdigit() or character.isnumeric() for character in more))
    assert quantity is None or abs(quantity.value) in {value, value * 12, value / 100} or quantity.count == value


@cases("text", [r"\frac" * 40, "$" * 199, "{" * 199, "1," * 99, "**" * 90, "half " * 39, "-" * 200, "1 000 " * 33])
def test_hostile_text_takes_no_time(text: str) -> None:
    """Two hundred characters of anything take less than a tenth of a second."""
    start = time.process_time()
    read_quantity(text)
    assert time.process_time() - start < 0.5
