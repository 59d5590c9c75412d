"""What reports show, computed once for terminal, HTML and app."""
