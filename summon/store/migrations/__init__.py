"""The migrations of the store's schema, in the order in which they were made; Alembic applies them."""
