"""What is published of matches: records, their files, and the site."""
