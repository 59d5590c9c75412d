"""Which equations does a line of a worked solution state, and are they true?"""
