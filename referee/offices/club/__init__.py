"""The club's offices: proposals of matches, and who may make and join them."""
