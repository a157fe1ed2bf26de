"""What moderators write, and what is written to them."""
