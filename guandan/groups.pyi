# Only names to cimport: see groups.pxd.
