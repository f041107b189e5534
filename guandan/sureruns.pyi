# Only names to cimport: see sureruns.pxd.
