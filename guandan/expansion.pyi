# Only names to cimport: see expansion.pxd.
