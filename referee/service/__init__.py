"""The service: everything put together (`wiring`, `build`), and kept at work, by one desk or by
several workers on one PostgreSQL, which do side by side what the desk does in one row."""
