"""Many deals played at random, as arrays, on several threads."""
