"""What falls due without a mail: deadlines, reminders, our own outages and our own answers."""
