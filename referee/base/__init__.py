"""What everything stands on: errors, the log, private files, the files that come with the program, games of others."""
