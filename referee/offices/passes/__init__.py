"""A pass: what it takes next, what of it shares a commit, and mails that ended a process."""
