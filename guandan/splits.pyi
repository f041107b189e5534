# Only names to cimport: see splits.pxd.
