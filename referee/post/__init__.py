"""Mail as it comes: bytes to values. Nothing here raises for what a mail holds, or believes what it says."""
