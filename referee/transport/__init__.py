"""Mailboxes that mails come from, couriers that take letters away."""
