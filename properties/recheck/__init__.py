"""The re-check of certificates from the records of flawed solutions and problem variants alone."""
