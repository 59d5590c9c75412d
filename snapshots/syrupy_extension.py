"""The syrupy extension that keeps each snapshot in a text file of its own, named after its subject."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from syrupy.data import SnapshotCollection, SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from snapshots.snapshot_files import kind_of_suite, read, stem, write

if TYPE_CHECKING:
    from syrupy.location import PyTestLocation
    from syrupy.types import SerializedData, SnapshotIndex


class NamedExtension(SingleFileSnapshotExtension):
    """Text files `__snapshots__/SUITE/NAME.KIND.txt`; an assertion gives the name: `snapshot(name=…) == …`."""

    _write_mode = WriteMode.TEXT

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        """Return the test's name with the snapshot's; syrupy warns of names that are not the test's."""
        return f"{test_location.methodname}[{stem(_name(index))}]"

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """Return the path of the snapshot of that name."""
        folder = Path(cls.dirname(test_location=test_location))
        return str(kind_of_suite(folder.name).path_of(folder.parent, _name(index)))

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        """Tell whether a file is in the folder of a test's snapshots."""
        return Path(snapshot_location).parent == Path(cls.dirname(test_location=test_location))

    def discover_snapshots(
        self,
        *,
        test_location: PyTestLocation,  # noqa: ARG002  # syrupy's signature
        ignore_extensions: list[str] | None = None,  # noqa: ARG002  # syrupy's signature
    ) -> SnapshotCollections:
        """Find nothing, so that syrupy reports no file as unused and deletes none.

        Syrupy compares with the items of the session, which lack those that are deselected or without data. Each suite
        has an item that compares with all subjects.
        """
        return SnapshotCollections()

    def read_snapshot_data_from_location(
        self,
        *,
        snapshot_location: str,
        snapshot_name: str,  # noqa: ARG002  # syrupy's signature
        session_id: str,  # noqa: ARG002  # syrupy's signature
    ) -> SerializedData | None:
        """Return the text of the file, `None` if it is missing."""
        return read(Path(snapshot_location))

    @classmethod
    def write_snapshot_collection(
        cls,
        *,
        snapshot_collection: SnapshotCollection,
        name_order: dict[str, int] | None = None,  # noqa: ARG003  # syrupy's signature
    ) -> None:
        """Write the snapshot of a file atomically."""
        (snapshot,) = snapshot_collection
        write(Path(snapshot_collection.location), str(snapshot.data))


def _name(index: SnapshotIndex) -> str:
    if not isinstance(index, str):
        message = f"snapshot {index!r}: expected a name, as in snapshot(name='mini-001') == text"
        raise TypeError(message)
    return index
