"""Mails are kept as they come, and what nobody reads is put aside."""
