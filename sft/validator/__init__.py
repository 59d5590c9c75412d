"""Is a problem solvable, contradictory or underspecified, judged from its text alone?"""
