"""What can be known of a bank account without asking a bank: its branch's code (IFSC), its number, a mobile number."""
