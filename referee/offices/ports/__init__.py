"""What the offices need of the world, as protocols and the values they pass; `post`, `store` and others fulfil them."""
