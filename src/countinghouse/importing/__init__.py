"""Moves the data of an existing service into the desk: MongoDB dumps and exports, CSV files, spreadsheets."""
