"""How is a model taught to say after each line what is wrong with it?"""
