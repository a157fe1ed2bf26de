"""What a seat says in advance: conditional turns."""
