"""Long dialogues made of short ones, and how long retrieval and building take on them."""
