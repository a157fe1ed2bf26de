"""What a mail's words say: sentences and their moods, values, and which of the possible answers they mean."""
