"""How does syrupy keep the snapshot of a problem? In a file of its own, named after the problem."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from syrupy.data import SnapshotCollection, SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from snapshots.files import SUFFIX, path_of, read, stem, write

if TYPE_CHECKING:
    from syrupy.location import PyTestLocation
    from syrupy.types import SerializedData, SnapshotIndex


class TraceExtension(SingleFileSnapshotExtension):
    """Text files `__snapshots__/MODULE/PROBLEM_ID.trace.txt`; an assertion names its problem: `snapshot(name=…) == …`."""

    _write_mode = WriteMode.TEXT
    file_extension = SUFFIX

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        """Return the test's name with the problem's; syrupy warns of names that are not the test's."""
        return f"{test_location.methodname}[{stem(_problem_id(index))}]"

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """Return the path of the problem's snapshot."""
        return str(path_of(Path(cls.dirname(test_location=test_location)), _problem_id(index)))

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        """Tell whether a file stands where the module of a test keeps its snapshots."""
        return Path(snapshot_location).parent == Path(cls.dirname(test_location=test_location))

    def discover_snapshots(
        self,
        *,
        test_location: PyTestLocation,  # noqa: ARG002  # syrupy's signature
        ignore_extensions: list[str] | None = None,  # noqa: ARG002  # syrupy's signature
    ) -> SnapshotCollections:
        """Find nothing, so that syrupy takes no file for unused and deletes none.

        It would judge by the items of the session, to which a problem whose data are absent or deselected looks like one
        that is gone. The suite judges by the list of problems, in an item of its own.
        """
        return SnapshotCollections()

    def read_snapshot_data_from_location(
        self,
        *,
        snapshot_location: str,
        snapshot_name: str,  # noqa: ARG002  # syrupy's signature
        session_id: str,  # noqa: ARG002  # syrupy's signature
    ) -> SerializedData | None:
        """Return what the file says, `None` where there is none."""
        return read(Path(snapshot_location))

    @classmethod
    def write_snapshot_collection(
        cls,
        *,
        snapshot_collection: SnapshotCollection,
        name_order: dict[str, int] | None = None,  # noqa: ARG003  # syrupy's signature
    ) -> None:
        """Write the one snapshot of a file, whole or not at all."""
        (snapshot,) = snapshot_collection
        write(Path(snapshot_collection.location), str(snapshot.data))


def _problem_id(index: SnapshotIndex) -> str:
    if not isinstance(index, str):
        message = f"snapshot {index!r}: name the problem it is of, as in snapshot(name='mini-001') == text"
        raise TypeError(message)
    return index
