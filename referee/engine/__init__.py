"""The engine: several workers on one PostgreSQL do side by side what the desk does in one row. `unit` notes in each
transaction what it makes due, `tasks` are what is done about it, `worker` drives the queue to its end or until it is
stopped, `health` tells whether all that is well."""
