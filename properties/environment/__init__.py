"""Tasks with exact rewards for reinforcement learning, made of certified flaws and variants."""
