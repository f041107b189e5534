# Only names to cimport: see setup.pxd.
