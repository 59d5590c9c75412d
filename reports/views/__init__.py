"""The content of reports, computed once for terminal, HTML and app."""
