"""The command line of oracle-factory, which mounts the commands of all rooms."""

__version__ = "0.1.0"
