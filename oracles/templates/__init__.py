"""Claims about formalization templates."""
