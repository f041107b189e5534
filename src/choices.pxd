"""What a seat may choose among: masks of abstract actions, and the moves of one, for Python."""
