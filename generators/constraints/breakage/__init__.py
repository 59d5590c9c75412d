"""The injection of syntax and sort errors into SMT-LIB2 programs, as language models make them."""
