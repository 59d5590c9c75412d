"""Tests of the rules that resolve a number of a line to an operand, with one example for each rule."""

from tests.cases import cases
from tests.generators.formalizations.compiled import compiled

# The question, the solution, what each result is computed from, and what the code says of the inputs in question.
RULES: dict[str, tuple[str, str, list[str], dict[str, str]]] = {
    "a result comes before a number of the question": (
        "6 bags of 2 and 12 boxes?",
        "6*2 = <<6*2=12>>12 things\nThen 12*3 = <<12*3=36>>36",
        ["bags_boxes * boxes", "things * constant"],
        {"constant": "3 # WK"},
    ),
    "the noun after a number tells it from an unused result": (
        "A box of 12 eggs; 6 hens lay 2 each?",
        "Hens lay <<6*2=12>>12 a day.\n12 eggs cost <<12*3=36>>36.\nIn all <<12*5=60>>60",
        ["hens_lay * eggs_hens_lay", "eggs * eggs_cost", "day * constant"],
        {"eggs": "12 # A box of 12 eggs"},
    ),
    "a result that no later line can use is used now": (
        "A box of 12 eggs; 6 hens lay 2 each?",
        "<<6*2=12>>12\nThey cost <<12*3=36>>36.",
        ["hens_lay * eggs_hens_lay", "result_1 * cost"],
        {},
    ),
    "a result that a later line can use may wait": (
        "A box of 12 eggs; 6 hens lay 2 each?",
        "<<6*2=12>>12\nThey cost <<12*3=36>>36.\n<<12*5=60>>60",
        ["hens_lay * eggs_hens_lay", "eggs * cost", "result_1 * constant"],
        {"eggs": "12 # A box of 12 eggs"},
    ),
    "the noun after a number tells which of two equal ones": (
        "5 apples, 8 pears and 5 plums are sold for 2 dollars.",
        "5 plums cost <<5*2=10>>10 dollars.\n5 apples cost <<5*2=10>>10",
        ["plums_sold * dollars", "apples * dollars"],
        {"plums_sold": "5 # 8 pears and 5 plums are sold for 2", "apples": "5 # 5 apples, 8 pears and 5"},
    ),
    "nobody adds the 2 of a half": (
        "Half of it went to a club, and $2 to a shop. $55 are left.",
        "55 + 2 = <<55+2=57>>57\nIn all 57 * 2 = <<57*2=114>>114",
        ["left + shop", "result_1 * went_club"],
        {"shop": "2 # club, and $ 2 to a shop"},
    ),
    "a line that makes hundredths means the percentage": (
        "25 pupils, 25% of them left-handed, 40 desks",
        "25% of 40 is <<25*.01*40=10>>10 desks",
        ["left_handed * constant * desks"],
        {"left_handed": "25 # 25 pupils, 25% of them left-handed, 40 desks", "constant": "0.01 # WK"},
    ),
    "60 seconds are those of the question where it says so": (
        "60 seconds a round, 5 minutes",
        "5*60 seconds = <<5*60=300>>300",
        ["minutes * seconds_round"],
        {"seconds_round": "60 # 60 seconds a round, 5 minutes"},
    ),
    "a fraction of the question is one input": (
        "3/4 of 60 apples",
        "60*3/4 = <<60*3/4=45>>45",
        ["apples * apples_2"],
        {"apples_2": "0.75 # 3/4 of 60 apples"},
    ),
    "a division that nobody states is a division": (
        "3 cakes for 4 boys at 60 dollars",
        "60*3/4 = <<60*3/4=45>>45",
        ["dollars * cakes_boys / boys_dollars"],
        {},
    ),
    "of two equal numbers the one beside the other operand": (
        "4 boxes of 3 pens and 4 bags of 7 cups",
        "They hold <<4*3=12>>12\nThey hold <<4*7=28>>28",
        ["boxes_pens * pens_bags", "bags_cups * cups"],
        {"boxes_pens": "4 # 4 boxes of 3 pens and", "bags_cups": "4 # 3 pens and 4 bags of 7 cups"},
    ),
    "an equation in prose is the output of a line without annotation": (
        "3 boxes of 4 pens. 2 lost",
        "He has 3*4 = 12 pens.\nLeft are 12-2 = <<12-2=10>>10",
        ["boxes_pens * pens", "pens_2 - lost"],
        {},
    ),
    "an equation in prose before an annotation stands where it is used": (
        "3 boxes of 4 pens. 2 lost",
        "3 * 4 = 12 pens. Left are <<12-2=10>>10",
        ["boxes_pens * pens - lost"],
        {},
    ),
    "an annotation that computes nothing takes the equation before it": (
        "1 hour",
        "1 * 60 = <<60=60>>60 minutes",
        ["hour * constant"],
        {"constant": "60 # WK"},
    ),
    "a result may be rounded to what is stated": (
        "100 in 3",
        "<<100/3=33.33>>33.33",
        ["round(number / number_2, 2)"],
        {},
    ),
    "a result may be rounded up": ("7 in 2", "<<7/2=4>>4", ["ceil(number / number_2)"], {}),
}


@cases("rule", RULES)
def test_an_operand_is_resolved(rule: str) -> None:
    """The rule in the test's name decides; what is compiled gives back the solution."""
    question, solution, expressions, inputs = RULES[rule]
    found = compiled(question, solution)
    assert (found.expressions, {**found.inputs, **inputs}, found.text.faithful) == (expressions, found.inputs, True)


# The solution, its gold answer, the code of the answer and its value.
ANSWERS = [
    ("<<3*4=12>>12\n<<6*2=12>>12\n<<12/5=2.4>>2.4", "12", "result_2", "12"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", "2.4", "result_2", "12/5"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", "12", "result_1", "12"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", "99", "result_2", "12/5"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", "nobody knows", "result_2", "12/5"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", None, "result_2", "12/5"),
    ("<<1/2=50%>>50%", "50", "result_1 * 100", "50"),
    ("<<1/2=50%>>50%", "50%", "result_1", "1/2"),
    ("<<1/2=50%>>50%", "0.5", "result_1", "1/2"),
    ("<<1/2=.5>>.5", "50", "result_1", "1/2"),
    ("<<100/3=33.333>>33.333", "33.33", "result_1", "33333/1000"),
]


@cases(("solution", "gold", "code", "value"), ANSWERS)
def test_the_answer_is_the_last_result_that_reaches_gold(
    solution: str, gold: str | None, code: str, value: str
) -> None:
    """Else the last result; a percentage is given in hundredths where gold counts them."""
    answer = compiled("3, 4 and 5", solution, gold).trace.answer
    assert (answer.code, str(answer.value)) == (code, value)
