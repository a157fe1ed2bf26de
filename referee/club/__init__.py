"""The club: how players find each other. A gathering - a proposal of a match, an event of many - is the fold of a
ledger of its own, as a match is; it looks at no clock, and knows matches by their names alone."""
