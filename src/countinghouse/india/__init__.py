"""Rules and formats of Indian banking and payments. Pure functions: no database and no HTTP."""
