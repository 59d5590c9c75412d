"""How likely a person is to write a flawed solution, and the values that nobody would go on with."""
