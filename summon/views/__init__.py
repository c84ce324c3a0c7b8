"""What people see: the board of a battle and the pages around it."""
