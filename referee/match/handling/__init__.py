"""Commands carried out: what each adds to the ledger of a match, or why it can not be done. `match/decide` chooses."""
