# Only names to cimport: see movegen.pxd.
