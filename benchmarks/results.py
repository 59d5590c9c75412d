"""The page of results: claims, each with the figure that a measured section holds, its interval, goal, command and build."""

import json
import re
import tomllib
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FIGURES, CLAIMS, PAGE = HERE / "figures", HERE / "claims.toml", HERE / "RESULTS.md"
NORMAL_95 = 1.959964
SMALL_SHARE = 0.002
"""Below it an interval is shown with three decimals of a percent."""
NOT_MEASURED = "not measured"
_PLACE = re.compile(r"\{([^{}:]+)(:[^{}]*)?\}")
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """One row of the page: what is claimed, how its figure is written, and what was asked.

    `figure` is a text with places such as `{programs.ut1.CONFIRMED:,}`, each a path into the figures of the section with a format.
    `share` names a count and its total, of which the page shows the 95% interval by Wilson. `value` is compared with `at_least` or `at_most`;
    it is a path, or two of them as a quotient.
    """

    claim: str
    section: str
    figure: str
    share: tuple[str, str] | None = None
    value: str = ""
    at_least: float | None = None
    at_most: float | None = None
    goal: str = ""
    """The goal in words, where it is not one bound on `value`."""
    met: str = ""
    """Where the goal is in words: `yes`, `no`, or how far it is met."""
    command: str = ""
    """The command that measures it, where it is not `python -m benchmarks SECTION`."""


def read_claims(path: Path = CLAIMS) -> list[Claim]:
    """Return the claims of the page, in order.

    Raises:
        TypeError: a claim has a field that does not exist.
    """
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["claim"]
    return [Claim(**{**table, "share": tuple(table["share"]) if "share" in table else None}) for table in tables]


def read_figures(section: str, folder: Path = FIGURES) -> dict[str, Any] | None:
    """Return what was measured of a section, `None` where nothing was: its `figures`, `build`, `date` and `machine`."""
    path = folder / f"{section}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def value_at(figures: Figures, path: str) -> Any:
    """Return the figure at a path of keys joined by points.

    Raises:
        KeyError: the section did not measure it.
    """
    return reduce(lambda inner, key: inner[key], path.split("."), figures)


def written_figure(claim: Claim, figures: Figures) -> str:
    """Return the text of a claim's figure with every place filled in."""
    return _PLACE.sub(lambda place: format(value_at(figures, place[1]), (place[2] or ":")[1:]), claim.figure)


def wilson_interval(count: int, total: int) -> tuple[float, float]:
    """Return the 95% interval of a share by Wilson's score (1927), bounds between 0 and 1."""
    if not total:
        return 0.0, 1.0
    share, square = count / total, NORMAL_95**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    spread = NORMAL_95 * sqrt(share * (1 - share) / total + square / (4 * total**2)) / (1 + square / total)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def goal_cells(claim: Claim, figures: Figures) -> tuple[str, str]:
    """Return what was asked and whether it is met: empty where nothing was asked."""
    if not claim.value:
        return claim.goal, claim.met
    numerator, _, denominator = claim.value.partition("/")
    value = value_at(figures, numerator)
    if denominator:
        value = value / value_at(figures, denominator)
    if claim.at_least is not None:
        return claim.goal or f"≥ {claim.at_least:g}", "yes" if value >= claim.at_least else "**no**"
    if claim.at_most is not None:
        return claim.goal or f"≤ {claim.at_most:g}", "yes" if value <= claim.at_most else "**no**"
    return claim.goal, claim.met


def page_row(claim: Claim, measured: dict[str, Any] | None) -> str:
    """Return a claim as a row of the page."""
    command = claim.command or f"python -m benchmarks {claim.section}"
    if measured is None:
        cells = [claim.claim, NOT_MEASURED, "", claim.goal, "", f"`{command}`", ""]
    else:
        figures = measured["figures"]
        interval = ""
        if claim.share is not None:
            low, high = wilson_interval(*(value_at(figures, path) for path in claim.share))
            places = 1 if high >= SMALL_SHARE else 3
            interval = f"{low:.{places}%} – {high:.{places}%}"
        cells = [claim.claim, written_figure(claim, figures), interval, *goal_cells(claim, figures)]
        cells += [f"`{command}`", f"[{measured['build']}](figures/{claim.section}.json)"]
    return f"| {' | '.join(cells)} |"


def page(claims: list[Claim], notes: str, folder: Path = FIGURES) -> str:
    """Return the page: a table of all claims, and the notes that are written by hand."""
    rows = [page_row(claim, read_figures(claim.section, folder)) for claim in claims]
    return "\n".join(
        [
            "# Results",
            "",
            "Each row is a claim with the figure that its command printed last; the build links the raw figures of that run as JSON.",
            "Intervals are 95% (Wilson). Real data are read from `$SHARED_DATA`; `make bench` measures every section, `python -m benchmarks NAME` one.",
            "",
            "| claim | figure | interval | goal | met | command | build |",
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
            notes.strip(),
            "",
        ]
    )


def written_notes(path: Path = PAGE) -> str:
    """Return the part of the page after the table, which is written by hand and kept: from its heading `## Notes` on."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    _, heading, notes = text.partition("## Notes\n")
    return heading + notes
