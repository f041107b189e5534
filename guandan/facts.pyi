# Only names to cimport: see arrays.pxd.
__all__: list[str] = []
