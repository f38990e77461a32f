"""The whole flow on one page: build() and ask()."""
