"""What players of Go say: notation, reading, checking, forms."""
