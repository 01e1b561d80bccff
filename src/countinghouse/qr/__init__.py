"""The payment QR codes that customers pay to: one swapped code moves all incoming money."""
