"""The text of a lowered program, where the model can write it."""
