"""How does a person make a candidate true, so that nothing they did is lost and nothing counts twice?"""
