"""The service: everything put together (`wiring`), and kept at work, by one desk or by workers on one PostgreSQL."""
