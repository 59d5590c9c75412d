"""Formulas of geometric shapes that people confuse, such as area and perimeter."""

from __future__ import annotations

from generators.flaws.knowledge.formula_patterns import Formula

_LENGTH = (
    r"^(?!(?:num|number|n)\b)(?!.*\b(?:area|costs?|prices?|per)\b)"
    r".*\b(?:length|width|height|side|sides|wide|long|tall|high|depth|deep|feet|foot|inch\w*|yards?|meters?|cm|ft)\b"
)
_AREA = r"\b(?:area|square|sq|acres?)\b"
_AROUND = r"\b(?:perimeter|fenc\w+|around|border|edges?|trim|frame)\b"

SHAPES = (
    Formula(
        "area as perimeter",
        right=("l * w",),
        wrong=("2 * (l + w)",),
        should="an area is a length times a width",
        did="the sides are added up as for a perimeter",
        about=_AREA,
        roles={"l": _LENGTH, "w": _LENGTH},
        weight=0.4,
    ),
    Formula(
        "rectangle as triangle",
        right=("l * w",),
        wrong=("l * w / 2",),
        should="a rectangle has the area of its length times its width",
        did="the product of the sides is halved, as it would be for a triangle",
        about=_AREA,
        unlike="triang",
        roles={"l": _LENGTH, "w": _LENGTH},
    ),
    Formula(
        "perimeter as area",
        right=("2 * (l + w)", "2 * l + 2 * w", "l + w + l + w", "l + l + w + w"),
        wrong=("l * w",),
        should="a perimeter is the sum of all sides",
        did="the sides are multiplied as for an area",
        about=_AROUND,
        steps=True,
        weight=0.4,
    ),
    Formula(
        "perimeter of a square as area",
        right=("k * s",),
        wrong=("s * s",),
        should="a square has four sides of the same length, and its perimeter is their sum",
        did="the side is multiplied by itself as for an area",
        about=_AROUND,
        roles={"k": r"\b(?:sides|four)\b", "s": _LENGTH},
        weight=0.4,
    ),
    Formula(
        "area of a square as perimeter",
        right=("s * s",),
        wrong=("4 * s",),
        should="the area of a square is its side times itself",
        did="the four sides are added up as for a perimeter",
        about=_AREA,
        weight=0.4,
    ),
    Formula(
        "volume of a cube as surface",
        right=("s * s * s",),
        wrong=("6 * s * s", "3 * s"),
        should="the volume of a cube is its side times itself and times itself again",
        did="the side is not simply taken as a factor three times",
        about=r"\b(?:volume|cubic|cubes?)\b",
    ),
    Formula(
        "volume as surface",
        right=("l * w * h",),
        wrong=("2 * (l * w + l * h + w * h)", "l + w + h"),
        should="a volume is length times width times height",
        did="the three measures are not simply multiplied",
        about=r"\b(?:volume|cubic|cubes?)\b",
        roles={"l": _LENGTH, "w": _LENGTH, "h": _LENGTH},
        steps=True,
    ),
    Formula(
        "area of a circle as circumference",
        right=("p * r * r",),
        wrong=("2 * p * r",),
        should="the area of a circle is pi times the radius squared",
        did="the circumference is worked out in place of the area",
        roles={"p": r"^pi\b", "r": "radi"},
        steps=True,
        weight=0.4,
    ),
    Formula(
        "circumference as area",
        right=("2 * p * r",),
        wrong=("p * r * r",),
        should="the circumference of a circle is two times pi times the radius",
        did="the area is worked out in place of the circumference",
        roles={"p": r"^pi\b", "r": "radi"},
        steps=True,
        weight=0.4,
    ),
    Formula(
        "diameter as radius",
        right=("p * d",),
        wrong=("2 * p * d",),
        should="the circumference of a circle is pi times the diameter",
        did="the diameter is taken for the radius",
        roles={"p": r"^pi\b", "d": "diam"},
        weight=0.4,
    ),
)
