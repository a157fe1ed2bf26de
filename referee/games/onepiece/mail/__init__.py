"""What a mail says, and the forms that are sent for it (3.5)."""
