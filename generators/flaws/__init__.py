"""How is a solution made wrong in one place, and what does the flawed solution then say?"""
