"""The kinds of answers: each with its words in a mail, what is wrong with it, and what follows from it."""
