"""The registered slips of computation, one file for each, registered by the decorator `slip`."""
