"""The QR codes that customers pay to. Whoever swaps one redirects all incoming money."""
