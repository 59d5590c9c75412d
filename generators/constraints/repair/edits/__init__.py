"""Which edits mend a program? One file each, registered by `edit_kind`."""
