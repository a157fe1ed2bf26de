"""What goes out: letters are written, addressed, kept for digests, and handed to the courier."""
