"""What falls due without a mail: deadlines, reminders, the referee's own outages and its own answers."""
