"""Branch codes of Indian banks (IFSC), with the list of all of them."""
