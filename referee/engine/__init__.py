"""The engine: several workers on one PostgreSQL do side by side what the desk does in one row. `unit` notes in each
transaction what it makes due, `tasks` are what is done about it, `step` drives the queue to its end, `worker` works
until it is stopped, `health` tells whether all that is well."""
