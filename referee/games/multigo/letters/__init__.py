"""What is told of a match of Go: facts, pictures, records."""
