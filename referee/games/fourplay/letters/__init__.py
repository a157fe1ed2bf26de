"""What letters, pages and pictures show of a match."""
