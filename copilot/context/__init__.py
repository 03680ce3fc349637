"""What the model is given: the parts of the prompt in their order, trimmed to a token budget."""
