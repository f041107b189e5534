# Only names to cimport: see census.pxd.
