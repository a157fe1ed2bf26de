"""What keeps a referee well for years: the store held against its ledgers, upgrades, backups, a person's data."""
