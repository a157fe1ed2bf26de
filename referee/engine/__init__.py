"""The engine: several workers on one PostgreSQL do side by side what the desk does in one row. `store` has the rows
that wait, `tasks` how they are taken and what is done about them, `health` tells whether all that is well."""
