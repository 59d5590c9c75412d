"""How do people write numbers in problems and solutions, and how is another value written the same way?"""
