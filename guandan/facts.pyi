# Only names to cimport: see facts.pxd.
__all__: list[str] = []
