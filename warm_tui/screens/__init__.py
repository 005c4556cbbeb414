"""What people see: one screen a file."""
