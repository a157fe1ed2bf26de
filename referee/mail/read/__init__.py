"""From bytes to a mail as a value: nothing here raises for what a mail holds, or believes what it says."""
