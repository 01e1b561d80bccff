"""What can be checked without asking a bank: branch codes (IFSC), account numbers and mobile numbers."""
