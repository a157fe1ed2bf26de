"""The register: matches and people as the offices know them, how they stand in public, and how a match is opened."""
