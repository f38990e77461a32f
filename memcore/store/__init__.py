"""One SQLite file a workspace: all SQL of memcore is in this package."""
