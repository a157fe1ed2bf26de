"""Adapters and players for rehearsal: mailboxes and couriers that fail on cue."""
