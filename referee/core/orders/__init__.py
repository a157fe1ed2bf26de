"""A mail's lines as orders: which are any, what they say, and the answers that are made of them."""
