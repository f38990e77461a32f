"""Kept candidates to the text the reader sees, within the budget."""
