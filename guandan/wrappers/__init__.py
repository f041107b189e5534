"""The game for learners' libraries: a module for each, with the library as an optional extra."""
