# Only names to cimport: see places.pxd.
__all__: list[str] = []
