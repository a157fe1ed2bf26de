"""What every game and every office speaks of: pure values, no clock, chance, file, mail or log."""
