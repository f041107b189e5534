# For batches, and names to cimport: see crew.pxd.
__all__: list[str] = []
