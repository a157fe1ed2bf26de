"""What players send before play and beside it: declarations, purchases, setups, objections; the forms they fill in."""
