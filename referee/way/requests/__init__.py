"""What may be asked of an office in a subject: one file for each group of commands, and a table."""
