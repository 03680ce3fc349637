"""Plain prompts of programs that no profile knows: how they look, in which language, and what is made of them."""
