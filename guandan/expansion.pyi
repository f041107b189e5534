# Only names to cimport: see expansion.pxd.
__all__: list[str] = []
