"""Where does a person read candidates, oracles and verdicts in a browser?"""
