"""The edits that repair a program, one per module, registered by `edit_kind`."""
