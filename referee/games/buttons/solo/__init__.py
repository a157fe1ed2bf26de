"""The puzzle for one (5.4): its goals, its course, the referee's own solution, tables of many."""
