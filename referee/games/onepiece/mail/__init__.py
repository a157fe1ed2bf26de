"""How a mail says what it orders, and the forms that are sent for it (3.5)."""
