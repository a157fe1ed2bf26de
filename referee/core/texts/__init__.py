"""What people write: addresses, names of files, words to each other, and files from outside within bounds."""
