"""The re-check of the records of flawed solutions."""
