# Only names to cimport: see relations.pxd.
