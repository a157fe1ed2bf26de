"""From templates to the bytes of a letter."""
