"""Tests of the places of edits: an offset of a repaired text is followed back to the text as it was given."""

from __future__ import annotations

from hypothesis import given, strategies as st

from generators.constraints.repair.program_draft import OffsetHistory, RepairChange


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.integers(0, 5)), max_size=6), st.integers(0, 60))
def test_offsets_are_followed_back(splices: list[tuple[int, int, int]], offset: int) -> None:
    """A character that no splice touched is found where it was; one that was put in, at an offset of the text."""
    origin: list[int | None] = list(range(40))
    history = OffsetHistory()
    for start, gone, length in splices:
        if start + gone <= len(origin):
            origin[start : start + gone] = [None] * length
            history.replace([RepairChange(start, start + gone, "x" * length)])
    if offset < len(origin):
        found = history.original(offset)
        assert origin[offset] in {found, None}
        assert 0 <= found <= 40
