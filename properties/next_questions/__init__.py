"""The next questions: the further answers and looks at problems with the highest expected gain for their cost."""
