"""What the commands that run code of the user share: the function, its inputs, and the workers."""
