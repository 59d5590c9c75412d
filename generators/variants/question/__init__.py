"""What does the text of a question say, word by word: its sentences, its numbers, and what each of them is a number of?"""
