"""What of a mail its sender has said himself."""
