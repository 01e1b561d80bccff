"""Home: today and the last weeks at a glance, from tallies per day."""
