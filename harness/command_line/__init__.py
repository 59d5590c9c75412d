"""The command line: option types that commands share, the options of a reproduced item, and the end at SIGTERM."""
