"""The records on disk, one module a stage: what each line of each file holds."""
