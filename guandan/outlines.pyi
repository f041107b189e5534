# Only names to cimport: see outlines.pxd.
