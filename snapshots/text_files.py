"""The layout of the snapshots: one text file for each subject, named like its test item."""

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode


class TextFiles(SingleFileSnapshotExtension):
    """Text files `__snapshots__/SUITE/ITEM.txt`."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"
