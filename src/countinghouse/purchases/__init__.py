"""What clients bought: an invest amount that earns a daily income."""
