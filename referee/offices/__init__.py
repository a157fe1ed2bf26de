"""The offices: collector, timekeeper, speaker, archivist and the desk. They see ports, never adapters."""
