"""The command line: the same acts as the pages."""
