"""Runs and memories as files for other programs; names of files hold ids only."""
