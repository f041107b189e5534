# Only names to cimport: see nodes.pxd.
