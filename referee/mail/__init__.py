"""Mails as values."""
