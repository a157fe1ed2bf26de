"""What a mail may be believed: who sent it, whether a person did, and what it answers."""
