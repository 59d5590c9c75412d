"""Laws of what a reader can still find once a number of a question is gone."""

from generators.flaws.solution.example_solutions import example_source
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.variant_source import VariantSubject
from tests.cases import cases


@cases("who", ["A machine", "The tap in the garden", "Each engine", "A river"])
@cases(
    ("time", "again"),
    [("hours a day", "days"), ("hours per day", "days"), ("days a week", "weeks"), ("hours each day", "days")],
)
def test_what_nobody_switches_off_goes_on_day_and_night(who: str, time: str, again: str) -> None:
    """Without its hours a day a machine has 24 of them; a person has not."""
    for someone, recoverable in ((who, True), ("Sue", False), ("She", False), ("Mr. Lee", False)):
        code = f"# L1\ntime = 6  # 6 {time}\nagain = 3  # 3 {again}\nwhole = time * again\n# L2\nrate = 4  # 4 toys\ntoys = whole * rate"
        text = f"{someone} makes 4 toys an hour for 6 {time}. How many toys are made in 3 {again}?"
        subject = VariantSubject(example_source(code, text))
        assert bool(recovery_reason(subject, subject.question.place_of["time"])) is recoverable, text
