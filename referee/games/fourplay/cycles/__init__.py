"""From the opening of a match to its standings: readiness, order, cycles (600-603)."""
