"""What did a run find, and how is it read in a terminal or in a browser?"""
