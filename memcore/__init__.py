"""memcore: look inside conversational memory."""
