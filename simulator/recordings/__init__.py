"""The Recording: what happened in the caches while a program ran, as plain JSON data."""
