"""One module a migration. What is released is never changed again: another migration is added."""
