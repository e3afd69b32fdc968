"""Records that are put into one of several batches at random, each on its own."""
