"""Of which class is a problem by its constraints, and how can anybody check that again?"""
