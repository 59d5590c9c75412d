"""What do variants of a problem stand on? Its question with located values, its constraints, edits and their reasons."""
