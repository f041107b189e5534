# Only names to cimport: see limits.pxd.
