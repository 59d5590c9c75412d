"""What to ask next: the further answers and looks at problems that are expected to gain most for what they cost."""
