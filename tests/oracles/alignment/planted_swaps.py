"""Random pairs of formalizations with two inputs of equal value, whose roles one side exchanges, or not.

A pair tells in names of two styles what two authors may call the same two quantities; comments, order and the formula are
drawn. `swapped` pairs have the roles of the two quantities exchanged in one formula, and are inequivalent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.domain import Response

if TYPE_CHECKING:
    from collections.abc import Iterator

Twin = tuple[str, str]

# Two quantities, by the names that authors give them.
QUANTITIES: tuple[tuple[Twin, ...], ...] = (
    (("hours_saturday", "hours_sunday"), ("saturday_hours", "sunday_hours"), ("sat", "sun"), ("hrs_sat", "hrs_sun")),
    (("pages_monday", "pages_tuesday"), ("mon", "tue"), ("read_on_monday", "read_on_tuesday"), ("pgsMon", "pgsTue")),
    (("week_1_pay", "week_2_pay"), ("first_week_pay", "second_week_pay"), ("pay_week1", "pay_week2"), ("w1", "w2")),
    (("adult_ticket_price", "child_ticket_price"), ("adult_cost", "kid_cost"), ("price_adult", "price_child")),
    (("red_marbles", "blue_marbles"), ("num_red", "num_blue"), ("red", "blue"), ("marbles_red", "marbles_blue")),
    (("alice_apples", "bob_apples"), ("apples_of_alice", "apples_of_bob"), ("alice", "bob"), ("a", "b")),
    (
        ("morning_cups", "evening_cups"),
        ("cups_in_morning", "cups_in_evening"),
        ("morn", "eve"),
        ("cups_morn", "cups_eve"),
    ),
    (("boys", "girls"), ("number_of_boys", "number_of_girls"), ("boy_count", "girl_count"), ("n_boys", "n_girls")),
    (("small_boxes", "large_boxes"), ("little_boxes", "big_boxes"), ("boxes_small", "boxes_large"), ("small", "large")),
    (("cats", "dogs"), ("num_cats", "num_dogs"), ("cat_count", "dog_count"), ("total_cats", "total_dogs")),
    (
        ("shirt_price", "pants_price"),
        ("cost_per_shirt", "cost_of_pants"),
        ("shirt", "pants"),
        ("price_shirt", "price_pants"),
    ),
    (
        ("first_bag_weight", "second_bag_weight"),
        ("bag1_kg", "bag2_kg"),
        ("weight_bag_1", "weight_bag_2"),
        ("bag1", "bag2"),
    ),
    (("days_per_trip", "trips_per_year"), ("trip_days", "yearly_trips"), ("trip_length_days", "trips_each_year")),
    (("mother_age", "father_age"), ("mom_age", "dad_age"), ("age_of_mother", "age_of_father"), ("mom", "dad")),
    (("rows_of_corn", "rows_of_beans"), ("corn_rows", "bean_rows"), ("corn", "beans"), ("n_corn_rows", "n_bean_rows")),
    (
        ("bus_miles", "train_miles"),
        ("miles_by_bus", "miles_by_train"),
        ("distance_bus", "distance_train"),
        ("bus", "train"),
    ),
    (("quarters", "dimes"), ("num_quarters", "num_dimes"), ("quarter_count", "dime_count"), ("qtrs", "dms")),
    (("pies_baked", "pies_bought"), ("baked_pies", "bought_pies"), ("baked", "bought"), ("num_baked", "num_bought")),
    (("january_rain", "march_rain"), ("rain_jan", "rain_mar"), ("jan", "mar"), ("rain_in_january", "rain_in_march")),
    (("width", "height"), ("wall_width", "wall_height"), ("w", "h"), ("width_m", "height_m")),
    (("minutes_per_lap", "laps_per_day"), ("lap_minutes", "daily_laps"), ("time_per_lap", "number_of_laps_each_day")),
    (("pens_per_pack", "packs"), ("pack_size_pens", "num_packs"), ("pens_in_each_pack", "number_of_packs")),
    (("old_rate", "new_rate"), ("rate_before", "rate_after"), ("old", "new"), ("previous_rate", "new_rate_per_hour")),
    (("x", "y"), ("p", "q"), ("first", "second"), ("amount1", "amount2")),
)
COMMENTS = ("the problem says {words}", "{words}", "{value} {words}", "given: {words}")
# In the two quantities, asymmetric for all others.
FORMULAS = (
    "{a} * 3 + {b} * 5",
    "{a} * rate + {b}",
    "({a} + extra) * rate + {b} * 2",
    "rate * {a} - {b}",
    "{a} * {a} + extra * {b}",
    "(rate * {a} + extra) / {b}",
    "{a} + extra - {b} + rate",
    "{a} // 2 + {b} * rate",
    "max({a} * rate, {b}) + extra",
    "({a} + 1) * rate * {b}",
)


@dataclass(frozen=True, slots=True)
class PlantedSwap:
    """Two formalizations of one formula; `swapped` says whether the right one exchanges the two quantities in it."""

    left: Response
    right: Response
    swapped: bool


def planted_swaps(seed: int, count: int, *, swapped: bool) -> Iterator[PlantedSwap]:
    """Yield pairs, the same ones but for the exchange with `swapped` and without."""
    for number in range(count):
        random = Random(f"{seed}:swap:{number}")  # reproducible, not secret
        styles = random.choice(QUANTITIES)
        names = random.choice(styles), random.choice(styles)
        value = Fraction(random.choice((2, 3, 4, 5, 6, 8, 10, 12, 20, 30)))
        rate, extra = random.sample([other for other in (7, 9, 11, 13, 15, 50) if other != value], 2)
        formula = random.choice(FORMULAS)
        orders = random.random() < 0.2, random.random() < 0.2
        commented = random.random() < 0.5, random.random() < 0.5
        sides = []
        for side in (0, 1):
            twin = names[side]
            roles = twin[::-1] if swapped and side else twin
            inputs = [
                _input(name, word, value, random, comment=commented[side])
                for name, word in zip(twin, styles[0], strict=True)
            ]
            inputs = inputs[::-1] if orders[side] else inputs
            inputs += [f"    rate: int = {rate},", f"    extra: int = {extra},"]
            body = formula.format(a=roles[0], b=roles[1])
            code = "\n".join(["def solve(", *inputs, "):", f"    return {body}", ""])
            sides.append(Response(f"swap-{number}", ("left", "right")[side], code))
        yield PlantedSwap(sides[0], sides[1], swapped)


def _input(name: str, meaning: str, value: Fraction, random: Random, *, comment: bool) -> str:
    """Return the line of a parameter; a comment says in words what the quantity is."""
    kind, literal = random.choice((("int", str(value)), ("int", str(value)), ("float", f"{value}.0")))
    words = random.choice(COMMENTS).format(words=meaning.replace("_", " "), value=value)
    return f"    {name}: {kind} = {literal},{f'  # {words}' if comment else ''}"
