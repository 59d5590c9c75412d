"""The data of a dependency graph as its drawing in JavaScript (`picture.js`) reads them."""

from collections.abc import Collection, Sequence

from harness.records.template import TracedVariable
from reports.html.page_data import Row
from reports.views.graph_layout import lay_out, reads_of
from reports.views.record_titles import ROLE_TITLES, ROLES

ROLE_ROWS = [[role.replace("_", "-"), title] for role, title in ROLE_TITLES.items()]
"""The name and the title of each role, in the order of the numbers that entries have."""


def entry_rows(entries: Sequence[TracedVariable], dead: Collection[str]) -> list[Row]:
    """Return a row for each entry: variable, value, role, code, comment, entries that it reads, and whether it is dead."""
    return [
        [
            *(entry.variable, entry.value, ROLES.index(entry.role)),
            *(entry.code, entry.comment, reads, int(entry.variable in dead)),
        ]
        for entry, reads in zip(entries, reads_of(entries), strict=True)
    ]


def layout_row(entries: Sequence[TracedVariable]) -> Row | None:
    """Return the size of the picture, the boxes of the entries, the edges and the bands of the lines; None if it is too large."""
    # Laid out in Python, so that Hypothesis can test that any graph is legible. For the 7,724 traces of the published
    # templates it costs 0.8 to 1.7 s of 3.5 to 4.8 s, and 1.2 MB of a page of 5.0 MB.
    picture = lay_out(entries)
    if picture is None:
        return None
    return [
        picture.width,
        picture.height,
        [[box.x, box.y, box.width] for box in picture.boxes],
        [[edge.source, edge.target, *(number for point in edge.points for number in point)] for edge in picture.edges],
        [[band.line, band.y, band.height] for band in picture.bands],
    ]
