# Only names to cimport: see lists.pxd.
