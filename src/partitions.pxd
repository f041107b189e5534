"""Splits of hands as moves, for Python; what other kernels may call is in splits."""
