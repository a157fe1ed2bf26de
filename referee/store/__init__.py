"""Where everything durable lives: ledgers, inbox, outbox, deadlines; SQLite or PostgreSQL."""
