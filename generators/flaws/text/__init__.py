"""The text of flawed solutions."""
