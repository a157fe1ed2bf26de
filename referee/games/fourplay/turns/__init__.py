"""Play on the Board: a submission read, judged, mended and carried out (606-610, 612)."""
