# Only names to cimport: see patterns.pxd.
