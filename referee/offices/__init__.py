"""The offices: what comes in, what falls due, what goes out, and the desk that takes it all in time order."""
