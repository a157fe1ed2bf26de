"""What comes in: mails are kept as they came, told apart, judged one at a time, and answered."""
