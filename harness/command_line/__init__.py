"""The command line: option types that commands share, the options of a reproduced item, and the exit at SIGTERM."""
