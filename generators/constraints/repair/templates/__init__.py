"""Programs built from the words of a problem, for use where the written program cannot be repaired.

This is a last resort. Patterns find names, numbers and relations, and what they do not cover is left out. The program states
how the text was understood, not what the broken program said. Six kinds of text are read: things in order, amounts,
statements that are true or false, friendships, slots, and values that are equal or differ.
"""
