"""The SQLite store of requests and answers, shared by processes."""
