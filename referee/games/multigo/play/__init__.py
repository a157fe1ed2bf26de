"""A match of Go as it is played: moves in sequence and in parallel, prisoners, the count."""
