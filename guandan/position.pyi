# Only names to cimport: see position.pxd.
