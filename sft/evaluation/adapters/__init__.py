"""The shapes of files that hold judged solutions, one module each."""
