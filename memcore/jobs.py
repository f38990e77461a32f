"""Build jobs: a child process runs the same function as the command line."""
