"""The public record of a match: a chain of hashes, as data and as text; how it is checked, how play goes on from it."""
