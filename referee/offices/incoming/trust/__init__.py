"""Who sent a mail, what that is worth, and who is asked about it."""
