"""What people write in their languages round an order, and what programs write round a mail: phrases as data."""
