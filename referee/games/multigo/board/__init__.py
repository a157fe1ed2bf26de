"""The board of Go: points, chains and liberties, earlier positions."""
