"""The chain of hashes over what is public of a ledger, and the salts by which a text of it can be forgotten."""
