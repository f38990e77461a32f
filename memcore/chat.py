"""The one client of OpenAI-compatible servers, shared by extractor and reader."""
