"""What letters and pictures show."""
