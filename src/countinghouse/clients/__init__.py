"""One client on one page: who they are, what they bought, claimed and were paid."""
