# Only names to cimport: see holding.pxd.
