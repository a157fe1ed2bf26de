"""Adapters and players for rehearsal: mailboxes and couriers that fail as planned."""
