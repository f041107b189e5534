"""The exact endgame search, for Python; what other kernels may call is in prover."""
