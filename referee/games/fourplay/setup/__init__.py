"""The Initial Setup of Pieces (605)."""
