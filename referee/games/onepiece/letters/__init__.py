"""What anyone may see of a match: facts and pictures."""
