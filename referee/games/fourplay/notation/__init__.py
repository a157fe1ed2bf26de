"""How players write: lines made plain, keys and what they say, who sends a form, words of orders."""
